"""Facts: what the rulebook's lists prove of a board, and what its owner taught.

Every fact has a stable name and a value, both text:

- `terrain:7` is `desert`, `prairie` or `forest`; `ranch` is the number of the ranch's plot
- `river:4`, `rails:4` (borders it), `touch:3-7` (share a side, nothing between): `yes` or `no`
- `boat:5-8`, `locomotive:1-2` are `yes`: there is a space that touches just these plots;
  `boat:all`, `locomotive:all` are `yes`: there are no others
- `mine_card:3000`, `ranch_card:5000` are `yes`: there is such a card
"""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from referee.errors import IllegalAction
from referee.games.base import Facts

from .deduction import deduced
from .lands import (
    MOST_AT_A_SPACE,
    PLOTS,
    TERRAIN_COUNTS,
    TERRAINS,
    VEHICLES,
    Board,
    Plot,
    Space,
    Vehicle,
)

YES: Final = "yes"
NO: Final = "no"


def learn(board: Board, facts: Facts) -> Board:
    """Add facts. Raises IllegalAction for one that cannot be, or is known to be otherwise."""
    for fact, value in facts:
        known = value_of(board, fact)
        if known is not None and known != value:
            raise IllegalAction("fact_known", section="board", fact=fact, value=known)
        if known is None:
            if value not in possible_values(board, fact):
                raise _bad(fact, value)
            # After each fact, so that the next one is held against what follows from this.
            board = deduced(write(board, fact, value))
    return board


def possible_values(board: Board, fact: str) -> tuple[str, ...]:
    """Give the values that an unknown fact can still have: the printed counts leave some out."""
    if fact == "ranch":
        return tuple(str(number) for number in sorted(board.lands.maybe_ranch))
    if not fact.startswith("terrain:"):
        return values_of(fact)
    number = int(fact.partition(":")[2])
    return tuple(
        terrain
        for terrain, plots in zip(TERRAINS, board.lands.terrains, strict=True)
        if len(plots) < TERRAIN_COUNTS[terrain]
        and (terrain == "prairie" or not board.plots[number - 1].ranch)
    )


def corrected(board: Board, facts: Facts) -> Board:
    """Set facts to be otherwise than they were thought to be. Raises IllegalAction.

    What had followed from the old ones follows no more. A vehicle's space, or that there are no
    others, can be denied too.
    """
    for fact, value in facts:
        vehicle, _, which = fact.partition(":")
        if value == NO and vehicle in VEHICLES:
            values_of(fact)
            board = _deny_stop(board, "boat" if vehicle == "boat" else "locomotive", which)
        else:
            board = write(board, fact, value)
    return deduced(_from_told(board))


def _from_told(board: Board) -> Board:
    """Begin anew with what is printed, and add what was told of plots."""
    # What was deduced from a wrong fact cannot be told from the rest, so all of it goes.
    told, board = board.told, replace(board, plots=board.printed, told=())
    for fact, value in told:
        board = write(board, fact, value)
    return board


def _deny_stop(board: Board, vehicle: Vehicle, which: str) -> Board:
    if which == "all":
        return replace(board, all_stops=tuple(v for v in board.all_stops if v != vehicle))
    field = "river_spaces" if vehicle == "boat" else "rail_spaces"
    spaces = tuple(space for space in board.spaces(vehicle) if space.name != which)
    return replace(board, **{field: spaces})


# What is known


def value_of(board: Board, fact: str) -> str | None:
    """Give a fact's value, None if unknown. Raises IllegalAction for no fact of this board."""
    kind, _, which = fact.partition(":")
    match kind:
        case "terrain":
            return _plot(board, which, fact).terrain
        case "river" | "rails":
            return _said(getattr(_plot(board, which, fact), kind))
        case "ranch":
            return None if board.lands.ranch is None else str(board.lands.ranch)
        case "touch":
            low, high = _pair(which, fact)
            if (low, high) in board.touching:
                return YES
            return NO if board.all_pairs or (low, high) in board.apart else None
        case "boat" | "locomotive":
            return _stop_value(board, "boat" if kind == "boat" else "locomotive", which, fact)
        case "mine_card" | "ranch_card":
            seen = board.seen_mines if kind == "mine_card" else board.seen_ranches
            return YES if _amount(which, fact) in seen else None
        case _:
            raise _bad(fact)


def _stop_value(board: Board, vehicle: Vehicle, which: str, fact: str) -> str | None:
    is_all = vehicle in board.all_stops
    if which == "all":
        return YES if is_all else None
    touches = _plots_of_space(which, fact)
    if touches in [space.touches for space in board.spaces(vehicle)]:
        return YES
    return NO if is_all or not {*touches} <= board.beside(vehicle) else None


def values_of(fact: str) -> tuple[str, ...]:
    """Give the values that a fact can have. Raises IllegalAction for no fact at all."""
    kind, _, which = fact.partition(":")
    match kind:
        case "terrain":
            _number(which, fact)
            return TERRAINS
        case "river" | "rails":
            _number(which, fact)
            return YES, NO
        case "ranch" if not which:
            return tuple(str(number) for number in range(1, PLOTS + 1))
        case "touch":
            _pair(which, fact)
            return YES, NO
        case "boat" | "locomotive":
            if which != "all":
                _plots_of_space(which, fact)
            return (YES,)
        case "mine_card" | "ranch_card":
            _amount(which, fact)
            return (YES,)
        case _:
            raise _bad(fact)


def _said(known: bool | None) -> str | None:  # noqa: FBT001  # the value itself
    return None if known is None else YES if known else NO


# What is told


def write(board: Board, fact: str, value: str) -> Board:
    """Write one fact down as it is said. Raises IllegalAction for what no board can have."""
    kind, _, which = fact.partition(":")
    if value not in values_of(fact):
        raise _bad(fact, value)
    match kind:
        case "terrain":
            if board.plots[int(which) - 1].mine and value != "desert":
                raise _bad(fact, value)
            board = _tell(board, fact, value)
            return _set_plot(board, int(which), terrain=value)
        case "river" | "rails":
            board = _tell(board, fact, value)
            return _set_plot(board, int(which), **{kind: value == YES})
        case "ranch":
            if not board.plots[int(value) - 1].ranch_land:
                raise _bad(fact, value)
            plots = tuple(
                replace(p, ranch=p.number == int(value) if p.ranch_land else False)
                for p in board.plots
            )
            board = _tell(board, fact, value)
            return _set_plot(replace(board, plots=plots), int(value), terrain="prairie")
        case "touch":
            return _set_pair(board, _pair(which, fact), touches=value == YES)
        case "boat" | "locomotive":
            return _set_stop(board, "boat" if kind == "boat" else "locomotive", which, fact)
        case _:
            return _set_card(board, kind, _amount(which, fact))


def _tell(board: Board, fact: str, value: str) -> Board:
    """Write down that it was told; where the ranch is and its terrain overrule each other."""
    gone = {fact}
    if fact == "ranch":
        gone.add(f"terrain:{value}")
    told = [(name, said) for name, said in board.told if name not in gone]
    if fact.startswith("terrain:") and value != "prairie":
        told = [pair for pair in told if pair != ("ranch", fact.partition(":")[2])]
    return replace(board, told=(*told, (fact, value)))


def _set_plot(board: Board, number: int, **said: Any) -> Board:
    plots = list(board.plots)
    plots[number - 1] = replace(plots[number - 1], **said)
    return replace(board, plots=tuple(plots))


def _set_pair(board: Board, pair: tuple[int, int], *, touches: bool) -> Board:
    touching = {*board.touching} - {pair} | ({pair} if touches else set())
    apart = {*board.apart} - {pair} | (set() if touches else {pair})
    return replace(board, touching=tuple(sorted(touching)), apart=tuple(sorted(apart)))


def _set_stop(board: Board, vehicle: Vehicle, which: str, fact: str) -> Board:
    if which == "all":
        return replace(board, all_stops=(*board.all_stops, vehicle))
    space = Space(which, _plots_of_space(which, fact))
    field = "river_spaces" if vehicle == "boat" else "rail_spaces"
    spaces = tuple(sorted({*board.spaces(vehicle), space}, key=lambda s: s.touches))
    board = replace(board, **{field: spaces})
    side = "river" if vehicle == "boat" else "rails"
    for number in space.touches:
        if getattr(board.plots[number - 1], side) is None:
            board = write(board, f"{side}:{number}", YES)
    return board


def _set_card(board: Board, kind: str, amount: int) -> Board:
    if kind == "mine_card":
        return replace(board, seen_mines=tuple(sorted({*board.seen_mines, amount})))
    return replace(board, seen_ranches=tuple(sorted({*board.seen_ranches, amount})))


# Names


def pair_fact(one: int, other: int) -> str:
    """Name the fact whether two plots touch."""
    return f"touch:{min(one, other)}-{max(one, other)}"


def _number(text: str, fact: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 2 and 1 <= int(text) <= PLOTS):  # noqa: PLR2004  # two digits
        raise _bad(fact)
    if text != str(int(text)):
        raise _bad(fact)
    return int(text)


def _plot(board: Board, text: str, fact: str) -> Plot:
    return board.plots[_number(text, fact) - 1]


def _pair(text: str, fact: str) -> tuple[int, int]:
    low, _, high = text.partition("-")
    pair = _number(low, fact), _number(high, fact)
    if pair[0] >= pair[1]:
        raise _bad(fact)
    return pair


def _plots_of_space(text: str, fact: str) -> tuple[int, ...]:
    touches = () if text == "none" else tuple(_number(n, fact) for n in text.split("-"))
    if list(touches) != sorted({*touches}) or len(touches) > MOST_AT_A_SPACE:
        raise _bad(fact)
    return touches


def _amount(text: str, fact: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 5) or int(text) % 1000:  # noqa: PLR2004  # a card pays a few notes
        raise _bad(fact)
    return int(text)


def _bad(fact: str, value: str = "") -> IllegalAction:
    return IllegalAction("bad_fact", section="board", fact=fact[:40], value=value[:40])
