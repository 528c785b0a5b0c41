"""When Python looks for garbage that refers to itself: never for long while people play.

Nearly all of ours goes as soon as nobody holds it. What is left are some cells a request, which are
found while they are young. So whatever has outlived one look is not looked at again: with hundreds
of tables that had cost everybody pauses of 13 to 86 ms every few seconds. What became garbage
later is found when nobody has a page open.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

YOUNG: Final = 1_000
"""So many new objects are looked through at once: a millisecond."""
NEVER: Final = 1_000_000_000
TIDY_EVERY_S: Final = 60.0


def calm() -> None:
    """Look at what is new only, from now on."""
    gc.set_threshold(YOUNG, NEVER, NEVER)
    if _pass_over not in gc.callbacks:
        gc.callbacks.append(_pass_over)
    gc.collect()


def _pass_over(phase: str, _info: Mapping[str, Any]) -> None:
    if phase == "stop":
        gc.freeze()


def tidy() -> int:
    """Look through everything once, and give how many objects were garbage."""
    gc.unfreeze()
    return gc.collect()


def keep_tidy(is_quiet: Callable[[], bool]) -> NoReturn:
    """Tidy up for ever, once after each time that people were there."""
    is_tidy = True
    while True:
        time.sleep(TIDY_EVERY_S)
        if not is_quiet():
            is_tidy = False
        elif not is_tidy:
            tidy()
            is_tidy = True
