// The closing ceremony: one step at a time, forward with the space bar, back to any step.

import { leave } from "./focus.js";
import { isStill } from "./motion.js";
import { onChange } from "./parts.js";

const EACH = 4000;

export function begin() {
  const root = document.querySelector("[data-ceremony]");
  if (!root) return;
  const steps = Number(root.dataset.ceremony);
  let at = Math.min(told(), steps);
  let reached = at;
  const go = (step) => { at = step; reached = Math.max(reached, at); draw(root, at, steps); };
  const goOn = (step) => { go(step); tell(step); };
  root.addEventListener("click", (event) => {
    if (event.target.closest("[data-next]")) goOn(at + 1);
    if (event.target.closest("[data-all]")) goOn(steps);
    const back = event.target.closest("[data-goto]");
    if (back) go(Number(back.dataset.goto));
  });
  document.addEventListener("keydown", (event) => {
    const isNext = (event.key === " " || event.key === "ArrowRight") && event.target === document.body;
    if (isNext && at < steps) { event.preventDefault(); goOn(at + 1); }
  });
  // A phone went on; what was told already may be looked at again meanwhile.
  const outcome = step()?.dataset.of;
  let heard = at;
  onChange((name) => {
    if (name !== "step") return;
    // A server that was started anew forgot how far it is; an end that was set right begins anew.
    if (told() < reached && step()?.dataset.of === outcome) { heard = told(); tell(reached); }
    if (told() <= heard) return;
    heard = told();
    if (at < heard) go(Math.min(heard, steps));
  });
  go(at);
  if ("alone" in root.dataset) byItself(() => { if (at < steps) go(at + 1); });
}

const step = () => document.querySelector("[data-step]");
const told = () => Number(step()?.dataset.step || 0);

// Where this screen is, for the others; one that nobody of the table holds goes on for itself.
function tell(to) {
  const address = step()?.dataset.post;
  if (address) fetch(address, { method: "POST", body: new URLSearchParams({ to }) }).catch(() => undefined);
}

// Where bots played nobody taps: it goes on by itself, until somebody does.
function byItself(next) {
  const timer = setInterval(next, EACH);
  for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, () => clearInterval(timer));
}

function draw(root, at, steps) {
  root.querySelectorAll("[data-step-at]").forEach((node) => {
    const isHidden = at < Number(node.dataset.stepAt) || at > Number(node.dataset.stepTo || steps);
    if (node.hasAttribute("hidden") && !isHidden && !isStill()) ride(node);
    node.toggleAttribute("hidden", isHidden);
  });
  const shown = root.querySelector("[data-step-at]:not([hidden])");
  root.querySelectorAll("[data-next], [data-all]").forEach((node) => {
    if (at >= steps && shown) leave(node, shown);
    node.toggleAttribute("hidden", at >= steps);
  });
}

function ride(node) {
  node.querySelectorAll("animateMotion").forEach((each) => each.beginElement());
}
