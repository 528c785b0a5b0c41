// What was typed or chosen and not yet sent outlives that the page is loaded anew: a battery saver closes
// pages, a finger pulls them down. It is kept for this tab alone, for the same question of the same page,
// and never where a phone or a screen is passed on: there the next person would find it.

import { inForms, isChoice, isTouched, nameOf, restore } from "./kept.js";
import { changed } from "./parts.js";

const KEY = "referee typed ";
const OWN = KEY + location.pathname + location.search;
const WRITE = "form:not([method=get], [data-sent=true])";
const SENDS = ["htmx:beforeRequest", "htmx:sendError", "htmx:timeout", "htmx:responseError"];

const { body } = document;
const isPassedOn = body.matches("[data-shared], [data-home], .curtain");
let isHeld = false;

// The version says which question it is; of several fields of one name each is known by which of them it is.
function fields() {
  const count = new Map();
  return inForms(document).filter((node) => node.type !== "file" && !node.multiple).map((node) => {
    const about = ["version", "what"].map((name) => (node.form.elements.namedItem(name) || { value: "" }).value);
    const name = [nameOf(node), ...about].join("\n");
    count.set(name, (count.get(name) || 0) + 1);
    return [`${name}\n${count.get(name)}`, node];
  });
}

export function save() {
  if (isPassedOn) return;
  const touched = fields().filter(([, node]) => node.form.matches(WRITE) && isTouched(node));
  const held = touched.map(([name, node]) => [name, isChoice(node) ? node.checked : node.value]);
  isHeld = held.length > 0;
  try {
    if (isHeld) sessionStorage.setItem(OWN, JSON.stringify(held));
    else sessionStorage.removeItem(OWN);
  } catch { /* a private window forgets it, which is all */ }
}

function stored() {
  try { return new Map(JSON.parse(sessionStorage.getItem(OWN) || "[]")); } catch { return new Map(); }
}

function forget() {
  try {
    Object.keys(sessionStorage).filter((key) => key.startsWith(KEY)).forEach((key) => sessionStorage.removeItem(key));
  } catch { /* nothing was kept */ }
}

// What somebody began to fill in before this came is newer.
function putBack() {
  const held = stored();
  const begun = new Set(fields().filter(([, node]) => isTouched(node)).map(([, node]) => node.form));
  const found = fields().filter(([name, node]) => held.has(name) && !begun.has(node.form) && node.form.matches(WRITE));
  for (const [name, node] of found) restore(node, held.get(name));
  if (found.length) changed("");
  if (held.size) save();
}

// What a part no longer asks is gone for good.
export const settle = () => { if (isHeld) save(); };

for (const name of ["input", "change", ...SENDS]) document.addEventListener(name, save);
// A form that htmx does not send leads to another page.
document.addEventListener("submit", ({ target }) => {
  if (target.matches("[hx-post]")) return;
  target.dataset.sent = true;
  save();
});

export function begin() {
  if (isPassedOn) forget();
  else putBack();
}
