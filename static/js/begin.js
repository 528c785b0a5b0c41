// What a page does by itself, one concern a module; without any of it every form still works.
// No eval, nothing inline: the page's policy forbids both. htmx is there before any of this runs.

import "./acting.js";
import * as amounts from "./amounts.js";
import * as forms from "./forms.js";
import * as hasty from "./hasty.js";
import "./keyboard.js";
import { changed, onChange } from "./parts.js";
import * as old from "./old.js";
import * as places from "./places.js";
import { here, keepAwake } from "./presence.js";
import * as secrets from "./secrets.js";
import { connect, onWake, reconnect } from "./stream.js";
import "./terms.js";
import * as turn from "./turn.js";

// What only some pages do comes last; such a concern settles, begins, or both.
export function begin(...further) {
  for (const concern of [amounts, hasty, old, places, secrets, turn, ...further]) if (concern.settle) onChange(concern.settle);
  onWake(() => { here(); reconnect(); keepAwake(); });

  forms.begin();
  changed("");
  connect();
  for (const concern of further) if (concern.begin) concern.begin();
  here();
  keepAwake();
  const unready = document.getElementById("unready");
  if (unready) unready.remove();
  document.documentElement.dataset.ready = "";
}
