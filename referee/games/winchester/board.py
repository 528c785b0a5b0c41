"""The board: what is printed on it, as far as anybody knows.

A board is known in part: what the rulebook's lists prove, and what its owner taught. Every fact has
a stable name and a value, both text:

- `terrain:7` is `desert`, `prairie` or `forest`; `ranch` is the number of the ranch's plot
- `river:4`, `rails:4` (borders it), `touch:3-7` (share a side, nothing between): `yes` or `no`
- `boat:5-8`, `locomotive:1-2` are `yes`: there is a space that touches just these plots;
  `boat:all`, `locomotive:all` are `yes`: there are no others
- `mine_card:3000`, `ranch_card:5000` are `yes`: there is such a card
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, convert
from msgspec.structs import replace

from referee.errors import IllegalAction
from referee.games.base import Facts, Known

NAMES: Final = ("huch", "blue-orange")
"""The editions whose board an owner can teach."""
PLOTS: Final = 19
PAIRS: Final = PLOTS * (PLOTS - 1) // 2
TERRAIN_COUNTS: Final = {"desert": 7, "prairie": 6, "forest": 6}
MOST_AT_A_SPACE: Final = 4
"""No space of the river or the rails has more sides than this with plots."""

Terrain: TypeAlias = Literal["desert", "prairie", "forest"]
Vehicle: TypeAlias = Literal["boat", "locomotive"]
TERRAINS: Final[tuple[Terrain, ...]] = ("desert", "prairie", "forest")
VEHICLES: Final[tuple[Vehicle, ...]] = ("boat", "locomotive")
YES: Final = "yes"
NO: Final = "no"


class Plot(Struct, frozen=True):
    """What is printed on and around one plot of the board; None is not known yet."""

    number: int
    terrain: Terrain | None = None
    river: bool | None = None
    rails: bool | None = None
    saloon: bool = False
    mine: bool = False
    ranch: bool | None = None
    ranch_land: bool = False


class Space(Struct, frozen=True):
    """A river or rail space, and the numbers of the plots with a side on it."""

    name: str
    touches: tuple[int, ...]


class TokenCounts(Struct, frozen=True):
    """How many bonus tokens of each kind are in the box."""

    movement: int
    saloon: int
    rumor: int


class Lands(Struct, frozen=True):
    """The board's plots sorted by what the objectives ask.

    `near` is by plot: what touches it. Sets that begin with `maybe` hold what is not known:
    `maybe_terrain` the plots whose terrain, `maybe_near` by plot what may touch it.
    """

    terrains: tuple[frozenset[int], ...] = ()
    river: frozenset[int] = frozenset()
    rails: frozenset[int] = frozenset()
    near: tuple[frozenset[int], ...] = ()
    maybe_terrain: frozenset[int] = frozenset()
    maybe_river: frozenset[int] = frozenset()
    maybe_rails: frozenset[int] = frozenset()
    maybe_near: tuple[frozenset[int], ...] = ()
    maybe_ranch: frozenset[int] = frozenset()
    ranch: int | None = None
    is_known: bool = True


class Doubt(Struct, frozen=True):
    """A fact that contradictory lists leave open, and our own reading of it.

    `on`: the list of what lies on the river (or rails) names the plot; `off`: so does the other.
    """

    fact: str
    proposed: str
    on: bool
    off: bool


class Board(Struct, frozen=True):
    """A board as far as it is known.

    `touching` and `apart` hold pairs (low, high) that do, and do not, share a side with nothing
    between; `all_pairs` says that every pair not named is apart. `all_stops` names the vehicles
    all of whose spaces are known. `tokens`, `mine_cards` and `ranch_cards` are what the app deals:
    made up, for no rulebook tells them; `seen_mines` and `seen_ranches` came out of the box.
    `doubts` are what an edition's lists contradict each other on. `printed` are the plots as the
    profile has them and `told` what was told of them: `plots` and `lands` follow from the rest.
    """

    key: str
    practice: bool
    plots: tuple[Plot, ...]
    tokens: TokenCounts
    mine_cards: tuple[int, ...]
    ranch_cards: tuple[int, ...]
    touching: tuple[tuple[int, int], ...] = ()
    apart: tuple[tuple[int, int], ...] = ()
    all_pairs: bool = False
    river_spaces: tuple[Space, ...] = ()
    rail_spaces: tuple[Space, ...] = ()
    all_stops: tuple[Vehicle, ...] = ()
    seen_mines: tuple[int, ...] = ()
    seen_ranches: tuple[int, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    printed: tuple[Plot, ...] = ()
    told: Facts = ()
    lands: Lands = Lands()

    def spaces(self, vehicle: Vehicle) -> tuple[Space, ...]:
        """Give the known spaces that this vehicle can stand on."""
        return self.river_spaces if vehicle == "boat" else self.rail_spaces

    def beside(self, vehicle: Vehicle) -> frozenset[int]:
        """Give the plots that a space of this vehicle may touch."""
        lands = self.lands
        if vehicle == "boat":
            return lands.river | lands.maybe_river
        return lands.rails | lands.maybe_rails

    def kind_of_card(self, plot: int) -> Literal["mine", "ranch"] | None:
        """Say which card lies on a plot at the start; a plot that may be the ranch has none."""
        if self.plots[plot - 1].mine:
            return "mine"
        return "ranch" if self.lands.ranch == plot else None


# Reading a profile


class Printed(Struct, frozen=True):
    """A list that the rulebook prints: these plots have the fact; `others` have it not."""

    fact: Literal["river", "rails", "saloon", "mine", "ranch_land", "desert", "prairie", "ranch"]
    plots: tuple[int, ...]
    source: str
    others: bool = True


class Profile(Struct, frozen=True):
    """A board profile as it is written down: whole plots, or printed lists with their sources."""

    key: str
    practice: bool
    tokens: TokenCounts
    mine_cards: tuple[int, ...]
    ranch_cards: tuple[int, ...]
    plots: tuple[Plot, ...] = ()
    touching: tuple[tuple[int, int], ...] = ()
    river_spaces: tuple[Space, ...] = ()
    rail_spaces: tuple[Space, ...] = ()
    printed: tuple[Printed, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    facts: dict[str, str] = {}


def read_board(profile: Mapping[str, Any]) -> Board:
    """Read a board profile; `facts` in it are what its owner taught.

    Raises msgspec.ValidationError for a profile of another shape.
    """
    given = convert(profile, Profile)
    is_whole = bool(given.plots)
    board = Board(
        key=given.key,
        practice=given.practice,
        plots=given.plots or _printed_plots(given),
        printed=given.plots or _printed_plots(given),
        tokens=given.tokens,
        mine_cards=given.mine_cards,
        ranch_cards=given.ranch_cards,
        touching=given.touching,
        all_pairs=is_whole,
        river_spaces=given.river_spaces,
        rail_spaces=given.rail_spaces,
        all_stops=VEHICLES if is_whole else (),
        doubts=given.doubts,
    )
    for fact, value in given.facts.items():
        board = _set(board, fact, value)
    return deduced(board)


def _printed_plots(given: Profile) -> tuple[Plot, ...]:
    plots = [Plot(number) for number in range(1, PLOTS + 1)]
    for printed in given.printed:
        for index, plot in enumerate(plots):
            if plot.number in printed.plots:
                plots[index] = replace(plot, **_meaning(printed.fact, holds=True))
            elif printed.others:
                plots[index] = replace(plot, **_meaning(printed.fact, holds=False))
    doubtful = {doubt.fact for doubt in given.doubts}
    return tuple(
        replace(
            plot,
            river=None if f"river:{plot.number}" in doubtful else plot.river,
            rails=None if f"rails:{plot.number}" in doubtful else plot.rails,
        )
        for plot in plots
    )


def _meaning(fact: str, *, holds: bool) -> dict[str, Any]:
    """Say what a printed list fixes: a mine is a desert, the ranch a prairie in its own lands."""
    if not holds:
        return {} if fact in TERRAINS else {fact: False}
    if fact in TERRAINS:
        return {"terrain": fact}
    return {"mine": True, "terrain": "desert"} if fact == "mine" else {fact: True}


# Learning


def learn(board: Board, facts: Facts) -> Board:
    """Add facts. Raises IllegalAction for one that cannot be, or is known to be otherwise."""
    for fact, value in facts:
        known = value_of(board, fact)
        if known is not None and known != value:
            raise IllegalAction("fact_known", section="board", fact=fact, value=known)
        if known is None:
            if value not in possible_values(board, fact):
                raise _bad(fact, value)
            board = deduced(_set(board, fact, value))
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
            board = _set(board, fact, value)
    return deduced(_from_told(board))


def _from_told(board: Board) -> Board:
    """Begin anew with what is printed, and add what was told of plots."""
    told, board = board.told, replace(board, plots=board.printed, told=())
    for fact, value in told:
        board = _set(board, fact, value)
    return board


def _deny_stop(board: Board, vehicle: Vehicle, which: str) -> Board:
    if which == "all":
        return replace(board, all_stops=tuple(v for v in board.all_stops if v != vehicle))
    field = "river_spaces" if vehicle == "boat" else "rail_spaces"
    spaces = tuple(space for space in board.spaces(vehicle) if space.name != which)
    return replace(board, **{field: spaces})


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


def _set(board: Board, fact: str, value: str) -> Board:
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
            board = _set(board, f"{side}:{number}", YES)
    return board


def _set_card(board: Board, kind: str, amount: int) -> Board:
    if kind == "mine_card":
        return replace(board, seen_mines=tuple(sorted({*board.seen_mines, amount})))
    return replace(board, seen_ranches=tuple(sorted({*board.seen_ranches, amount})))


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


def pair_fact(one: int, other: int) -> str:
    """Name the fact whether two plots touch."""
    return f"touch:{min(one, other)}-{max(one, other)}"


def space_name(touches: Iterable[int]) -> str:
    """Name a space by the plots it touches; "none" touches no plot."""
    return "-".join(map(str, sorted(touches))) or "none"


@lru_cache(maxsize=64)
def possible_spaces(plots: frozenset[int]) -> tuple[Space, ...]:
    """Name every space there can be along these plots."""
    ordered = sorted(plots)
    return tuple(
        Space(space_name(touches), touches)
        for count in range(MOST_AT_A_SPACE + 1)
        for touches in combinations(ordered, count)
    )


def _bad(fact: str, value: str = "") -> IllegalAction:
    return IllegalAction("bad_fact", section="board", fact=fact[:40], value=value[:40])


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


def _said(known: bool | None) -> str | None:  # noqa: FBT001  # the value itself
    return None if known is None else YES if known else NO


# What follows from what is known


def deduced(board: Board) -> Board:
    """Add what the printed counts and the ranch's prairie leave no doubt about; sort the plots."""
    while True:
        plots = _ranch_follows(_terrain_follows(board.plots))
        if plots == board.plots:
            return replace(board, lands=_sort(board))
        board = replace(board, plots=plots)


def _terrain_follows(plots: tuple[Plot, ...]) -> tuple[Plot, ...]:
    """Fill in terrains: of 7 deserts, 6 prairies, 6 forests the last ones follow."""
    known = [plot.terrain for plot in plots]
    left = [t for t in TERRAINS if known.count(t) < TERRAIN_COUNTS[t]]
    if len(left) != 1:
        return plots
    return tuple(replace(p, terrain=left[0]) if p.terrain is None else p for p in plots)


def _ranch_follows(plots: tuple[Plot, ...]) -> tuple[Plot, ...]:
    """Settle the ranch: a prairie of its own lands, and only one."""
    may_be = [p for p in plots if p.ranch_land and p.terrain in {None, "prairie"} and not p.mine]
    found = next((p.number for p in plots if p.ranch), None)
    if found is None and len([p for p in may_be if p.ranch is None]) == 1:
        found = next(p.number for p in may_be if p.ranch is None)
    numbers = {p.number for p in may_be}
    return tuple(
        replace(
            p,
            ranch=p.number == found
            if found is not None
            else p.ranch
            if p.number in numbers
            else False,
            terrain="prairie" if p.number == found else p.terrain,
        )
        for p in plots
    )


def _having(board: Board, holds: Callable[[Plot], bool]) -> frozenset[int]:
    return frozenset([plot.number for plot in board.plots if holds(plot)])


def _sort(board: Board) -> Lands:
    near: list[set[int]] = [set() for _ in board.plots]
    for low, high in board.touching:
        near[low - 1].add(high)
        near[high - 1].add(low)
    lands = Lands(
        terrains=tuple(_having(board, lambda p, t=t: p.terrain == t) for t in TERRAINS),  # type: ignore[misc]  # the default binds the loop's value
        river=_having(board, lambda p: p.river is True),
        rails=_having(board, lambda p: p.rails is True),
        near=tuple(map(frozenset, near)),
        maybe_terrain=_having(board, lambda p: p.terrain is None),
        maybe_river=_having(board, lambda p: p.river is None),
        maybe_rails=_having(board, lambda p: p.rails is None),
        maybe_near=_maybe_near(board),
        maybe_ranch=_having(board, lambda p: p.ranch is None),
        ranch=next((p.number for p in board.plots if p.ranch), None),
    )
    maybes = (lands.maybe_terrain, lands.maybe_river, lands.maybe_rails, *lands.maybe_near)
    return replace(lands, is_known=not any(maybes) and lands.ranch is not None)


def _maybe_near(board: Board) -> tuple[frozenset[int], ...]:
    if board.all_pairs:
        return (frozenset(),) * PLOTS
    settled = {*board.touching, *board.apart}
    return tuple(
        frozenset(
            other
            for other in range(1, PLOTS + 1)
            if other != plot and (min(plot, other), max(plot, other)) not in settled
        )
        for plot in range(1, PLOTS + 1)
    )


# How much is known


def board_of(state: Any) -> Board:
    """Give the board of a running game."""
    board: Board = state.board
    return board


def places(board: Board) -> tuple[str, ...]:
    """Name what can be taught one at a time: the plots by number."""
    return tuple(str(plot.number) for plot in board.plots)


def place(board: Board, name: str) -> None:  # the page reads the board itself
    """Give what the page needs to know of one place beside the board: nothing."""


def progress(board: Board) -> tuple[Known, ...]:
    """Count what is known, kind by kind: plots, pairs of plots, sides of plots, the ranch."""
    lands = board.lands
    return (
        Known("terrain", PLOTS - len(lands.maybe_terrain), PLOTS),
        Known("touching", PAIRS - sum(map(len, lands.maybe_near)) // 2, PAIRS),
        Known("sides", 2 * PLOTS - len(lands.maybe_river) - len(lands.maybe_rails), 2 * PLOTS),
        Known("ranch", int(lands.ranch is not None), 1),
    )


def lessons(board: Board) -> int:
    """Count the questions that teach the rest: a plot's neighbours each, terrains, sides, ranch."""
    lands = board.lands
    neighbours = sum(bool(others) for others in lands.maybe_near)
    rest = (lands.maybe_terrain, lands.maybe_river, lands.maybe_rails, lands.maybe_ranch)
    return neighbours + sum(map(bool, rest))


def all_facts(board: Board) -> dict[str, str]:
    """Write everything that is known of plots and pairs down as facts, such as to teach it."""
    facts: dict[str, str] = {}
    for plot in board.plots:
        for name in (f"terrain:{plot.number}", f"river:{plot.number}", f"rails:{plot.number}"):
            value = value_of(board, name)
            if value is not None:
                facts[name] = value
    if board.lands.ranch is not None:
        facts["ranch"] = str(board.lands.ranch)
    for low, high in combinations(range(1, PLOTS + 1), 2):
        value = value_of(board, pair_fact(low, high))
        if value is not None:
            facts[pair_fact(low, high)] = value
    return facts
