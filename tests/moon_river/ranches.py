"""Ranches as text: rows from the far end down to the river.

A cell is a landscape's letter (D desert, M corn, H buildings, C canyon, P prairie, F forest), then
`g` for gold, `b` for a beaver, a digit for corn, `o` for each of the cattle, and `@` with a
partner's letter (c cowboy, d desperado, r rustler, g gold digger, t trapper, f farmer). `-` is
empty.
"""

from __future__ import annotations

from referee.games.moon_river.model import Cell, Cells, Landscape, Partner, Tile

LANDSCAPE: dict[str, Landscape] = {
    "D": "desert",
    "M": "corn",
    "H": "buildings",
    "C": "canyon",
    "P": "prairie",
    "F": "forest",
}
PARTNER: dict[str, Partner] = {
    "c": "cowboy",
    "d": "desperado",
    "r": "rustler",
    "g": "gold_digger",
    "t": "trapper",
    "f": "farmer",
}


def ranch(*rows: str) -> Cells:
    """Read a ranch, whose last row lies on the river."""
    return tuple(cell(text) for row in reversed(rows) for text in row.split())


def cell(text: str) -> Cell | None:
    """Read one cell."""
    if text == "-":
        return None
    shown, _, partner = text.partition("@")
    corn = "".join(letter for letter in shown if letter.isdigit())
    tile = Tile(
        0,
        LANDSCAPE[shown[0]],
        gold=shown.count("g"),
        beaver=shown.count("b"),
        corn=int(corn or 0),
        circle=bool(partner),
    )
    return Cell(tile, shown.count("o"), PARTNER[partner] if partner else None)


CLARA = ranch(
    "D    Dg   Do   D    D",
    "C    Cgo  C    Cgo  Co",
    "C    C    Po   Pgo  P",
    "Ho   Ho   Ho   Ho   Fb",
    "M5   M5@f M4   M4   -",
)
"""The rulebook's example of the count."""
