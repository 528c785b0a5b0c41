// Whose turn it is: the page's mood, a nudge when one is asked, how long a question has been open.

import { chime, feel } from "./felt.js";
import { whenWhole } from "./whole.js";
import { isStill } from "./motion.js";

// The question that a page was born with began before it, and this may come a while after it.
let began = -1000 * Number(document.body.dataset.since || 0);

export function settle(name) {
  const body = document.body;
  const mood = document.querySelector("[data-mood]");
  if (mood) {
    const was = body.classList.contains("asked");
    for (const each of ["asked", "able", "waiting"]) body.classList.toggle(each, mood.dataset.mood === each);
    if (!was && mood.dataset.mood === "asked") {
      feel();
      isDue = Boolean(name);
    }
  }
  if (name === "players" || !name) listen(name);
  startClocks();
  if (isStill()) hold();
  tick();
  if (name === "ask" && body.classList.contains("asked")) feel();
}

// Who read on far down a page while others played is shown what is asked, at its top; who has a finger or a
// caret on something, or had just now, is left alone.
const READING = 5000;
let touched = -READING;
for (const own of ["pointerdown", "touchmove", "wheel", "keydown", "input"]) {
  document.addEventListener(own, () => { touched = performance.now(); }, { capture: true, passive: true });
}

let isDue = false;

function showQuestion() {
  if (!isDue) return;
  isDue = false;
  // The part itself is no box.
  const ask = document.querySelector("#ask > *");
  const inUse = "dialog[open], input:not([type=radio], [type=checkbox]):focus, :is(select, textarea):focus";
  if (!ask || performance.now() - touched < READING || document.querySelector(inUse)) return;
  const { top } = ask.getBoundingClientRect();
  if (top < 0 || top > innerHeight * .8) scrollTo(0, 0);
}
whenWhole(showQuestion);

// The table's screen sounds when somebody is asked who was not before.
let asked = new Set();

function listen(name) {
  const now = new Set(Array.from(document.querySelectorAll("#players li.asked bdi"), (node) => node.textContent));
  if (name && Array.from(now).some((who) => !asked.has(who))) chime();
  asked = now;
}

function startClocks() {
  document.querySelectorAll("span[data-since]:not([data-from])").forEach((node) => {
    node.dataset.from = String(began ?? performance.now());
  });
  began = null;
}

// Who wants no motion sees where a ride ends.
function hold() {
  const drawings = new Set(Array.from(document.querySelectorAll("animateMotion"), (ride) => ride.ownerSVGElement));
  drawings.forEach((svg) => { svg.setCurrentTime(60); svg.pauseAnimations(); });
}

function tick() {
  document.querySelectorAll("[data-from]").forEach((node) => {
    const seconds = Math.max(0, Math.floor((performance.now() - Number(node.dataset.from)) / 1000));
    node.textContent = seconds < 5 ? "" : Math.floor(seconds / 60) + ":" + String(seconds % 60).padStart(2, "0");
  });
}
setInterval(tick, 1000);
