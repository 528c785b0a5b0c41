// Cities are touched on the map. Each choice works without it too.

import { onChange } from "../js/parts.js";
import * as places from "../js/places.js";

onChange(places.settle);
places.settle();
