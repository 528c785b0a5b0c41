// Secrets: open while held, shut on everything else; the curtain. The veil comes late (veil.js).

import { whenDone } from "./done.js";

const PEEK_MOST = 15000;
const HOLD = 500;
const AWAY = 60000;
// By then the page shows what came of an action.
const SHOWN = 500;
const BUTTONS = ".peek-btn, .reveal[data-peek]";

// ---- peeking

let hideTimer = null;

function hide() {
  document.querySelectorAll("[data-peek][data-open]").forEach((node) => node.removeAttribute("data-open"));
  settle();
}

function show(event, button) {
  event.preventDefault();
  note(button);
  button.closest("[data-peek]").setAttribute("data-open", "");
  clearTimeout(hideTimer);
  hideTimer = setTimeout(hide, PEEK_MOST);
}

// In the first turn the bar says what to look at, until somebody has: once a seat and a table.

const LOOKED = `referee looked ${location.pathname}`;
let looked = remembered();

function remembered() {
  try { return localStorage.getItem(LOOKED) !== null; } catch { return false; }
}

function note(button) {
  if (!button.matches("[data-new]") || looked) return;
  looked = true;
  try { localStorage.setItem(LOOKED, "yes"); } catch { /* a private window forgets it, which is all */ }
}

// What it says goes once the look is over, not under the finger.
export function settle() {
  if (looked && !document.querySelector("[data-peek][data-open]")) {
    document.querySelectorAll("[data-new]").forEach((button) => button.removeAttribute("data-new"));
  }
}

document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest(BUTTONS);
  if (button) show(event, button);
});
// A second finger may ask what the secret means while the first one holds it open.
addEventListener("pointerup", (event) => { if (!event.target.closest(".peek-secret .q")) hide(); });
for (const name of ["pointercancel", "blur"]) addEventListener(name, hide);
document.addEventListener("visibilitychange", hide);
document.addEventListener("keydown", (event) => {
  const button = event.target.closest(BUTTONS);
  if (button && (event.key === " " || event.key === "Enter")) show(event, button);
});
document.addEventListener("keyup", hide);
document.addEventListener("contextmenu", (event) => { if (event.target.closest("[data-peek], [data-hold]")) event.preventDefault(); });

// ---- the curtain opens for whoever holds its button, and falls by itself

let holdTimer = null;
document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("[data-hold]");
  if (button) holdTimer = setTimeout(() => button.form.requestSubmit(), HOLD);
});
for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => clearTimeout(holdTimer));
document.addEventListener("click", (event) => { if (event.target.closest("[data-hold]") && event.detail) event.preventDefault(); });

// A shared phone that went dark, or came back to an older page, is anybody's: it shows the curtain.
const { shared, home } = document.body.dataset;
// Going back, or a reload, asks for the page again instead of sending the spent token.
if (shared !== undefined) history.replaceState(null, "", location.href);
const cover = () => location.replace(home || location.pathname);
if (shared !== undefined || home) {
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") cover(); });
  addEventListener("pageshow", (event) => { if (event.persisted) cover(); });
}
// On the table's own screen a card, once laid, gives the display back; so does whatever was done, unless
// more is asked, and nobody's touch for long.
if (home) {
  let touched = performance.now();
  for (const name of ["pointerdown", "pointerup", "pointercancel", "keydown"]) {
    addEventListener(name, () => { touched = performance.now(); });
  }
  const isAsked = () => document.querySelector(".turn[data-mood=asked]");
  whenDone("[data-laid]", cover);
  whenDone("[data-act]", () => setTimeout(() => { if (!isAsked()) cover(); }, SHOWN));
  setInterval(() => { if (performance.now() - touched > AWAY) cover(); }, 1000);
}
