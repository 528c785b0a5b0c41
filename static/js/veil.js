// A phone that nobody touches hides by itself what is its owner's alone.

import { whenDone } from "./done.js";

const LONG = 15000;

const isHidden = () => document.visibilityState === "hidden";

// ---- what was handed in lies behind a fold, which shuts by itself

let shutTimer = null;

function shut() {
  document.querySelectorAll("details[data-shuts][open]").forEach((node) => { node.open = false; });
}

function shutLater() {
  clearTimeout(shutTimer);
  shutTimer = setTimeout(shut, LONG);
}

for (const name of ["toggle", "input", "pointerdown"]) document.addEventListener(name, shutLater, true);

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
whenDone("[data-laid]", () => {
  const { veil: most, laidVeil: soon } = document.body.dataset;
  touched = performance.now() - Math.max(0, 1000 * (Number(most) - Number(soon)));
});
setInterval(() => { if (performance.now() - touched > 1000 * Number(document.body.dataset.veil)) veil(true); }, 1000);

// ---- one that goes out of sight does both at once, also before this came

function cover() {
  if (!isHidden()) return;
  shut();
  veil(true);
}

document.addEventListener("visibilitychange", cover);
cover();
