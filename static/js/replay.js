// A finished game again: arrow keys step through it, and Play goes on by itself.

const EVERY_MS = 2000;
let timer = 0;

const link = (rel) => document.querySelector(`.replay a[rel="${rel}"]`);

function show() {
  const button = document.querySelector("[data-play]");
  if (!button) return;
  if (!link("next")) timer = clearInterval(timer) || 0;
  button.hidden = !link("next");
  button.setAttribute("aria-pressed", String(Boolean(timer)));
}

function toggle() {
  timer = timer ? clearInterval(timer) || 0 : setInterval(() => link("next")?.click(), EVERY_MS);
  show();
}

document.addEventListener("click", (event) => { if (event.target.closest("[data-play]")) toggle(); });
document.addEventListener("keydown", (event) => {
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (rel && event.target.type !== "range") link(rel)?.click();
});
// Before the first step there is no way back: whoever went there by keys goes on at what leads on.
document.addEventListener("htmx:afterSettle", () => {
  show();
  if (document.activeElement === document.body) document.getElementById("next")?.focus({ preventScroll: true });
});

export function begin() { show(); }
