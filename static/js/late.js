// What a page does beside its first taps. It comes once the page stands, so nobody waits for it then,
// and it is there when the line is not.

import "./fields.js";
import { arrive, keepPlace } from "./focus.js";
import * as hasty from "./hasty.js";
import { keep } from "./kept.js";
import "./keyboard.js";
import * as looking from "./looking.js";
import { onChange, onDraw } from "./parts.js";
import { here, keepAwake } from "./presence.js";
import * as old from "./old.js";
import { lookBy, onWake, reconnect } from "./stream.js";
import "./terms.js";
import * as turn from "./turn.js";
import * as typed from "./typed.js";
import "./veil.js";
import { keepLength } from "./whole.js";

lookBy(looking);
onDraw(keepLength);
onDraw(keepPlace);
onDraw(keep);
typed.begin();
onChange(typed.settle);
for (const concern of [hasty, old, turn]) {
  onChange(concern.settle);
  concern.settle("");
}
onWake(() => { here(); keepAwake(); });
// Parts that waited for this are sent anew.
if (document.querySelector("[data-sent]")) reconnect();
here();
keepAwake();
arrive();
document.documentElement.dataset.ready = "whole";
