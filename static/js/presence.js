// Being here, and staying awake.

const LATE = 6000;

export function here() {
  const target = document.body.dataset.here;
  if (!target || document.visibilityState !== "visible") return;
  // On a dead line they would pile up, and take all the connections that a browser opens.
  fetch(target, { method: "POST", signal: AbortSignal.timeout?.(LATE) }).catch(() => undefined);
}
setInterval(here, 12000);

// The table's screen stays lit. A browser lets go of the lock whenever the page is hidden.
export function keepAwake() {
  if (!("wakeLock" in navigator) || !document.body.classList.contains("display")) return;
  navigator.wakeLock.request("screen").catch(() => undefined);
}
