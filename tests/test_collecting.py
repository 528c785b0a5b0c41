"""Garbage is looked for without a pause that anybody would notice, and none stays for good."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from referee import collecting
from referee.collecting import TIDY_EVERY_S, YOUNG, calm, keep_tidy, tidy


class Ring:
    """Refers to itself, so it goes only when somebody looks for it."""

    def __init__(self) -> None:
        self.me: Ring | None = self


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Leave the collector as it was found."""
    thresholds, callbacks, was_on = gc.get_threshold(), [*gc.callbacks], gc.isenabled()
    was_frozen = gc.get_freeze_count() > 0
    gc.enable()
    yield
    gc.callbacks[:] = callbacks
    gc.set_threshold(*thresholds)
    gc.unfreeze()
    if was_frozen:
        gc.freeze()
    if not was_on:
        gc.disable()


def test_what_stays_is_looked_through_once() -> None:
    """However much a game night makes, a look goes through no more than what is new."""
    calm()
    looked: list[int] = []

    def note(phase: str, _info: Mapping[str, Any]) -> None:
        if phase == "start":
            looked.append(sum(len(gc.get_objects(age)) for age in range(3)))

    gc.callbacks.append(note)
    kept = [[number] for number in range(50 * YOUNG)]
    gc.callbacks.remove(note)

    assert len(kept) == 50 * YOUNG
    assert len(looked) > 10
    assert max(looked) < 3 * YOUNG


def test_young_garbage_goes_meanwhile() -> None:
    """What refers to itself and is left behind at once is found while people play."""
    calm()
    left = weakref.ref(Ring())
    kept = [[number] for number in range(3 * YOUNG)]

    assert kept
    assert left() is None


def test_old_garbage_goes_when_everybody_has_left() -> None:
    """What became garbage after it was passed over is found when all is looked through."""
    calm()
    ring = Ring()
    gc.collect()
    left = weakref.ref(ring)
    del ring
    gc.collect()
    assert left() is not None

    assert tidy() > 0
    assert left() is None


def test_it_is_tidied_once_after_people_were_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not while a page is open, nor again and again in an empty house."""
    people, tidied = iter((False, False, True, True, False, True)), []
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) > 6:
            raise KeyboardInterrupt

    monkeypatch.setattr(collecting.time, "sleep", sleep)
    monkeypatch.setattr(collecting, "tidy", lambda: tidied.append(len(slept)))

    with pytest.raises(KeyboardInterrupt):
        keep_tidy(lambda: next(people))

    assert tidied == [3, 6]
    assert {*slept} == {TIDY_EVERY_S}
