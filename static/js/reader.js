// A page that is read beside the game: what its beat is answered shows whether the table waits.

import { feel } from "./felt.js";
import { leave } from "./focus.js";

let asked = 0;

function written(html) {
  const writer = document.createElement("template");
  writer.innerHTML = html;
  return writer.innerHTML.trim();
}

// What is the same is left as it is: it was read aloud, and may have the focus.
function show(region, html) {
  if (html === region.innerHTML.trim()) return;
  const isNew = !region.firstElementChild;
  if (!html) leave(region, document.querySelector("main"));
  region.innerHTML = html;
  if (isNew) feel();
}

// Call this for a beat, with its answer to come. An older one that comes late says nothing any more.
export function hear(answer) {
  asked += 1;
  const mine = asked;
  answer.then(async (response) => {
    const isGone = response.status === 403;
    const html = response.ok ? written(await response.text()) : "";
    // A replay draws itself anew at each step.
    const region = document.getElementById("wanted");
    if (!region || mine !== asked) return;
    // A seat that moved to another phone is read for there.
    if (isGone) delete document.body.dataset.here;
    if (isGone || response.ok) show(region, html);
  }).catch(() => undefined);
}
