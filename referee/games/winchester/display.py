"""What the display asks of whom, and how the auction stands: one type a question.

A question's tag names the template that draws it. `plot` is the plot under auction or just bought.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct

from referee.games.base import BoardQuestion

from .board_asks import plot_of
from .model import Terrain
from .view import Public, plots_left


class _AtStake(Struct, frozen=True, kw_only=True):
    plot: int | None
    terrain: Terrain | None


class _Asked(_AtStake, frozen=True, kw_only=True):
    """`turn` counts auctions, `how` they are held; `waiting_for` are those who are asked."""

    turn: int
    how: str
    waiting_for: tuple[int, ...]


# The board


class WhichRanch(_AtStake, frozen=True, kw_only=True, tag="which_ranch"):
    """Where the ranch is."""


class WhichTerrains(_AtStake, frozen=True, kw_only=True, tag="which_terrains"):
    """What these plots are."""

    plots: tuple[str, ...]


class OnRiver(_AtStake, frozen=True, kw_only=True, tag="on_river"):
    """Which of these plots are on the river."""

    plots: tuple[str, ...]


class OnRails(_AtStake, frozen=True, kw_only=True, tag="on_rails"):
    """Which of these plots are on the rails."""

    plots: tuple[str, ...]


class WhichTouch(_AtStake, frozen=True, kw_only=True, tag="which_touch"):
    """Which of these plots of a seat one of its plots touches."""

    place: int
    seat: int
    plots: tuple[str, ...]


# The auction and the duel


class OpenBid(_Asked, frozen=True, kw_only=True, tag="open_bid"):
    """The next bid; the standing one, 0 if there is none, and who made it."""

    standing: int
    leader: int | None


class SealedBids(_Asked, frozen=True, kw_only=True, tag="sealed_bids"):
    """Sealed bids: how many of how many are in; the tie to beat, 0 if there is none."""

    submitted: int
    all: int
    tie: int


class Ceilings(_Asked, frozen=True, kw_only=True, tag="ceilings"):
    """The most that each would pay: how many of how many are in."""

    submitted: int
    all: int


class LastTwo(_Asked, frozen=True, kw_only=True, tag="last_two"):
    """Whether one of the last two calls a duel."""

    pair: tuple[int, int]


class SpokenResult(_Asked, frozen=True, kw_only=True, tag="spoken_result"):
    """How the auction held aloud ended."""


class ConfirmSale(_Asked, frozen=True, kw_only=True, tag="confirm_sale"):
    """Whether the recorded winner buys at this price."""

    winner: int
    price: int


class _Duel(_Asked, frozen=True, kw_only=True):
    """`caller` and `called` fight for the plot at this price; cards of `picked` are in hand."""

    caller: int
    called: int
    price: int
    picked: tuple[int, ...] = ()


class ConfirmDuel(_Duel, frozen=True, kw_only=True, tag="confirm_duel"):
    """Whether the one who is asked can pay the bid for which a duel was called."""


class RealDuel(_Duel, frozen=True, kw_only=True, tag="real_duel"):
    """Who drew the real card that fires."""


class ShuffleDuel(_Duel, frozen=True, kw_only=True, tag="shuffle_duel"):
    """A shuffle by somebody else."""


class PickDuelCard(_Duel, frozen=True, kw_only=True, tag="pick_duel_card"):
    """A card to be taken by the one who is left to."""


class PickDuelCards(_Duel, frozen=True, kw_only=True, tag="pick_duel_cards"):
    """A card to be taken by each of the two."""


# A purchase


class TakeToken(_Asked, frozen=True, kw_only=True, tag="take_token"):
    """Which real bonus token was on the plot."""


class Activate(_Asked, frozen=True, kw_only=True, tag="activate"):
    """Where the boat or the locomotive goes."""


class Look(_Asked, frozen=True, kw_only=True, tag="look"):
    """Which card to look at."""


class Looking(_Asked, frozen=True, kw_only=True, tag="looking"):
    """A look at this card."""

    card: str


class TurnCard(_Asked, frozen=True, kw_only=True, tag="turn_card"):
    """What the real card shows."""


# Between two auctions, and before the count


class LayObjective(_Asked, frozen=True, kw_only=True, tag="lay_objective"):
    """Which real card lies on the pile of this amount."""

    amount: int


class FirstPlot(_Asked, frozen=True, kw_only=True, tag="first_plot"):
    """The first draw."""


class NextPlot(_Asked, frozen=True, kw_only=True, tag="next_plot"):
    """The next draw."""


class CountUp(_Asked, frozen=True, kw_only=True, tag="count_up"):
    """The last claims, if anything is left to claim, then the count."""

    may_claim: bool


class TellObjectives(_Asked, frozen=True, kw_only=True, tag="tell_objectives"):
    """What everybody holds, told in secret: objectives, notes, or both."""

    objectives: bool
    notes: bool


class Nothing(_Asked, frozen=True, kw_only=True, tag="nothing"):
    """Nothing is asked, such as when all is counted."""


AskedOfBoard: TypeAlias = WhichRanch | WhichTerrains | OnRiver | OnRails | WhichTouch
Asked: TypeAlias = (
    AskedOfBoard
    | OpenBid
    | SealedBids
    | Ceilings
    | LastTwo
    | SpokenResult
    | ConfirmSale
    | ConfirmDuel
    | RealDuel
    | ShuffleDuel
    | PickDuelCard
    | PickDuelCards
    | TakeToken
    | Activate
    | Look
    | Looking
    | TurnCard
    | LayObjective
    | FirstPlot
    | NextPlot
    | CountUp
    | TellObjectives
    | Nothing
)
"""All that the display can ask."""


def asked(public: Public) -> Asked:
    """Give what the display asks; a question about the board comes before all else."""
    terrain = None if public.plot is None else public.plots[public.plot - 1].terrain
    at_stake = {"plot": public.plot, "terrain": terrain}
    if public.question is not None:
        return _of_board(public.question, at_stake)
    common = at_stake | {
        "turn": _auctions(public),
        "how": public.rules.auction,
        "waiting_for": public.waiting_for,
    }
    return _ASKED.get(public.phase, _nothing)(public, common)


def _auctions(public: Public) -> int:
    """Count the auctions so far, the one under way included, by the plots that are sold."""
    is_under_way = public.auction is not None or public.duel is not None
    return sum(plot.owner is not None for plot in public.plots) + is_under_way


def _of_board(question: BoardQuestion, at_stake: dict[str, Any]) -> AskedOfBoard:
    plots = tuple(plot_of(question, part.fact) for part in question.parts)
    match question.kind:
        case "ranch":
            return WhichRanch(**at_stake)
        case "terrain":
            return WhichTerrains(**at_stake, plots=plots)
        case "river":
            return OnRiver(**at_stake, plots=plots)
        case "rails":
            return OnRails(**at_stake, plots=plots)
        case _:
            place, seat = question.place, question.seat
            assert isinstance(place, int)  # noqa: S101  # asked of a plot
            assert seat is not None  # noqa: S101  # and of its owner
            return WhichTouch(**at_stake, place=place, seat=seat, plots=plots)


def _auction(public: Public, common: dict[str, Any]) -> Asked:
    """Give what is asked while a plot is under auction."""
    auction = public.auction
    if auction is None:
        return _nothing(public, common)
    counts: dict[str, Any] = {"submitted": len(auction.submitted), "all": len(auction.inside)}
    match auction.kind:
        case "open":
            return OpenBid(**common, standing=auction.standing, leader=auction.leader)
        case "sealed":
            return SealedBids(**common, **counts, tie=auction.standing)
        case "proxy":
            return Ceilings(**common, **counts)
        case "last_two":
            return LastTwo(**common, pair=(auction.inside[0], auction.inside[1]))
        case "spoken" if auction.duel is not None:
            caller, called = auction.duel
            price = auction.standing
            return ConfirmDuel(**common, caller=caller, called=called, price=price)
        case "spoken" if auction.leader is not None:
            return ConfirmSale(**common, winner=auction.leader, price=auction.standing)
        case "spoken":
            return SpokenResult(**common)


def _duel(public: Public, common: dict[str, Any]) -> Asked:
    duel = public.duel
    if duel is None:
        return _nothing(public, common)
    two = common | {"caller": duel.caller, "called": duel.called, "price": duel.price}
    if public.rules.from_box("duel_cards"):
        return RealDuel(**two)
    if not duel.shuffled:
        return ShuffleDuel(**two)
    two |= {"picked": duel.picked}
    return PickDuelCard(**two) if len(public.waiting_for) == 1 else PickDuelCards(**two)


def _rumor(public: Public, common: dict[str, Any]) -> Asked:
    return Look(**common) if public.card is None else Looking(**common, card=public.card)


def _between(public: Public, common: dict[str, Any]) -> Asked:
    if not plots_left(public):
        return CountUp(**common, may_claim=bool(public.piles))
    return NextPlot(**common) if public.turn else FirstPlot(**common)


def _laying_out(public: Public, common: dict[str, Any]) -> Asked:
    return LayObjective(**common, amount=public.pile or 0)


def _handing_in(public: Public, common: dict[str, Any]) -> Asked:
    if not public.owes:
        return CountUp(**common, may_claim=bool(public.piles))
    objectives = public.rules.from_box("secret_objectives")
    notes = public.rules.from_box("money")
    return TellObjectives(**common, objectives=objectives, notes=notes)


def _nothing(_public: Public, common: dict[str, Any]) -> Nothing:
    return Nothing(**common)


_ASKED: Final[Mapping[str, Callable[[Public, dict[str, Any]], Asked]]] = {
    "open_auction": _auction,
    "sealed_auction": _auction,
    "proxy_auction": _auction,
    "last_two": _auction,
    "spoken_auction": _auction,
    "duel": _duel,
    "taking": lambda _, common: TakeToken(**common),
    "moving": lambda _, common: Activate(**common),
    "rumor": _rumor,
    "turning": lambda _, common: TurnCard(**common),
    "laying_out": _laying_out,
    "between": _between,
    "handing_in": _handing_in,
}
"""What each phase asks; the others ask about the board, or nothing."""
