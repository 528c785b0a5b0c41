// What a page does by itself, one concern a module; without any of it every form still works.
// No eval, nothing inline: the page's policy forbids both. htmx is there before any of this runs.

import "./acting.js";
import * as amounts from "./amounts.js";
import * as forms from "./forms.js";
import { changed, onChange } from "./parts.js";
import * as secrets from "./secrets.js";
import "./sent.js";
import { connect, onWake, reconnect } from "./stream.js";

// What only some pages do comes last; such a concern settles, begins, or both.
export function begin(...further) {
  for (const concern of [amounts, secrets, ...further]) if (concern.settle) onChange(concern.settle);
  onWake(reconnect);

  forms.begin();
  changed("");
  connect();
  for (const concern of further) if (concern.begin) concern.begin();
  const unready = document.getElementById("unready");
  if (unready) unready.remove();
  document.documentElement.dataset.ready = "";
  if (document.readyState === "complete") goOn();
  else addEventListener("load", () => goOn());
}

// What is not needed at the first tap takes no time from what is. A browser may remember that an
// address failed, so each try has its own.
function goOn(tries = 0) {
  import("./late.js" + (tries ? `?${tries}` : "")).catch(() => setTimeout(goOn, 1000 * 2 ** tries, tries + 1));
}
