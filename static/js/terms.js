// A tap on "?", or a finger that rests on anything, tells what it means, over the page: no form is lost.
// The whole glossary is fetched, once: no request says what somebody reads.

import { isActing, termAt } from "./meaning.js";
import { say, sentence } from "./notices.js";

const REST = 500;
const SLIP = 12;
const LATE = 8000;
// What is held for something else, and what a finger paints.
const HOLDS = "a, .peek-btn, [data-peek][role=button], [data-hold], [data-strokes], select, textarea, "
  + "input:not([type=radio], [type=checkbox])";

const address = document.body.dataset.terms;
const box = document.createElement("dialog");
let whole = null;
let shut = null;
let press = null;
let isRested = false;
let isHasty = false;

function fetched() {
  if (!whole) {
    const signal = AbortSignal.timeout?.(LATE);
    whole = fetch(address, { signal }).then((answer) => answer.ok ? answer.text() : Promise.reject());
  }
  return whole.catch(() => { whole = null; return ""; });
}

async function show(id, from) {
  box.innerHTML = await fetched();
  if (!box.firstChild) say(sentence("unexplained"), true);
  if (!box.firstChild || box.open) return;
  const all = box.querySelector("[data-all]");
  const only = (one) => {
    for (const term of box.firstChild.children) term.hidden = one && term.id !== one;
    all.hidden = !one;
  };
  only(id);
  all.onclick = () => { only(""); box.querySelector("button").focus(); box.scrollTop = 0; };
  // Its link may have been drawn anew meanwhile.
  box.onclose = () => {
    clearTimeout(shut);
    const again = from.isConnected ? from : [...document.querySelectorAll("a.q")].find((link) => link.href === from.href);
    if (again) again.focus();
  };
  box.showModal();
  if (from.closest("[data-peek]")) shut = setTimeout(() => box.close(), 15000);
}

// Judged by when the finger came down and went up, as its screen says: a slow machine, which hears of it
// late, makes no rest of a tap, and no tap of a rest.
function begin(event) {
  const { target, clientX: x, clientY: y } = event;
  if (!event.isPrimary || event.button || target.closest(HOLDS)) return;
  if (isHasty) return;
  // A mouse that is pressed slowly means the button; its "?" is beside it.
  if (event.pointerType === "mouse" && isActing(target)) return;
  const id = termAt(target, x, y);
  if (id === undefined) return;
  fetched();
  const mine = { id, x, y, at: event.timeStamp, from: target.closest("button") || target };
  press = mine;
  // After a frame and what waits behind it: a finger that is up already may not have been told of yet.
  setTimeout(() => requestAnimationFrame(() => setTimeout(() => { if (press === mine) rest(); })), REST);
}

function rest() {
  const { id, from } = press;
  press = null;
  isRested = true;
  show(id && `t-${id}`, from);
}

function lift(event) {
  if (press && event.timeStamp - press.at >= REST) rest();
  press = null;
}

function move(event) {
  if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLIP) press = null;
}

if (address && box.showModal) {
  document.body.append(box);
  addEventListener("pointerdown", (event) => {
    isRested = false;
    press = null;
    // Who taps twice means the button that was there, and not what came or moved under the finger.
    isHasty = document.querySelector("[data-fresh]") !== null;
    if (event.target.closest("a.q")) fetched();
    begin(event);
  }, true);
  addEventListener("pointerup", lift, true);
  addEventListener("pointermove", move, true);
  for (const name of ["pointercancel", "scroll"]) addEventListener(name, () => { press = null; }, true);
  // A rest ends with a click, for nothing that lies there; a key's click is none of a finger.
  addEventListener("click", (event) => {
    const link = event.target.closest("a.q");
    const isOver = isRested && event.detail > 0;
    if (isOver || link) event.preventDefault();
    if (isOver) event.stopPropagation();
    else if (link && !(isHasty && event.detail)) show(link.hash.slice(1), link);
    else if (event.target === box) box.close();
    isRested = false;
  }, true);
  addEventListener("contextmenu", (event) => { if (press || isRested) event.preventDefault(); });
  addEventListener("visibilitychange", () => { if (document.hidden && box.open) box.close(); }, true);
}
