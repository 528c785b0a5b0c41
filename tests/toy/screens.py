"""What the parts of pages show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct

from referee.games.base import Mood, ScoreLine

STAGE: Final = "rows"
ON_DISPLAY: Final = ("question", "notice", "players", "log")
ON_PHONE: Final = ("head", "notice", "ask")
VEIL_S: Final = 0
PAGES: Final[tuple[str, ...]] = ()
RECORDED: Final = ""
HINTS: Final = {"take_pebbles": ("take",)}
TERMS: Final[Mapping[str, tuple[str, ...]]] = {"pebble": ("take_pebbles",), "row": ()}
SIGNS: Final[Mapping[str, str]] = {}


def moments(_events: tuple[Any, ...]) -> tuple[Any, ...]:
    """Give what people look up for: nothing, they see the pebbles."""
    return ()


class Rows(Struct, frozen=True):
    """The pebbles as they lie."""

    rows: tuple[int, ...]


class Turn(Struct, frozen=True):
    """Whose turn it is."""

    seat: int | None


class Player(Struct, frozen=True):
    """One row of the players' list."""

    seat: int
    taken: int
    is_awaited: bool


class Players(Struct, frozen=True):
    """The players' list."""

    rows: tuple[Player, ...]


class Head(Struct, frozen=True):
    """A phone's top line."""

    mood: Mood


class TakePebbles(Struct, frozen=True, tag="take_pebbles"):
    """How many may be taken of each row: a small table, not a list of actions."""

    fresh: int
    most: tuple[int, ...]


class Idle(Struct, frozen=True, tag="idle"):
    """Somebody else takes."""

    seat: int | None


Question: TypeAlias = TakePebbles | Idle


def display_parts(public: Any) -> dict[str, Any]:
    """Show the rows, whose turn it is, and the players."""
    return {
        "rows": Rows(public.rows),
        "question": Turn(_turn(public)),
        "players": Players(
            tuple(
                Player(seat, taken, seat in public.waiting_for)
                for seat, taken in enumerate(public.taken)
            )
        ),
    }


def _turn(public: Any) -> int | None:
    return next(iter(public.waiting_for), None)


def common_parts(public: Any) -> dict[str, Any]:  # nothing is alike
    """Show nothing that is alike."""
    return {}


def seat_parts(
    public: Any, own: Any, legal: tuple[Any, ...], seat: int, *, fresh: int
) -> dict[str, Any]:
    """Ask whoever's turn it is."""
    del own
    asked: Question = TakePebbles(fresh, public.rows) if legal else Idle(_turn(public))
    return {"head": Head(mood(public, legal, seat)), "ask": (asked,)}


def desk_part(public: Any, *, fresh: int) -> tuple[Any, ...]:
    """Ask nothing on the display."""
    return ()


def mood(public: Any, legal: tuple[Any, ...], seat: int) -> Mood:
    """Say whether it is this seat's turn."""
    return "asked" if seat in public.waiting_for else "waiting"


def page(name: str, own: Any, legal: tuple[Any, ...], *, fresh: int) -> None:
    """Give nothing: there are none."""


def closing(public: Any) -> None:
    """Tell nothing more."""


def steps(public: Any) -> int:
    """Tell the end at once."""
    return 0


def chapter(_events: tuple[Any, ...]) -> None:
    """Tell one short story, without chapters."""


def fortunes(public: Any) -> tuple[tuple[int, ...], ...]:
    """Keep none."""
    return ()


def kind_of(line: ScoreLine) -> str:
    """Draw every line alike."""
    return line.name
