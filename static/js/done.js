// What succeeded. htmx tells nobody where the stream was quicker than the answer and the form is gone by
// then, so it is heard of from the request itself, of elements that were `chosen` when it was sent.

export function whenDone(chosen, then) {
  document.addEventListener("htmx:beforeRequest", ({ detail: { elt, xhr } }) => {
    if (!elt.closest(chosen)) return;
    xhr.addEventListener("load", () => { if (xhr.status < 400) then(elt, xhr); });
  });
}
