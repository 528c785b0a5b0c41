// Secrets: open while held, shut on everything else; a veil over a phone that lies; the curtain.

const PEEK_MOST = 15000;
const HOLD = 500;
const AWAY = 60000;
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

// ---- what was handed in lies behind a fold, which shuts by itself

let shutTimer = null;

function shut() {
  document.querySelectorAll("details[data-shuts][open]").forEach((node) => { node.open = false; });
}

function shutLater() {
  clearTimeout(shutTimer);
  shutTimer = setTimeout(shut, PEEK_MOST);
}

for (const name of ["toggle", "input", "pointerdown"]) document.addEventListener(name, shutLater, true);
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") shut(); });

// ---- a phone that lies on the table hides its owner's plans

// It counts from the last look: from a finger that was lifted, not only from one that was laid on.
let touched = performance.now();

function veil(isDown) {
  document.body.classList.toggle("veiled", isDown && Boolean(document.body.dataset.veil));
}

for (const name of ["pointerdown", "pointerup", "pointercancel", "keydown"]) {
  addEventListener(name, () => { touched = performance.now(); });
}
document.addEventListener("click", (event) => { if (event.target.closest(".veil")) veil(false); });
// What was laid is done with: it is covered soon, unless somebody goes on touching.
document.addEventListener("htmx:afterRequest", (event) => {
  const { veil: most, laidVeil: soon } = document.body.dataset;
  const earlier = Math.max(0, 1000 * (Number(most) - Number(soon)));
  if (event.detail.successful && event.detail.elt.closest("[data-laid]")) touched = performance.now() - earlier;
});
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") veil(true); });
setInterval(() => { if (performance.now() - touched > 1000 * Number(document.body.dataset.veil)) veil(true); }, 1000);

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
// On the table's own screen a card, once laid, gives the display back.
if (home) {
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful && event.detail.elt.closest("[data-act]")) cover();
  });
  setInterval(() => { if (performance.now() - touched > AWAY) cover(); }, 1000);
}
