// A phone: it shows no scenes, and counts nothing up.

import { begin } from "./begin.js";

begin();
