"""What a phone's parts show: made from the public view, the seat's own and what it may do."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from referee.games.base import InPieces, Mood, Piece

from . import maps, questions, tapping
from .actions import Action
from .activities import Plan
from .model import CITIES, City, Idea, Laid, Returned
from .overview import overview
from .own import Mate, Own, Seen
from .timetable import timetable
from .view import Public

Topic: TypeAlias = Literal[
    "waiting",
    "card",
    "card_lies",
    "activity",
    "start",
    "posts",
    "board",
    "tile",
    "refill",
    "examination",
]
"""What a phone is about, in a word or two."""


class Head(Struct, frozen=True):
    """The line at the top of a phone."""

    topic: Topic
    mood: Mood
    is_marshal: bool
    move: int


class Row(Struct, frozen=True):
    """A mate; with `may_place`, what they want to do counts."""

    mate: Mate
    may_place: bool


class Suggestion(Struct, frozen=True):
    """For which moves of this turn a meeting can be suggested; `move` is that of one's own."""

    turn: int
    moves: tuple[int, ...]
    move: int | str
    cities: tuple[City, ...] = CITIES


class Plans(Struct, frozen=True):
    """What the gang wants to do in this move, and its end.

    `planned` are discs that are proposed, `undecided` the mates who have said nothing yet and
    could do something; `mark` stands for all that is planned, and with `is_agreed` some discs are
    enough. `returned` are discs that came back.
    """

    fresh: int
    planned: tuple[Plan, ...]
    mark: str
    is_agreed: bool
    undecided: tuple[int, ...]
    returned: tuple[Returned, ...]
    may_place: bool


class Hiding(Struct, frozen=True):
    """Whether one hides one's plan from the gang, and may do otherwise."""

    is_hidden: bool
    may_hide: bool


class Since(Struct, frozen=True):
    """The version of forms that stay as they are while it changes; `ideas` are those of seats."""

    fresh: int
    ideas: tuple[int, ...]


class Huddle(Struct, frozen=True):
    """What stands around all that mates plan: whose rows there are, and what was suggested."""

    is_on: bool
    is_secret: bool
    mates: tuple[int, ...]
    ideas: tuple[Idea, ...]
    mine: Idea | None
    turn: int


class Gang(InPieces, frozen=True):
    """What the gang knows of each other: `rows` are the mates.

    `ideas` were suggested silently, `mine` is one's own among them; `fresh` and `turn` are of the
    forms of this part. After the last move nothing but the discs that were returned is told.
    `is_secret`: it says more than what everybody sees.
    """

    is_on: bool
    fresh: int
    rows: tuple[Row, ...]
    is_secret: bool
    ideas: tuple[Idea, ...]
    mine: Idea | None
    turn: int
    suggestion: Suggestion
    plans: Plans
    hiding: Hiding

    @property
    def around(self) -> Huddle:
        """Give what stays as it is while mates lay cards."""
        return Huddle(
            self.is_on,
            self.is_secret,
            tuple([row.mate.seat for row in self.rows]),
            self.ideas,
            self.mine,
            self.turn,
        )

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give the mates, what can be suggested, and what is planned; nothing where it is off."""
        if not self.is_on:
            return ()
        rows = [Piece("mate", row, alike=True) for row in self.rows]
        suggested, planned = Piece("suggest", self.suggestion), Piece("plans", self.plans)
        since = Piece("since", Since(self.fresh, tuple([idea.seat for idea in self.ideas])))
        return (*rows, suggested, planned, Piece("hiding", self.hiding), since)


class Spied(Struct, frozen=True):
    """A bank that this seat just spied on: what its tile shows, None if it is a real one."""

    city: City
    value: int | None


class News(Struct, frozen=True):
    """What only this seat was told in the gang's last part of a move."""

    spied: tuple[Spied, ...]


class Finds(Struct, frozen=True):
    """What one's own map shows over the cities: tiles that one knows, and one's pawn."""

    tiles: tuple[Seen, ...]
    pawns: tuple[tuple[int, City, bool], ...]
    marshal: int


class Route(Struct, frozen=True):
    """One's own cards of this turn, from where one began it."""

    start: City | None
    route: tuple[Laid, ...]


class Peek(Struct, frozen=True):
    """What stands around one's own map: tiles and lost cards in words, and how to look."""

    is_marshal: bool
    is_on_map: bool
    tiles: tuple[Seen, ...]
    lost: tuple[City, ...]
    are_tiles_real: bool
    is_new: bool


class Secrets(InPieces, frozen=True):
    """What a phone shows while its owner holds to look: way, tiles, cards lost for good.

    `are_tiles_real`: what bank tiles show the Marshal sees on the board itself. `is_new`: it is the
    first turn, and there is something that its owner should look at once.
    """

    is_marshal: bool
    is_on_map: bool
    start: City | None
    route: tuple[Laid, ...]
    at: City | None
    path: tuple[City, ...]
    tiles: tuple[Seen, ...]
    lost: tuple[City, ...]
    are_tiles_real: bool
    cities: maps.Cities
    finds: Finds
    is_new: bool

    @property
    def around(self) -> Peek:
        """Give what stands around the map."""
        return Peek(
            self.is_marshal,
            self.is_on_map,
            self.tiles,
            self.lost,
            self.are_tiles_real,
            self.is_new,
        )

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give where one's cards lead, the cities, what lies over them, and the cards in words."""
        if not (self.is_on_map or self.tiles):
            return ()
        drawn = (
            Piece("way", maps.Way("own", self.path, self.at)),
            Piece("cities", self.cities, alike=True),
            Piece("finds", self.finds),
        )
        words = (Piece("route", Route(self.start, self.route)),)
        return drawn + words if self.is_on_map else drawn


def common_parts(public: Public) -> dict[str, Any]:
    """Give what every phone shows alike: what lies on the board, and beside it for all."""
    return {
        "lying": maps.lain(public, "lying"),
        "overview": overview(public),
        "coaches": timetable(public),
    }


def seat_parts(
    public: Public, own: Own, legal: tuple[Action, ...], seat: int, *, fresh: int
) -> dict[str, Any]:
    """Give what one seat's phone shows."""
    return {
        "head": _head(public, seat, mood(public, legal, seat)),
        "ask": questions.questions(public, own, legal, seat, fresh)
        if legal
        else (questions.idle(public),),
        "news": News(_spied(public, own)),
        "where": tapping.where(public, own, legal, seat),
        "gang": _gang(public, own, seat, fresh),
        "own": _secrets(public, own, seat),
    }


def mood(public: Public, legal: tuple[Action, ...], seat: int) -> Mood:
    """Say whether a seat holds up the table, may do something, or waits."""
    if seat in public.waiting_for:
        return "asked"
    return "able" if legal else "waiting"


def _head(public: Public, seat: int, mood: Mood) -> Head:
    mine = public.seats[seat]
    topic = _topic(public, mood, has_laid=mine.has_laid, stands=mine.pawn is not None)
    return Head(topic=topic, mood=mood, is_marshal=mine.is_marshal, move=public.move)


def _topic(public: Public, mood: Mood, *, has_laid: bool, stands: bool) -> Topic:
    """Name what a phone is about; who `stands` on the board already and is asked posts others."""
    if mood == "waiting":
        return "waiting"
    match public.phase:
        case "riding" | "laying":
            return "card_lies" if has_laid else "card"
        case "acting":
            return "activity"
        case "placing":
            return "posts" if stands else "start"
        case "surveying" | "first_schedule":
            return "board"
        case "turning":
            return "tile"
        case "refilling":
            return "refill"
        case _:
            return "examination"


def _plans(own: Own, fresh: int, *, may_place: bool) -> Plans:
    """Give what the gang wants to do; `fresh` is of the form that ends its part of a move."""
    return Plans(
        fresh=fresh,
        planned=own.planned,
        mark=own.plan_mark or "",
        is_agreed=any(plan.is_enough for plan in own.planned),
        undecided=tuple([mate.seat for mate in own.mates if mate.is_undecided]),
        returned=own.returned,
        may_place=may_place,
    )


_NO_GANG: Final = Gang(
    is_on=False,
    fresh=0,
    rows=(),
    is_secret=False,
    ideas=(),
    mine=None,
    turn=0,
    suggestion=Suggestion(0, (), ""),
    plans=Plans(0, (), "", is_agreed=False, undecided=(), returned=(), may_place=False),
    hiding=Hiding(is_hidden=False, may_hide=False),
)
"""For the Marshal, and where there is nothing to plan."""


def _gang(public: Public, own: Own, seat: int, fresh: int) -> Gang:
    is_planning = own.role == "desperado" and public.phase in ("riding", "laying", "acting")
    # Discs that were too few are the gang's to know, until the first card comes to light.
    is_closed = public.phase == "examining" and not public.examined
    is_on = is_planning or (is_closed and bool(own.returned))
    if not is_on:
        return _NO_GANG
    # Else the part would differ, and be sent anew, whenever what is asked changes.
    since = fresh if is_planning else 0
    turn = public.turn if is_planning else 0
    mine = next((idea for idea in own.ideas if idea.seat == seat), None) if own.ideas else None
    may_place = is_planning and public.phase == "acting"
    return Gang(
        is_on=True,
        fresh=since,
        rows=tuple([Row(mate, may_place) for mate in own.mates]) if is_planning else (),
        is_secret=bool(own.planned or own.returned or own.ideas)
        or any(mate.is_hidden or mate.route or mate.choice for mate in own.mates),
        ideas=own.ideas if is_planning else (),
        mine=mine,
        turn=turn,
        suggestion=Suggestion(
            turn=turn,
            moves=own.idea_moves if is_planning else (),
            move=mine.move if mine else "",
        ),
        plans=_plans(own, since if may_place else 0, may_place=may_place),
        hiding=Hiding(own.is_hidden, is_planning and public.phase != "riding"),
    )


def _spied(public: Public, own: Own) -> tuple[Spied, ...]:
    """Tell a spy what the tile shows, until the gang's next part or the first card that is turned.

    A bank may have changed its tile since; then the spy knows nothing of it.
    """
    if not own.looked or public.examined or public.phase == "acting":
        return ()
    # Only what is still known: a bank that was refilled since is another tile.
    known = {seen.city: seen.value for seen in own.tiles}
    is_real = public.rules.origin("bank") == "box"
    return tuple(
        Spied(look.city, known.get(look.city))
        for look in own.looked
        if is_real or look.city in known
    )


def _secrets(public: Public, own: Own, seat: int) -> Secrets:
    mine = public.seats[seat]
    is_planning = public.phase in ("riding", "laying", "acting")
    pawns = () if mine.pawn is None else ((seat, mine.pawn, mine.out is not None),)
    return Secrets(
        is_marshal=mine.is_marshal,
        is_on_map=mine.pawn is not None,
        start=mine.pawn if is_planning else None,
        route=own.route,
        at=own.at if is_planning else None,
        # After a card that could not be played the cards lead nowhere that could be drawn.
        path=maps.follow(mine.pawn, own.route) if is_planning and not own.is_broken else (),
        tiles=own.tiles,
        lost=mine.lost,
        are_tiles_real=mine.is_marshal and public.rules.origin("bank") == "box",
        cities=maps.cities(public, "own"),
        finds=Finds(own.tiles, pawns, public.marshal),
        is_new=public.turn <= 1 and bool(own.tiles if mine.is_marshal else own.route),
    )
