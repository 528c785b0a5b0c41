// Ranches under a finger: where a domino goes, which cattle walk where, and painting.
// Each works without this too: the ways are a list of choices, and painting has a form.

import { onChange } from "../js/parts.js";
import * as cells from "./cells.js";
import * as painting from "./painting.js";
import * as places from "../js/places.js";
import * as strip from "./strip.js";
import * as ways from "./ways.js";

for (const concern of [places, strip, ways, painting, cells]) {
  onChange(concern.settle);
  concern.settle();
}
