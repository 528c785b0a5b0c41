"""Faults of ours that are met while pages are drawn: each logged once, and its part's alone."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from referee.entries import SeatId
from referee.tables import Table

from .frame import Frame
from .pieces import Part
from .render import Renderer

log = logging.getLogger("referee")

MOST: Final = 1000
"""Faults that are known by where they were met; after so many each is logged once more."""
ALL_OF_IT: Final = "whole page"


class Faults:
    """Knows which faults were logged: a page meets the same one at every change."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._met: set[tuple[object, ...]] = set()

    def parts(self, table: Table, frame: Frame, /, **draw: Callable[[], Part]) -> dict[str, Part]:
        """Draw parts of a page by their names."""
        drawn: dict[str, Part] = {}
        for name, each in draw.items():
            try:
                drawn[name] = each()
            except Exception as fault:  # noqa: BLE001  # whatever it is, the other parts have none
                drawn[name] = self.said(table, frame, name, fault)
        return drawn

    def said(self, table: Table, frame: Frame, name: str, fault: Exception) -> Part:
        """Note a fault, and give what stands in the place of the part that has it."""
        self.note(table, None if frame.me is None else frame.me.seat, name, fault)
        return self._renderer.render("table/_fault.html", frame.lang, {"s": frame})

    def note(self, table: Table, viewer: SeatId | None, part: str, fault: Exception) -> None:
        """Log at which table, on whose page and in which part of it a fault was met, once."""
        at = fault.__traceback__
        while at is not None and at.tb_next is not None:
            at = at.tb_next
        place = None if at is None else (at.tb_frame.f_code.co_filename, at.tb_lineno)
        key = (table.code, viewer, part, type(fault), place)
        if key in self._met:
            return
        if len(self._met) >= MOST:
            self._met.clear()
        self._met.add(key)
        log.error(
            "table %s, entry %d, page of %s, %s: %s",
            table.code,
            table.ledger.length,
            "the display" if viewer is None else f"seat {viewer}",
            part,
            type(fault).__name__,
            exc_info=fault,
        )
