// What comes to lie under a finger that has just tapped is not what it tapped: to a second tap of a
// child, or of a slow hand, it sleeps for a moment. Keyboards and scripts are not concerned.

const MOMENT = 350;
const LATELY = 1000;
const NEAR = 40;
const CONTROLS = "button, a, label, summary, select, input";

let tapped = null;
let timer = 0;

const controlAt = (x, y) => {
  const under = document.elementFromPoint(x, y);
  return under && under.closest(CONTROLS);
};
const isNear = (event) => Math.abs(event.clientX - tapped.x) < NEAR && Math.abs(event.clientY - tapped.y) < NEAR;

document.addEventListener("click", (event) => {
  if (!event.isTrusted || !event.detail) return;
  const control = event.target.closest(CONTROLS);
  if (document.body.hasAttribute("data-sleeps") && isNear(event)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    tapped.at = performance.now();
    sleep();
    return;
  }
  const form = control && control.closest("form");
  tapped = { x: event.clientX, y: event.clientY, at: performance.now(), control, form, was: form && form.outerHTML };
}, true);

function sleep() {
  document.body.toggleAttribute("data-sleeps", true);
  clearTimeout(timer);
  timer = setTimeout(() => document.body.removeAttribute("data-sleeps"), MOMENT);
}

// After a part was drawn anew: the very control that was tapped, or the same in the same form, is awake.
export function settle() {
  if (!tapped || !tapped.control || performance.now() - tapped.at > LATELY) return;
  const control = controlAt(tapped.x, tapped.y);
  if (!control || control === tapped.control) return;
  const form = control.closest("form");
  if (form && form.outerHTML === tapped.was) return;
  sleep();
}
