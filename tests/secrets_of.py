"""What each game hides, as tests see it: states that one viewer cannot tell apart.

Every game registers a function `(state, viewer, rng) -> state`: the same table, with everything
that this viewer may not know made different as far as the rules allow.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, Final

from tests.desperados import hidden as desperados
from tests.winchester import hidden as winchester

SHUFFLE: Final[Mapping[str, Callable[[Any, int | None, random.Random], Any]]] = {
    "winchester": winchester.shuffle,
    "desperados": desperados.shuffle,
}
"""Game key to the function that changes what a viewer may not know."""
