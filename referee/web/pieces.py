"""Parts that are sent in pieces: where only some of a part changed, the page is sent just those.

Each piece is an element with an id, drawn by a template of its own from a value of its own, and
remembered like a part; it can have pieces itself, and be a `<g>` or `<rect>` of a drawing. Whatever
stands around the pieces belongs to the part: where that changed, or there are more pieces, fewer,
or others, the whole part is sent; where one without an id changed, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import chain, zip_longest
from typing import Any, Final, TypeAlias, final
from weakref import ref

from markupsafe import Markup

from referee.games.base import Piece

from .compiling import safe

_HOLE: Final = Markup("\0piece\0")
"""Stands in a part's drawing where a piece goes; no text that people type has such a sign."""
_DRAWN: Final = re.compile(r"\s*<(?:g|rect) ")
"""How a piece begins that is part of a drawing."""
_ID: Final = re.compile(r'\sid="?[\w-]+')


@final
class Pieces:
    """A drawn part that knows its pieces and what stands around them.

    It is put together only for whoever is sent all of it: most pages are sent what changed, and of
    pieces in pieces each would hold the same text once more.
    """

    __slots__ = ("__weakref__", "_told", "_was", "around", "made_of", "pieces")

    def __init__(
        self, around: Iterable[str], pieces: Iterable[Part], made_of: tuple[Piece, ...] = ()
    ) -> None:
        """Stand pieces between what is around them; `made_of` is what they were drawn of."""
        self.around = tuple(around)
        self.pieces = tuple(pieces)
        self.made_of = made_of
        self._was: ref[Pieces] | None = None
        self._told: str | None = None

    def __str__(self) -> str:
        """Give the whole part."""
        texts = zip_longest(self.around, map(whole, self.pieces), fillvalue="")
        return "".join(chain.from_iterable(texts))

    def __html__(self) -> Markup:
        """Give the whole part to a template."""
        return safe(str(self))  # each was drawn by a template

    def __eq__(self, other: object) -> bool:
        """Say whether it reads the same."""
        if isinstance(other, Pieces) and self.around == other.around:
            return self.pieces == other.pieces
        return isinstance(other, Pieces | str) and str(self) == str(other)

    __hash__ = None  # type: ignore[assignment]  # nobody looks one up by all that it says

    def since(self, was: object) -> str | None:
        """Give the pieces that changed; None where the page has to be sent the whole part."""
        if not isinstance(was, Pieces):
            return None
        # Nearly all pages that show it showed the very same before; which nobody needs to keep.
        if self._was is None or self._was() is not was:
            self._was, self._told = ref(was), self._since(was)
        return self._told

    def _since(self, was: Pieces) -> str | None:
        if was.around != self.around:
            return None
        told = []
        for new, old in zip(self.pieces, was.pieces, strict=True):
            if new is old or new == old:
                continue
            # A page finds a piece by its id: it can neither move one nor put another in its place.
            if not _has_same_id(new, old):
                return None
            told.append(_changed(new, old))
        return "".join(told)


Part: TypeAlias = Markup | Pieces
"""What a part is drawn as."""


def whole(part: Part) -> str:
    """Give all of a part; what is text stays as it is."""
    return str(part) if type(part) is Pieces else part


class Cutter:
    """Draws pieces while the template of their part is drawn: `piece('row', value)` there.

    A piece in which nothing hangs on who looks is `piece('row', value, alike=true)`: it is drawn
    once for everybody, as somebody without a seat sees it.
    """

    def __init__(self, draw: Callable[[Piece], Part]) -> None:
        self._draw = draw
        self._pieces: list[Part] = []

    def __call__(self, name: str, value: Any, *, alike: bool = False) -> Markup:
        """Draw a piece, and keep its place."""
        self._pieces.append(self._draw(Piece(name, value, alike)))
        return _HOLE

    def whole(self, drawn: Markup) -> Part:
        """Give the part with its pieces; as it was drawn where it has none."""
        return Pieces(str(drawn).split(_HOLE), self._pieces) if self._pieces else drawn


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


def _changed(new: Part, old: Part) -> str:
    """Give a piece, or of one that has pieces itself those that changed."""
    inner = new.since(old) if type(new) is Pieces else None
    if inner is not None:
        return inner
    # A part of a drawing is read as one only inside of a drawing.
    all_of_it = whole(new)
    return f"<svg>{all_of_it}</svg>" if _DRAWN.match(all_of_it) else all_of_it


def _has_same_id(new: Part, old: Part) -> bool:
    """Say whether a page finds one piece where it shows the other."""
    # Most begin with the very same tag, which is quicker to see than what is in it.
    tag, _, _ = str.partition(_begin(new), ">")
    return (" id=" in tag and _begin(old).startswith(f"{tag}>")) or "" != _id(new) == _id(old)


def _begin(piece: Part) -> str:
    return piece.around[0] if type(piece) is Pieces else piece


def _id(piece: Part) -> str:
    found = _ID.search(_begin(piece)) or _ID.search(whole(piece))
    return found[0] if found else ""
