// The table's screen, and pages that are nobody's phone.

import { begin } from "./begin.js";
import * as ceremony from "./ceremony.js";
import * as keep from "./keep.js";
import * as moment from "./moment.js";
import * as replay from "./replay.js";

begin(moment, ceremony, keep, replay);
