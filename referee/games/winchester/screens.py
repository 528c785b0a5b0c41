"""What each part of a screen shows: small values made from views, equal when nothing changed.

The display's parts are made from the public view alone. A seat's parts take its own view and its
legal actions besides. Equal values are equal bytes, so a part is drawn once and sent once.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct

from referee.games.base import BoardQuestion, Mood, ScoreLine

from .actions import EnterSecrets, ForgetSecrets, RecordSale
from .model import (
    SHARED_OBJECTIVES,
    TOKENS,
    Pile,
    Sale,
    SecretObjective,
    SharedObjective,
    Terrain,
    Token,
)
from .view import AuctionView, Chart, DuelView, Owing, Own, Peek, PlotView, Public, SeatView

VEIL_S: Final = 0
"""Nothing secret stands on a phone unless its owner holds to look."""
PAGES: Final = ("objectives",)
"""Pages of a seat's own beside the game itself."""
RECORDED: Final = "record_sale"
"""What the host tells for everybody in a form of its own, `_record.html`."""
STAGE: Final = "map"
"""The board takes the most room."""
ON_DISPLAY: Final = ("question", "desk", "hands", "notice", "piles", "players", "log")
"""The display beside its stage, from top to bottom."""
ON_PHONE: Final = ("head", "notice", "plot", "facts", "ask", "own")
"""A phone from top to bottom."""


class Head(Struct, frozen=True):
    """The line at the top of a phone. `submitted` and `all`: sealed bids in, of how many."""

    phase: str
    mood: Mood
    submitted: int
    all: int
    is_in_duel: bool
    is_shuffled: bool
    is_recorded: bool
    is_for_anybody: bool
    is_board: bool


class PlotAtStake(Struct, frozen=True):
    """The plot under auction, with the bonus token on it and what is printed, if known."""

    plot: PlotView | None


class Piles(Struct, frozen=True):
    """The shared objectives that still lie open."""

    piles: tuple[Pile, ...]


class Facts(Struct, frozen=True):
    """How the auction or the duel stands."""

    auction: AuctionView | None
    duel: DuelView | None


class Idle(Struct, frozen=True, tag="idle"):
    """What a phone says while others act."""

    phase: str
    turn: int
    waiting_for: tuple[int, ...]
    is_shuffled: bool
    is_recorded: bool


class Ask(Struct, frozen=True, tag="whole"):
    """What a phone asks. `fresh` is the version from which on an answer still counts.

    `most` is the highest price a spoken auction can have; `standing` what was recorded of it.
    `question` is about the board, `pile` the one whose real objective is told next, `chart` what is
    known of where vehicles can stand, `card` the real card to be turned with the amounts seen so
    far, `owes` what this seat has yet to tell at the end, `told` the objectives it told.
    """

    phase: str
    turn: int
    plot: int | None
    waiting_for: tuple[int, ...]
    legal: tuple[Any, ...]
    fresh: int
    bid: int | None
    peek: Peek | None
    duel: DuelView | None
    piles: tuple[Pile, ...]
    are_claims_blind: bool
    boat: str
    locomotive: str
    owners: tuple[int | None, ...]
    standing: int
    most: int
    question: BoardQuestion | None = None
    pile: int | None = None
    chart: Chart | None = None
    card: Card | None = None
    owes: Owing | None = None
    told: tuple[SecretObjective, ...] = ()
    are_cards_real: bool = False


class Card(Struct, frozen=True):
    """A real mine or ranch card that is turned, and the amounts such cards are known to show."""

    kind: Literal["mine", "ranch"]
    amounts: tuple[int, ...]


class Secrets(Struct, frozen=True):
    """What a phone shows while its owner holds to look. `cash` is None where notes are real.

    `is_owed`: the real objectives were not told yet; `may_forget`: they may be told anew.
    """

    cash: int | None
    secrets: tuple[SecretObjective, ...]
    bid: int | None
    is_owed: bool = False
    may_forget: bool = False


class Desk(Struct, frozen=True, tag="whole"):
    """What the table's own screen may tell in everybody's place, if its host sits there."""

    fresh: int
    phase: str
    turn: int
    question: BoardQuestion | None
    pile: int | None
    star: int
    actor: int | None
    plots: tuple[int, ...]
    left: tuple[SharedObjective, ...]
    duel: DuelView | None
    is_duel_real: bool
    is_open: bool
    most: int
    card: Card | None


class Hands(Struct, frozen=True):
    """What hands have to do after a purchase. `notes`, `token`, `cards`: those are real."""

    last: Sale | None
    notes: bool
    token: bool
    cards: bool


class Asked(Struct, frozen=True):
    """What the display asks of whom, and how the auction stands. `board`: what it asks of that."""

    phase: str
    turn: int
    waiting_for: tuple[int, ...]
    plot: int | None
    auction: AuctionView | None
    duel: DuelView | None
    card: str | None
    how: str
    terrain: Terrain | None
    board: BoardQuestion | None
    pile: int | None
    is_duel_real: bool


class Map(Struct, frozen=True):
    """What lies on the board. `plots` by seat, `tokens` on unsold plots, `cards` face down.

    `tiles` and `touching` are what is known of a board of which there is no drawing; `beside` are
    the plots next to the boat and to the locomotive there.
    """

    plot: int | None
    plots: tuple[tuple[int, ...], ...]
    tokens: tuple[tuple[int, Token], ...]
    cards: tuple[int, ...]
    saloon: int
    boat: str
    locomotive: str
    tiles: tuple[PlotView, ...] = ()
    touching: tuple[tuple[int, int], ...] = ()
    beside: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


class Player(Struct, frozen=True):
    """One row of the players' list. `held` counts bonus tokens in the order of TOKENS."""

    seat: int
    plots: int
    held: tuple[int, ...]
    has_duel_token: bool
    has_star: bool
    is_awaited: bool
    state: Literal["", "passed", "out", "leads", "bid_in", "meets"]


class Players(Struct, frozen=True):
    """The players' list."""

    rows: tuple[Player, ...]


def display_parts(public: Public) -> dict[str, Any]:
    """Give what the display shows, from public facts alone."""
    return {
        "question": Asked(
            public.phase,
            public.turn,
            public.waiting_for,
            public.plot,
            public.auction,
            public.duel,
            public.card,
            public.rules.auction,
            None if public.plot is None else public.plots[public.plot - 1].terrain,
            public.question,
            public.pile,
            public.rules.from_box("duel_cards"),
        ),
        "hands": Hands(
            None if public.practice and public.rules.preset == "app" else public.last,
            public.rules.from_box("money"),
            public.rules.from_box("bonus_tokens"),
            public.rules.from_box("land_cards"),
        ),
        "piles": Piles(public.piles),
        "map": Map(
            public.plot,
            tuple(seat.plots for seat in public.seats),
            tuple((p.number, p.token) for p in public.plots if p.token and p.owner is None),
            tuple(p.number for p in public.plots if p.card),
            public.saloon,
            public.boat,
            public.locomotive,
            **({} if public.practice else _tiles(public)),
        ),
        "players": Players(tuple(_player(public, seat) for seat in public.seats)),
    }


def _tiles(public: Public) -> dict[str, Any]:
    return {
        "tiles": public.plots,
        "touching": public.chart.touching,
        "beside": (public.boat_beside, public.locomotive_beside),
    }


def desk_part(public: Public, *, fresh: int) -> tuple[Desk]:
    """Give what the host may tell on the display; the forms are the same as on the phones."""
    return (
        Desk(
            fresh,
            public.phase,
            public.turn,
            public.question,
            public.pile,
            public.star,
            public.actor,
            _plots_to_tell(public),
            tuple(name for name in SHARED_OBJECTIVES if name not in public.laid),
            public.duel,
            public.rules.from_box("duel_cards"),
            public.auction is not None and public.auction.leader is None,
            public.most,
            _card(public),
        ),
    )


def _plots_to_tell(public: Public) -> tuple[int, ...]:
    """Name the plots of which a real token may be turned over."""
    if not public.rules.from_box("plot_tokens"):
        return ()
    return tuple(plot.number for plot in public.plots if plot.owner is None)


def _card(public: Public) -> Card | None:
    if public.phase != "turning" or public.plot is None or public.question is not None:
        return None
    if public.plots[public.plot - 1].mine:
        return Card("mine", public.chart.seen_mines)
    return Card("ranch", public.chart.seen_ranches)


def _player(public: Public, seat: SeatView) -> Player:
    return Player(
        seat.seat,
        len(seat.plots),
        tuple(seat.held[token] for token in TOKENS),
        seat.duel_token,
        public.star == seat.seat,
        seat.seat in public.waiting_for,
        _player_state(public, seat),
    )


def _player_state(
    public: Public, seat: SeatView
) -> Literal["", "passed", "out", "leads", "bid_in", "meets"]:
    auction = public.auction
    if auction is not None and seat.seat not in auction.inside:
        return "passed" if auction.kind == "open" else "out"
    if public.duel is not None and seat.seat not in {public.duel.caller, public.duel.called}:
        return "out"
    if auction is not None and auction.leader == seat.seat:
        return "leads"
    if auction is not None and seat.seat in auction.submitted:
        return "bid_in"
    return "meets" if seat.met else ""


def fortunes(public: Public) -> tuple[tuple[int, ...], ...]:
    """Give everybody's cash after each purchase, for the chart at the end."""
    return public.fortunes or ()


def kind_of(line: ScoreLine) -> str:
    """Name the kind of a line in a score, as the ceremony's bars show it."""
    return {"cash": "cash", "most_plots": "bonus"}.get(line.name, "objectives")


def closing(public: Public) -> None:  # its ceremony needs no more than the result
    """Give what the closing ceremony tells beside the scores: nothing."""


def common_parts(public: Public) -> dict[str, Any]:
    """Give what every phone shows alike."""
    at_stake = public.plot if public.auction or public.duel else None
    return {
        "plot": PlotAtStake(None if at_stake is None else public.plots[at_stake - 1]),
        "facts": Facts(public.auction, public.duel),
    }


def seat_parts(
    public: Public, own: Own, legal: tuple[Any, ...], seat: int, *, fresh: int
) -> dict[str, Any]:
    """Give what one seat's phone shows beside the facts."""
    is_asked = has_to_choose(public, legal)
    is_real = public.rules.from_box("secret_objectives")
    return {
        "head": _head(public, seat, mood(public, legal, seat)),
        "ask": (_ask(public, own, legal, seat, fresh) if is_asked else _idle(public),),
        "own": Secrets(
            own.cash,
            own.secrets,
            own.bid,
            is_owed=is_real and not own.secrets and public.phase != "handing_in",
            may_forget=ForgetSecrets() in legal,
        ),
    }


def has_to_choose(public: Public, legal: tuple[Any, ...]) -> bool:
    """Say whether there is something to do beside telling one's real objectives any time."""
    if public.phase == "handing_in":
        return bool(legal)
    return any(not isinstance(action, EnterSecrets | ForgetSecrets) for action in legal)


def mood(public: Public, legal: tuple[Any, ...], seat: int) -> Mood:
    """Say whether a seat holds up the table, may do something, or waits."""
    if seat in public.waiting_for:
        return "asked"
    return "able" if has_to_choose(public, legal) else "waiting"


def _head(public: Public, seat: int, mood: Mood) -> Head:
    auction, duel = public.auction, public.duel
    is_in = auction is not None and seat in auction.submitted
    return Head(
        public.phase,
        mood,
        len(auction.submitted) if auction and is_in else 0,
        len(auction.inside) if auction and is_in else 0,
        duel is not None and seat in {duel.caller, duel.called},
        duel is not None and duel.shuffled,
        auction is not None and auction.kind == "spoken" and auction.leader is not None,
        public.question is not None or public.phase == "laying_out" or _is_duel_real(public),
        public.question is not None,
    )


def _is_duel_real(public: Public) -> bool:
    return public.phase == "duel" and public.rules.from_box("duel_cards")


def _idle(public: Public) -> Idle:
    is_shuffled = public.duel is not None and public.duel.shuffled
    is_recorded = public.auction is not None and public.auction.leader is not None
    return Idle(public.phase, public.turn, public.waiting_for, is_shuffled, is_recorded)


def _ask(public: Public, own: Own, legal: tuple[Any, ...], seat: int, fresh: int) -> Ask:
    is_end = public.phase == "handing_in"
    return Ask(
        public.phase,
        public.turn,
        public.plot,
        public.waiting_for,
        legal,
        fresh,
        own.bid,
        own.peek,
        public.duel,
        public.piles,
        public.rules.claims == "players",
        public.boat,
        public.locomotive,
        tuple(plot.owner for plot in public.plots),
        public.auction.standing if public.auction else 0,
        max((action.price for action in legal if isinstance(action, RecordSale)), default=0),
        public.question,
        public.pile,
        public.chart if public.phase == "moving" else None,
        _card(public),
        next((owing for owing in public.owes if owing.seat == seat), None),
        own.secrets if is_end else (),
        public.phase == "rumor" and public.rules.from_box("land_cards"),
    )
