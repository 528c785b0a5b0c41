// Being here, and staying awake.

import { hear } from "./reader.js";

const LATE = 6000;
// A phone that nobody touched for so long may sleep, as its owner's battery would have it.
const LONG = 600000;
let lock = null;
let asking = false;
let touched = performance.now();

const isDisplay = () => document.body.classList.contains("display");
// A display says who plays at it, and is no phone for that.
const isPhone = () => "here" in document.body.dataset && !isDisplay();
const isLeft = () => isPhone() && performance.now() - touched > LONG;

export function here() {
  if (lock && isLeft()) lock.release();
  const target = document.body.dataset.here;
  if (!target || document.visibilityState !== "visible") return;
  // On a dead line they would pile up, and take all the connections that a browser opens.
  hear(fetch(target, { method: "POST", signal: AbortSignal.timeout?.(LATE) }));
}
setInterval(here, 12000);

// The table's screen stays lit, and a phone in a game. A browser lets go of the lock whenever the page
// is hidden, and gives one only to pages with a certificate, or on the machine itself.
export async function keepAwake() {
  if (!navigator.wakeLock || lock || asking || isLeft()) return;
  if (!isPhone() && !isDisplay()) return;
  asking = true;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => { lock = null; });
  } catch { /* a battery that is low, or a page that is out of sight */ }
  asking = false;
}

addEventListener("pointerdown", () => { touched = performance.now(); keepAwake(); });
