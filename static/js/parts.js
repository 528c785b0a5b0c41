// The live parts of a page: never an older one over a newer, never the same one twice.

import { keepPlace } from "./focus.js";
import { keep } from "./kept.js";

const reader = document.createElement("template");
const after = [];
let version = Number(document.body.dataset.version || 0);

// What each live part shows, as the browser writes it: also what the page was born with, so that
// a stream that starts again never replaces a form in use by the same form.
const shown = new Map();
export const parts = new Map();
document.querySelectorAll("[data-part]").forEach((node) => {
  parts.set(node.dataset.part, node);
  shown.set(node.dataset.part, node.innerHTML.trim());
});

function rewritten(html) {
  reader.innerHTML = html;
  return reader.innerHTML.trim();
}

export const reached = () => version;
export const isBehind = (reached) => version < reached;
export const isAhead = (event) => Boolean(event.lastEventId) && Number(event.lastEventId) < version;
export const forget = () => shown.clear();

export function note(event) {
  if (event.lastEventId) version = Math.max(version, Number(event.lastEventId));
}

// The page says which version it shows in full; parts of a newer one may be there already.
export function complete() { document.body.dataset.version = String(version); }

// Call this with a part's name whenever one has changed, and once for the page as it was born.
export const onChange = (call) => after.push(call);
export const changed = (name) => after.forEach((call) => call(name));

export function receive(name, event) {
  if (isAhead(event)) return;
  note(event);
  const html = rewritten(event.data);
  if (shown.get(name) === html) return;
  const part = parts.get(name);
  const goOn = keepPlace(part);
  const putBack = keep(part);
  // htmx keeps the focus and the caret of a field that both the old and the new part have.
  htmx.swap(part, event.data, { swapStyle: "innerHTML", swapDelay: 0, settleDelay: 0 });
  shown.set(name, html);
  putBack();
  changed(name);
  goOn();
}
