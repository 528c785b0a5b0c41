// Being here, and staying awake.

export function here() {
  const target = document.body.dataset.here;
  if (target && document.visibilityState === "visible") fetch(target, { method: "POST" }).catch(() => undefined);
}
setInterval(here, 12000);

// The table's screen stays lit. A browser lets go of the lock whenever the page is hidden.
export function keepAwake() {
  if (!("wakeLock" in navigator) || !document.body.classList.contains("display")) return;
  navigator.wakeLock.request("screen").catch(() => undefined);
}
