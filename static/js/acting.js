// Acting: an id a tap, the same id for a retry, and a word when it failed.

import { whenDone } from "./done.js";
import { hush, say, sentence } from "./notices.js";
import { forget, isBehind } from "./parts.js";
import { random } from "./random.js";
import { reconnect } from "./stream.js";

const CATCH_UP = 2500;

function forgetId(form) {
  if (!form) return;
  delete form.dataset.key;
  delete form.dataset.actionId;
}

document.addEventListener("htmx:configRequest", (event) => {
  const form = event.detail.elt.closest("form");
  if (!form || !form.hasAttribute("data-act")) return;
  const values = event.detail.parameters;
  const key = JSON.stringify(Object.fromEntries(values.entries ? values.entries() : Object.entries(values)));
  if (form.dataset.key !== key) { form.dataset.key = key; form.dataset.actionId = random(); }
  values.id = form.dataset.actionId;
});

whenDone("form", (elt, xhr) => {
  hush();
  forgetId(elt.closest("form"));
  // What was done must soon be seen; a stream that does not bring it is dead.
  const reached = Number(xhr.getResponseHeader("X-Version") || 0);
  if (reached) setTimeout(() => { if (isBehind(reached)) reconnect(); }, CATCH_UP);
});

document.addEventListener("htmx:responseError", (event) => {
  const xhr = event.detail.xhr;
  const isText = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/html");
  const text = isText && xhr.responseText.length < 600 ? xhr.responseText.trim() : sentence("failed");
  say(text, xhr.status !== 409);
  forgetId(event.detail.elt.closest("form"));
  if (xhr.status === 409) { forget(); reconnect(); }
  if (xhr.status === 403) location.replace(location.pathname + location.search);
});

for (const name of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, () => say(sentence("timeout"), true));
}
