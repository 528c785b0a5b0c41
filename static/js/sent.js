// A form that was sent says so until it is filled in anew: what stands there is no longer being chosen.

export const SENT = "data-sent";

const mark = (form, is) => { if (form) form.toggleAttribute(SENT, is); };
document.addEventListener("htmx:beforeRequest", (event) => mark(event.detail.elt.closest("form"), true));
for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(name, (event) => {
    const { elt, xhr } = event.detail;
    // After "the table moved on" the choice is another one, even if it looks the same.
    if (!xhr || xhr.status !== 409) mark(elt.closest("form"), false);
  });
}
document.addEventListener("input", (event) => mark(event.target.form, false));
