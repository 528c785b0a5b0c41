// Ranches under a finger: where a domino goes, which cattle walk where, and painting.
// Each works without this too: the ways are a list of choices, and painting has a form.

import * as pairs from "./ways.js";
import * as painting from "./painting.js";
import { onChange } from "../js/parts.js";

onChange(pairs.settle);
onChange(painting.settle);
pairs.settle();
painting.settle();
