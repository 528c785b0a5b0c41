// A form that was sent says so until it is filled in anew: what stands there is no longer being chosen.
// One that is filled in says that it was not.

const mark = (form, is) => { if (form) form.dataset.sent = is; };
document.addEventListener("htmx:beforeRequest", (event) => mark(event.detail.elt.closest("form"), true));
for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(name, (event) => {
    const { elt, xhr } = event.detail;
    // After "the table moved on" the choice is another one, even if it looks the same.
    if (!xhr || xhr.status !== 409) mark(elt.closest("form"), false);
  });
}
document.addEventListener("input", (event) => mark(event.target.form, false));
// So does a fold that somebody opened or shut: what is late takes note of it.
document.addEventListener("click", (event) => mark(event.target.closest("summary"), false));
