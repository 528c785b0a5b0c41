// Painting: a finger over cells is one stroke. Strokes are sent one after the other, each until it is
// known to have arrived, and are drawn at once: the server's drawing replaces ours.

import { random } from "../js/random.js";
import { say, sentence } from "../js/notices.js";

const TRIES = 5;
const WAIT = 400;

let stroke = null;
const waiting = [];
let isSending = false;
let reached = 0;

// Which tool a seat has in hand outlives a reload.
const HAND = `tool ${location.pathname}`;
let isInHand = false;

const root = () => document.querySelector("#strip [data-paint]");
const painter = () => document.querySelector("#ask [data-painter]");
const tool = () => painter().querySelector("input[name=tool]:checked");
const spotAt = (event) => {
  const found = document.elementFromPoint(event.clientX, event.clientY);
  return found && found.closest(".painted .spot");
};

function begin(event) {
  const spot = event.target.closest(".painted .spot");
  if (!spot || !root() || !painter() || !tool() || !event.isPrimary) return;
  event.preventDefault();
  const value = tool().value;
  const has = (spot.dataset.has || "").split(" ");
  stroke = { ranch: spot.closest("[data-ranch]").dataset.ranch, cells: [], value, isOff: has.includes(value) };
  document.body.setPointerCapture(event.pointerId);
  add(spot);
}

function add(spot) {
  const at = spot.dataset.at;
  if (spot.closest("[data-ranch]").dataset.ranch !== stroke.ranch || stroke.cells.includes(at)) return;
  stroke.cells.push(at);
  spot.classList.add("stroked");
}

function move(event) {
  if (!stroke) return;
  const spot = spotAt(event);
  if (spot) add(spot);
}

function end() {
  if (!stroke) return;
  waiting.push({ ...stroke, id: random() });
  stroke = null;
  send();
}

// A screen reader and a keyboard touch one cell, without a finger that comes down and goes up.
function dab(event) {
  const spot = event.target.closest(".painted .spot");
  if (!spot || event.detail || !root() || !painter() || !tool()) return;
  const value = tool().value;
  const isOff = (spot.dataset.has || "").split(" ").includes(value);
  waiting.push({ ranch: spot.closest("[data-ranch]").dataset.ranch, cells: [spot.dataset.at], value, isOff, id: random() });
  send();
}

function body(next) {
  const fields = new URLSearchParams({ type: "stroke", tool: next.value, ranch: next.ranch, id: next.id });
  const shown = Number(root() ? root().dataset.version : 0);
  fields.set("version", String(Math.max(shown, reached)));
  next.cells.forEach((at) => fields.append("cells", at));
  if (next.isOff) fields.set("off", "yes");
  return fields;
}

async function send() {
  if (isSending || !waiting.length || !root()) return;
  isSending = true;
  const next = waiting[0];
  const isDone = await sent(next);
  waiting.shift();
  isSending = false;
  if (!isDone) { say(sentence("timeout"), true); settle(); }
  send();
}

async function sent(next) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      const answer = await fetch(root().dataset.paint, { method: "POST", body: body(next), headers: { "HX-Request": "true" } });
      if (answer.ok) { reached = Number(answer.headers.get("X-Version") || reached); return true; }
      if (answer.status === 422) { say((await answer.text()).trim(), false); settle(); return true; }
    } catch { /* The line is down for a moment: the same stroke is sent again, and counts once. */ }
    await new Promise((resolve) => { setTimeout(resolve, WAIT); });
  }
  return false;
}

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-painter] [name=tool]")) return;
  try { sessionStorage.setItem(HAND, event.target.value); } catch { /* a private window forgets it, which is all */ }
});

function takeUp() {
  if (isInHand || !painter()) return;
  isInHand = true;
  let value = null;
  try { value = sessionStorage.getItem(HAND); } catch { /* nothing was kept */ }
  const kept = [...painter().elements.namedItem("tool")].find((one) => one.value === value);
  if (kept) kept.checked = true;
}

document.addEventListener("pointerdown", begin);
document.addEventListener("pointermove", move);
document.addEventListener("click", dab);
for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, end);

// What is on its way stays marked, also after the ranch was drawn anew.
export function settle() {
  takeUp();
  document.querySelectorAll(".stroked").forEach((spot) => spot.classList.remove("stroked"));
  for (const each of stroke ? [...waiting, stroke] : waiting) {
    each.cells.forEach((at) => {
      const spot = document.querySelector(`[data-ranch="${each.ranch}"] .spot[data-at="${at}"]`);
      if (spot) spot.classList.add("stroked");
    });
  }
}
