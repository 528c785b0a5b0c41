"""Parts that are sent in pieces: where only some of a part changed, the page is sent just those.

Each piece is an element with an id, drawn by a template of its own from a value of its own, and
remembered like a part; it can have pieces itself, and be a `<g>` or `<rect>` of a drawing. Whatever
stands around the pieces belongs to the part: where that changed, or there are more pieces, fewer,
or others, the whole part is sent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import chain, zip_longest
from typing import Any, Final, Self
from weakref import ref

from markupsafe import Markup

from referee.games.base import Piece

_HOLE: Final = Markup("\0piece\0")
"""Stands in a part's drawing where a piece goes; no text that people type has such a sign."""
_DRAWN: Final = re.compile(r"\s*<(?:g|rect) ")
"""How a piece begins that is part of a drawing."""
_ID: Final = re.compile(r'\sid="?[\w-]+')


class Pieces(Markup):
    """A drawn part, whole, that knows its pieces and what stands around them."""

    around: tuple[str, ...]
    pieces: tuple[str, ...]
    made_of: tuple[Piece, ...]
    _was: Callable[[], Any] = staticmethod(lambda: None)
    _told: str | None = None

    @classmethod
    def of(
        cls, around: Iterable[str], pieces: Iterable[str], made_of: tuple[Piece, ...] = ()
    ) -> Self:
        """Put pieces between what stands around them; `made_of` is what they were drawn of."""
        around, pieces = tuple(around), tuple(pieces)
        # As text: a Markup would ask of what it is made whether that is escaped.
        whole = str.__new__(cls, "".join(chain(*zip_longest(around, pieces, fillvalue=""))))
        whole.around, whole.pieces, whole.made_of = around, pieces, made_of
        return whole

    def since(self, was: str | None) -> str | None:
        """Give the pieces that changed; None where the page has to be sent the whole part."""
        if not isinstance(was, Pieces):
            return None
        # Nearly all pages that show it showed the very same before; which nobody needs to keep.
        if self._was() is not was:
            self._was, self._told = ref(was), self._since(was)
        return self._told

    def _since(self, was: Pieces) -> str | None:
        if was.around != self.around:
            return None
        pairs = zip(self.pieces, was.pieces, strict=True)
        changed = [(new, old) for new, old in pairs if new != old]
        # A page finds a piece by its id: it can neither move one nor put another in its place.
        if any(_id(new) != _id(old) for new, old in changed):
            return None
        return "".join(_changed(new, old) for new, old in changed)


class Cutter:
    """Draws pieces while the template of their part is drawn: `piece('row', value)` there.

    A piece in which nothing hangs on who looks is `piece('row', value, alike=true)`: it is drawn
    once for everybody, as somebody without a seat sees it.
    """

    def __init__(self, draw: Callable[[Piece], Markup]) -> None:
        self._draw = draw
        self._pieces: list[Markup] = []

    def __call__(self, name: str, value: Any, *, alike: bool = False) -> Markup:
        """Draw a piece, and keep its place."""
        self._pieces.append(self._draw(Piece(name, value, alike)))
        return _HOLE

    def whole(self, drawn: Markup) -> Markup:
        """Give the part with its pieces; as it was drawn where it has none."""
        return Pieces.of(str(drawn).split(_HOLE), self._pieces) if self._pieces else drawn


class Holes:
    """Keeps the places of pieces while what stands around them is drawn: `piece('row')` there."""

    def __init__(self) -> None:
        self._names: list[str] = []

    def __call__(self, name: str) -> Markup:
        """Keep a place."""
        self._names.append(name)
        return _HOLE

    def around(self, drawn: Markup, pieces: Iterable[Piece]) -> tuple[str, ...]:
        """Part what was drawn where pieces go. Raises ValueError where it names others."""
        named = [piece.name for piece in pieces]
        if self._names != named:
            raise ValueError(self._names, named)
        return tuple(str(drawn).split(_HOLE))


def _changed(new: str, old: str) -> str:
    """Give a piece, or of one that has pieces itself those that changed."""
    inner = new.since(old) if isinstance(new, Pieces) else None
    if inner is not None:
        return inner
    # A part of a drawing is read as one only inside of a drawing.
    return f"<svg>{new}</svg>" if _DRAWN.match(new) else new


def _id(piece: str) -> str:
    found = _ID.search(piece)
    return found[0] if found else ""
