"""What each part of a screen shows: small values made from views, equal when nothing changed.

The display's parts are made from the public view alone. A seat's parts take its own view and its
legal actions besides. Equal values are equal bytes, so a part is drawn once and sent once.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct

from referee.games.base import Mood, ScoreLine
from referee.games.once import kept

from .actions import Action, EnterSecrets, ForgetSecrets
from .desk import desk_part
from .display import asked
from .events import Event, PlotDrawn
from .hints import HINTS
from .memos import Peek
from .model import TOKENS, Pile, Sale, SecretObjective, Token
from .moments import moments
from .overview import overview
from .phones import mood, questions
from .terms import SIGNS, TERMS
from .view import AuctionView, DuelView, Own, PlotView, Public, SeatView

__all__ = [
    "HINTS",
    "ON_DISPLAY",
    "ON_PHONE",
    "PAGES",
    "RECORDED",
    "SIGNS",
    "STAGE",
    "TERMS",
    "VEIL_S",
    "chapter",
    "closing",
    "common_parts",
    "desk_part",
    "display_parts",
    "fortunes",
    "kind_of",
    "moments",
    "mood",
    "page",
    "seat_parts",
    "steps",
]

VEIL_S: Final = 0
"""Nothing secret stands on a phone unless its owner holds to look."""
PAGES: Final = ("objectives",)
"""Pages of a seat's own beside the game itself."""
RECORDED: Final = "record_sale"
"""What the host tells for everybody in a form of its own, `_record.html`."""
STAGE: Final = "map"
"""The board takes the most room."""
ON_DISPLAY: Final = ("question", "desk", "notice", "piles", "hands", "players", "log")
"""The display beside its stage, from top to bottom."""
ON_PHONE: Final = ("head", "notice", "moment", "plot", "facts", "ask", "overview", "own")
"""A phone from top to bottom."""


ON_THE_BOARD: Final = ("seats", "plots", "chart", "boat_beside", "locomotive_beside")
"""What of the public view the drawing of the board hangs on, beside what lies and stands there."""


class Head(Struct, frozen=True):
    """The line at the top of a phone: what is wanted of the seat, or what it waits for.

    `wanted` is "board", "anybody", "claim", "may_duel", "bids_in", "limits_in", "in_duel",
    "waiting", "confirm_sale", "confirm_duel", "pick_duel_card" or a phase. `submitted` and `all`:
    how many of them are in.
    """

    mood: Mood
    wanted: str
    submitted: int = 0
    all: int = 0


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


class Secrets(Struct, frozen=True):
    """What a phone shows while its owner holds to look. `cash` is None where notes are real.

    `is_limit`: the bid is one up to which the referee bids. `is_owed`: the real objectives were
    not told yet; `may_forget`: they may be told anew. `memo` are cards that rumors showed.
    `is_new`: the game has just begun, and its owner should look once.
    """

    cash: int | None
    secrets: tuple[SecretObjective, ...]
    bid: int | None
    is_limit: bool = False
    is_owed: bool = False
    may_forget: bool = False
    memo: tuple[Peek, ...] = ()
    is_new: bool = False


class Hands(Struct, frozen=True):
    """What hands have to do after a purchase. `notes`, `token`, `cards`: those are real."""

    last: Sale | None
    notes: bool
    token: bool
    cards: bool


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
    state: Literal["", "passed", "out", "leads", "bid_in", "limit_in", "meets"]


class Players(Struct, frozen=True):
    """The players' list."""

    rows: tuple[Player, ...]


def display_parts(public: Public) -> dict[str, Any]:
    """Give what the display shows, from public facts alone."""
    return {
        "question": asked(public),
        "hands": Hands(
            # Where nothing lies on a table hands have nothing to do.
            None if public.practice and public.rules.preset == "app" else public.last,
            public.rules.from_box("money"),
            public.rules.from_box("bonus_tokens"),
            public.rules.from_box("land_cards"),
        ),
        "piles": Piles(public.piles),
        "map": _map(public),
        "players": Players(tuple(_player(public, seat) for seat in public.seats)),
    }


@kept("plot", "saloon", "boat", "locomotive", "practice", *ON_THE_BOARD)
def _map(public: Public) -> Map:
    return Map(
        public.plot,
        tuple(seat.plots for seat in public.seats),
        tuple((p.number, p.token) for p in public.plots if p.token and p.owner is None),
        tuple(p.number for p in public.plots if p.card),
        public.saloon,
        public.boat,
        public.locomotive,
        **({} if public.practice else _tiles(public)),
    )


def _tiles(public: Public) -> dict[str, Any]:
    return {
        "tiles": public.plots,
        "touching": public.chart.touching,
        "beside": (public.boat_beside, public.locomotive_beside),
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
) -> Literal["", "passed", "out", "leads", "bid_in", "limit_in", "meets"]:
    auction = public.auction
    if auction is not None and seat.seat not in auction.inside:
        return "passed" if auction.kind == "open" else "out"
    if public.duel is not None and seat.seat not in {public.duel.caller, public.duel.called}:
        return "out"
    # Of a proxy auction's last two neither leads: the view names no leader there.
    if auction is not None and auction.leader == seat.seat:
        return "leads"
    if auction is not None and seat.seat in auction.submitted:
        return "limit_in" if auction.kind == "proxy" else "bid_in"
    return "meets" if seat.met else ""


def fortunes(public: Public) -> tuple[tuple[int, ...], ...]:
    """Give everybody's cash after each purchase, for the chart at the end."""
    return public.fortunes or ()


def kind_of(line: ScoreLine) -> str:
    """Name the kind of a line in a score, as the ceremony's bars show it."""
    return {"cash": "cash", "most_plots": "bonus"}.get(line.name, "objectives")


class Objectives(Struct, frozen=True):
    """The page where a seat tells its real objectives, or takes back what it told."""

    fresh: int
    may_enter: bool
    may_forget: bool


def page(name: str, own: Own, legal: tuple[Action, ...], *, fresh: int) -> Objectives:  # noqa: ARG001
    """Give what the only other page shows: it is about what a seat may tell, not what it told."""
    may_enter = any(isinstance(action, EnterSecrets) for action in legal)
    return Objectives(fresh, may_enter, may_forget=ForgetSecrets() in legal)


def steps(public: Public) -> int:
    """Count the steps of the ceremony: a line of everybody's score each."""
    return max(len(score.lines) for score in public.result.scores) if public.result else 0


def chapter(events: tuple[Event, ...]) -> int | None:
    """Give the plot whose auction begins here."""
    return next((event.plot for event in events if isinstance(event, PlotDrawn)), None)


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
    public: Public, own: Own, legal: tuple[Action, ...], seat: int, *, fresh: int
) -> dict[str, Any]:
    """Give what one seat's phone shows beside the facts."""
    is_real = public.rules.from_box("secret_objectives")
    asked_now = questions(public, own, legal, seat, fresh)
    return {
        "head": _head(public, seat, mood(public, legal, seat)),
        "ask": asked_now,
        "overview": overview(public, seat),
        "own": Secrets(
            own.cash,
            own.secrets,
            own.bid,
            is_limit=public.phase == "proxy_auction",
            is_owed=is_real and not own.secrets and public.phase != "handing_in",
            may_forget=ForgetSecrets() in legal,
            memo=own.memo,
            is_new=not is_real and public.turn <= 1 and bool(own.secrets),
        ),
    }


def _head(public: Public, seat: int, mood: Mood) -> Head:
    auction, duel = public.auction, public.duel
    if mood == "asked":
        return Head(mood, _wanted(public))
    if mood == "able" and _is_for_anybody(public):
        return Head(mood, "anybody")
    if mood == "able" and public.phase in _OFFERED:
        return Head(mood, _OFFERED[public.phase])
    if auction is not None and seat in auction.submitted:
        what = "limits_in" if auction.kind == "proxy" else "bids_in"
        return Head(mood, what, len(auction.submitted), len(auction.inside))
    is_in_duel = duel is not None and seat in {duel.caller, duel.called}
    return Head(mood, "in_duel" if is_in_duel else "waiting")


_OFFERED: Final = {"between": "claim", "open_auction": "may_duel", "handing_in": "handing_in"}
"""What a seat may do meanwhile, without anybody waiting for it."""


def _wanted(public: Public) -> str:
    """Name what is wanted of a seat that holds up the table."""
    if public.question is not None:
        return "board"
    match public.phase:
        case "spoken_auction" if public.auction is not None and public.auction.leader is not None:
            return "confirm_sale" if public.auction.duel is None else "confirm_duel"
        case "duel" if public.duel is not None and public.duel.shuffled:
            return "pick_duel_card"
        case phase:
            return phase


def _is_for_anybody(public: Public) -> bool:
    is_duel_real = public.phase == "duel" and public.rules.from_box("duel_cards")
    return public.question is not None or public.phase == "laying_out" or is_duel_real
