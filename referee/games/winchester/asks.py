"""The questions that a phone or the host's display can ask, one type each.

A question's tag names the template that draws it, which shows every field and decides nothing.
`fresh` is the version from which on an answer still counts.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from .board_asks import BoardAsk
from .model import NOTE, Pile, SecretObjective, SharedObjective, Vehicle

AMOUNTS: Final = tuple(NOTE * count for count in range(13))
"""What is tapped more often than typed: prices from one note on, and what a card shows."""


Doing: TypeAlias = Literal[
    "thinks",
    "all_think",
    "records",
    "confirms",
    "shuffle",
    "shuffles",
    "duel",
    "takes",
    "moves",
    "looks",
    "turns",
    "draws",
    "counts_up",
    "lay_out",
    "look_at_board",
    "hand_in",
]
"""What others are at while a phone is asked nothing."""


class Idle(Struct, frozen=True, kw_only=True, tag="idle"):
    """What every phone says alike while others act; `seat` is the first who is waited for."""

    seat: int
    doing: Doing


# The auction and the duel


class OpenBid(Struct, frozen=True, kw_only=True, tag="open_bid"):
    """Bid aloud: the `quick` amounts have a button each, any other goes from `least` to `most`."""

    fresh: int
    quick: tuple[int, ...]
    least: int
    most: int


class CannotBid(Struct, frozen=True, tag="cannot_bid"):
    """Nothing to choose: the standing bid is all one has, or more, which nobody else may see."""


class Pass(Struct, frozen=True, kw_only=True, tag="pass"):
    """Leave the open auction, or throw one's duel token."""

    fresh: int
    may_duel: bool


class CallDuel(Struct, frozen=True, kw_only=True, tag="call_duel"):
    """Throw one's duel token out of turn."""

    fresh: int


class SealedBid(Struct, frozen=True, kw_only=True, tag="sealed_bid"):
    """Hand in a sealed bid, or change the one handed in; `least` is above 0 after a tie."""

    fresh: int
    turn: int
    least: int
    most: int
    bid: int | None
    may_duel: bool


class Ceiling(Struct, frozen=True, kw_only=True, tag="ceiling"):
    """Hand in the most one would pay, or change the `bid` handed in."""

    fresh: int
    turn: int
    most: int
    bid: int | None


class LastTwoDuel(Struct, frozen=True, kw_only=True, tag="last_two"):
    """Let the referee's auction stand, or call a duel without knowing who leads."""

    fresh: int
    may_duel: bool


class RecordAuction(Struct, frozen=True, kw_only=True, tag="record_auction"):
    """Tell how the auction held aloud ended. `most`: no price can be higher.

    `prices` have a button each; from `higher` on there is another field, if there are such prices.
    """

    fresh: int
    turn: int
    prices: tuple[int, ...]
    higher: int | None
    most: int
    may_duel: bool


class ConfirmSale(Struct, frozen=True, kw_only=True, tag="confirm_sale"):
    """Confirm that one won at this price."""

    fresh: int
    plot: int
    price: int


class ConfirmDuel(Struct, frozen=True, kw_only=True, tag="confirm_duel"):
    """Confirm that one can pay the bid for which a duel was called. `can_pay`: one's own secret."""

    fresh: int
    plot: int
    price: int
    caller: int
    called: int
    can_pay: bool


class ConfirmWithToken(Struct, frozen=True, kw_only=True, tag="confirm_with_token"):
    """Confirm it by telling which real bonus token lies on the plot."""

    fresh: int
    plot: int
    price: int


class CannotPay(Struct, frozen=True, kw_only=True, tag="cannot_pay"):
    """Own up to a bid beyond one's cash, which only its owner sees."""

    fresh: int
    plot: int
    price: int


class ShuffleDuel(Struct, frozen=True, kw_only=True, tag="shuffle_duel"):
    """Shuffle the duel cards for two others."""

    fresh: int
    caller: int
    called: int


class PickDuelCard(Struct, frozen=True, kw_only=True, tag="pick_duel_card"):
    """Take one of the two duel cards. `taken`: those that are gone."""

    fresh: int
    plot: int
    price: int
    taken: tuple[int, ...]


class TellDuel(Struct, frozen=True, kw_only=True, tag="tell_duel"):
    """Tell who drew the real card that fires."""

    fresh: int
    caller: int
    called: int


# A purchase


class TakeToken(Struct, frozen=True, kw_only=True, tag="take_token"):
    """Tell which real bonus token lay on the plot just bought."""

    fresh: int
    plot: int


class Stop(Struct, frozen=True, kw_only=True):
    """A known space of a vehicle: the plots beside it, and the seats that own some of them."""

    name: str
    plots: tuple[int, ...]
    owners: tuple[int, ...]
    is_here: bool


class Side(Struct, frozen=True):
    """A plot that may lie beside a space nobody has told of yet."""

    plot: int
    owner: int | None


class Way(Struct, frozen=True, kw_only=True):
    """Where a vehicle can go. `sides` make up other stops; None if there are no others."""

    vehicle: Vehicle
    stops: tuple[Stop, ...]
    sides: tuple[Side, ...] | None = None


class Activate(Struct, frozen=True, kw_only=True, tag="activate"):
    """Move the boat or the locomotive, all of whose spaces are known."""

    fresh: int
    ways: tuple[Way, ...]


class ActivateUncharted(Struct, frozen=True, kw_only=True, tag="activate_uncharted"):
    """Move one of them on the real board, and tell where it stands by the plots beside it."""

    fresh: int
    ways: tuple[Way, ...]


class FaceDown(Struct, frozen=True, kw_only=True):
    """A card to look at; `seat` is whose secret objective it is."""

    card: str
    kind: Literal["ranch", "mine", "secret"]
    seat: int | None


class Look(Struct, frozen=True, kw_only=True, tag="look"):
    """Look at one face-down card, or at none. `are_real`: some lie on the table."""

    fresh: int
    cards: tuple[FaceDown, ...]
    are_real: bool


class PutBack(Struct, frozen=True, kw_only=True, tag="put_back"):
    """Look at the card in hand, an objective or an amount, and put it back."""

    fresh: int
    card: str
    objective: SecretObjective | None
    amount: int | None


class TurnCard(Struct, frozen=True, kw_only=True, tag="turn_card"):
    """Tell what a real card shows. `amounts` are those such cards are known to have."""

    fresh: int
    kind: Literal["mine", "ranch"]
    amounts: tuple[int, ...]
    any_amounts: tuple[int, ...]


# Between two auctions


class LayObjective(Struct, frozen=True, kw_only=True, tag="lay_objective"):
    """Tell which real card lies on the pile of this amount."""

    fresh: int
    amount: int
    objectives: tuple[SharedObjective, ...]


class Claims(Struct, frozen=True, kw_only=True, tag="claims"):
    """Claim shared objectives. `are_blind`: whether they are met is for the seat to know."""

    fresh: int
    piles: tuple[Pile, ...]
    are_blind: bool


class DrawPlot(Struct, frozen=True, kw_only=True, tag="draw_plot"):
    """Have the next plot drawn. `is_main`: nothing else is asked beside it."""

    fresh: int
    is_first: bool
    is_main: bool


class TapPlot(Struct, frozen=True, kw_only=True, tag="tap_plot"):
    """Tell which real plot token was turned over."""

    fresh: int
    plots: tuple[int, ...]


class NextDraw(Struct, frozen=True, kw_only=True, tag="next_draw"):
    """Nothing to choose: who draws when the claims are made."""

    seat: int


class Unclaimed(Struct, frozen=True):
    """What somebody meets and has not claimed; None where the table finds that out by itself."""

    seat: int | None
    objective: SharedObjective
    amount: int


class CountUp(Struct, frozen=True, kw_only=True, tag="count_up"):
    """End the game, asked once more. `is_main`: nothing else is asked beside it."""

    fresh: int
    is_main: bool
    unclaimed: tuple[Unclaimed, ...]


class AskBack(Struct, frozen=True, kw_only=True, tag="ask_back"):
    """Have back what one told before it is opened, to tell it anew."""

    fresh: int


# Before the count


class TellObjectives(Struct, frozen=True, kw_only=True, tag="tell_objectives"):
    """Tell one's two real objectives, or others than the `told` ones."""

    fresh: int
    is_owed: bool
    told: tuple[SecretObjective, ...]


class CountNotes(Struct, frozen=True, kw_only=True, tag="count_notes"):
    """Tell what one's real notes come to, or something else than what was `told`."""

    fresh: int
    is_owed: bool
    told: int | None
    most: int


Question: TypeAlias = (
    BoardAsk
    | Idle
    | OpenBid
    | CannotBid
    | Pass
    | CallDuel
    | SealedBid
    | Ceiling
    | LastTwoDuel
    | RecordAuction
    | ConfirmSale
    | ConfirmDuel
    | ConfirmWithToken
    | CannotPay
    | ShuffleDuel
    | PickDuelCard
    | TellDuel
    | TakeToken
    | Activate
    | ActivateUncharted
    | Look
    | PutBack
    | TurnCard
    | LayObjective
    | Claims
    | DrawPlot
    | TapPlot
    | NextDraw
    | CountUp
    | AskBack
    | TellObjectives
    | CountNotes
)
"""All that a phone can ask."""
