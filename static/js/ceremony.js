// The closing ceremony: one step at a time, forward with the space bar, back to any step.

import { isStill } from "./motion.js";

const EACH = 4000;

export function begin() {
  const root = document.querySelector("[data-ceremony]");
  if (!root) return;
  const steps = Number(root.dataset.ceremony);
  let at = 0;
  const go = (step) => { at = step; draw(root, at, steps); };
  root.addEventListener("click", (event) => {
    if (event.target.closest("[data-next]")) go(at + 1);
    if (event.target.closest("[data-all]")) go(steps);
    const back = event.target.closest("[data-goto]");
    if (back) go(Number(back.dataset.goto));
  });
  document.addEventListener("keydown", (event) => {
    const isNext = (event.key === " " || event.key === "ArrowRight") && event.target === document.body;
    if (isNext && at < steps) { event.preventDefault(); go(at + 1); }
  });
  go(0);
  if ("alone" in root.dataset) goOn(() => { if (at < steps) go(at + 1); });
}

// Where bots played nobody taps: it goes on by itself, until somebody does.
function goOn(next) {
  const timer = setInterval(next, EACH);
  for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, () => clearInterval(timer));
}

function draw(root, at, steps) {
  root.querySelectorAll("[data-step-at]").forEach((node) => {
    const isHidden = at < Number(node.dataset.stepAt) || at > Number(node.dataset.stepTo || steps);
    if (node.hasAttribute("hidden") && !isHidden && !isStill()) ride(node);
    node.toggleAttribute("hidden", isHidden);
  });
  root.querySelectorAll("[data-next], [data-all]").forEach((node) => node.toggleAttribute("hidden", at >= steps));
}

function ride(node) {
  node.querySelectorAll("animateMotion").forEach((each) => each.beginElement());
}
