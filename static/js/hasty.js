// Taps in haste: who taps thrice means the first button, not the next question's that lies there by then.
// Judged by when the finger came down. What stood there for so short a time nobody has read, if it
// came while somebody was tapping, nor what came under the finger itself; that is said, for nothing is
// swallowed silently. Keys and screen readers go on where they are, and are not judged.

import { nameOf } from "./focus.js";
import { say, sentence } from "./notices.js";
import { parts } from "./parts.js";

const LOOK = 300;
const HASTE = 400;

const drawn = new Map();
let last = -Infinity;
let down = null;
let meant = "";
// What was drawn last where the finger lies, when the page heard of it: a slow one may hear late.
let lay;

const buttonOf = (event) => event.target.closest("[data-part] :is(button, label)");

addEventListener("pointerdown", (event) => {
  const button = buttonOf(event);
  last = down = event.timeStamp;
  meant = button ? nameOf(button) : "";
  lay = button ? drawn.get(button.closest("[data-part]")) : undefined;
}, true);

export function settle(name) {
  const part = parts.get(name);
  if (!part) return;
  const now = performance.now();
  const before = drawn.get(part);
  const isStill = Boolean(before) && before.isHasty && now < before.at + LOOK;
  const mine = { at: now, isHasty: isStill || now - last < HASTE };
  drawn.set(part, mine);
  part.toggleAttribute("data-fresh", mine.isHasty);
  if (!mine.isHasty) return;
  // It is seen a frame later.
  requestAnimationFrame(() => setTimeout(() => {
    mine.at = performance.now();
    setTimeout(() => { if (drawn.get(part) === mine) delete part.dataset.fresh; }, LOOK);
  }));
}

// A choice sends nothing, but what lies there by then would be chosen by nobody.
const sends = (button) => button && button.form && (button.control || button.type === "submit");

function isHasty(button, began) {
  const found = drawn.get(button.closest("[data-part]"));
  if (!found || began >= found.at + LOOK) return false;
  return found === lay ? found.isHasty : nameOf(button) !== meant;
}

addEventListener("click", (event) => {
  const began = down;
  down = null;
  const button = buttonOf(event);
  if (!sends(button) || !event.detail || began === null || !isHasty(button, began)) return;
  event.preventDefault();
  event.stopPropagation();
  // What goes on and on, as a ceremony does, waits for the next tap without a word.
  if (!button.form.matches("[data-calm]")) say(sentence("changed"), false);
}, true);
