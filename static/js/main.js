// What a page does by itself, one concern a module; without any of it every form still works.
// No eval, nothing inline: the page's policy forbids both. htmx is there before any of this runs.

import "./acting.js";
import * as amounts from "./amounts.js";
import * as ceremony from "./ceremony.js";
import * as forms from "./forms.js";
import * as hasty from "./hasty.js";
import * as keep from "./keep.js";
import "./keyboard.js";
import { changed, onChange } from "./parts.js";
import * as old from "./old.js";
import * as moment from "./moment.js";
import * as places from "./places.js";
import { here, keepAwake } from "./presence.js";
import * as replay from "./replay.js";
import * as secrets from "./secrets.js";
import { connect, onWake, reconnect } from "./stream.js";
import "./terms.js";
import * as turn from "./turn.js";

for (const concern of [amounts, hasty, moment, old, places, secrets, turn]) onChange(concern.settle);
onWake(() => { here(); reconnect(); keepAwake(); });

forms.begin();
changed("");
connect();
ceremony.begin();
keep.begin();
replay.begin();
here();
keepAwake();
const unready = document.getElementById("unready");
if (unready) unready.remove();
document.documentElement.dataset.ready = "";
