"""What each part of a screen shows: small values made from views, equal when nothing changed.

The display's parts are made from the public view alone. A seat's parts take its own view and its
legal actions besides. Equal values are equal bytes, so a part is drawn once and sent once.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from .actions import RecordSale
from .model import TOKENS, Pile, SecretObjective, Token
from .view import AuctionView, DuelView, Own, Peek, Public, SeatView

Mood = Literal["asked", "able", "waiting"]


class Head(Struct, frozen=True):
    """The line at the top of a phone. `submitted` and `all`: sealed bids in, of how many."""

    phase: str
    mood: Mood
    submitted: int
    all: int
    is_in_duel: bool
    is_shuffled: bool
    is_recorded: bool


class PlotAtStake(Struct, frozen=True):
    """The plot under auction and the bonus token on it."""

    plot: int | None
    token: Token | None


class Piles(Struct, frozen=True):
    """The shared objectives that still lie open."""

    piles: tuple[Pile, ...]


class Facts(Struct, frozen=True):
    """How the auction or the duel stands."""

    auction: AuctionView | None
    duel: DuelView | None


class Idle(Struct, frozen=True):
    """What a phone says while others act."""

    phase: str
    turn: int
    waiting_for: tuple[int, ...]
    is_shuffled: bool


class Ask(Struct, frozen=True):
    """What a phone asks. `fresh` is the version from which on an answer still counts.

    `most` is the highest price a spoken auction can have; `standing` what was recorded of it.
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


class Secrets(Struct, frozen=True):
    """What a phone shows while its owner holds to look."""

    cash: int
    secrets: tuple[SecretObjective, ...]
    bid: int | None


class Question(Struct, frozen=True):
    """What the display asks of whom, and how the auction stands."""

    phase: str
    turn: int
    waiting_for: tuple[int, ...]
    plot: int | None
    auction: AuctionView | None
    duel: DuelView | None
    card: str | None
    how: str


class Map(Struct, frozen=True):
    """What lies on the board. `plots` by seat, `tokens` on unsold plots, `cards` face down."""

    plot: int | None
    plots: tuple[tuple[int, ...], ...]
    tokens: tuple[tuple[int, Token], ...]
    cards: tuple[int, ...]
    saloon: int
    boat: str
    locomotive: str


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
        "question": Question(
            public.phase,
            public.turn,
            public.waiting_for,
            public.plot,
            public.auction,
            public.duel,
            public.card,
            public.rules.auction,
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
        ),
        "players": Players(tuple(_player(public, seat) for seat in public.seats)),
    }


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


def common_parts(public: Public) -> dict[str, Any]:
    """Give what every phone shows alike."""
    at_stake = public.plot if public.auction or public.duel else None
    token = None if at_stake is None else public.plots[at_stake - 1].token
    return {
        "plot": PlotAtStake(at_stake, token),
        "facts": Facts(public.auction, public.duel),
    }


def seat_parts(
    public: Public, own: Own, legal: tuple[Any, ...], seat: int, *, fresh: int
) -> dict[str, Any]:
    """Give what one seat's phone shows beside the facts."""
    mood: Mood = "asked" if seat in public.waiting_for else "able" if legal else "waiting"
    return {
        "head": _head(public, seat, mood),
        "ask": _ask(public, own, legal, fresh) if legal else _idle(public),
        "own": Secrets(own.cash, own.secrets, own.bid),
    }


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
    )


def _idle(public: Public) -> Idle:
    is_shuffled = public.duel is not None and public.duel.shuffled
    return Idle(public.phase, public.turn, public.waiting_for, is_shuffled)


def _ask(public: Public, own: Own, legal: tuple[Any, ...], fresh: int) -> Ask:
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
    )
