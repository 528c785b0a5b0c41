"""What a seat can do, as imperatives. The tags are the stable names of the HTTP API."""

from __future__ import annotations

from typing import Final, TypeAlias

from msgspec import Struct

from .model import NOTE, NOTES, SharedObjective, Token, Vehicle


class DrawPlot(Struct, frozen=True, tag="draw_plot"):
    """Turn over the next plot token."""


class Bid(Struct, frozen=True, tag="bid"):
    """Bid in an open auction, in dollars."""

    amount: int


class Pass(Struct, frozen=True, tag="pass"):
    """Leave this auction."""


class SubmitBid(Struct, frozen=True, tag="submit_bid"):
    """Hand in a sealed bid, in dollars; 0 is a pass. May be changed until the last one is in."""

    amount: int


class SubmitCeiling(Struct, frozen=True, tag="submit_ceiling"):
    """Hand in the most one would pay, in dollars; 0 is a pass. The referee bids up to it."""

    amount: int


class LetStand(Struct, frozen=True, tag="let_stand"):
    """Call no duel; the auction ends as it stands."""


class RecordSale(Struct, frozen=True, tag="record_sale"):
    """Say who won the spoken auction, and at what price in dollars."""

    winner: int
    price: int


class RecordNobody(Struct, frozen=True, tag="record_nobody"):
    """Say that nobody bid in the spoken auction."""


class RecordDuel(Struct, frozen=True, tag="record_duel"):
    """Say that in the spoken auction one of the last two called a duel at the standing bid."""

    caller: int
    called: int
    price: int


class ConfirmSale(Struct, frozen=True, tag="confirm_sale"):
    """Confirm that one won at the recorded price."""


class RejectSale(Struct, frozen=True, tag="reject_sale"):
    """Say that the record is wrong, or that one cannot pay: the auction is recorded anew."""


class CallDuel(Struct, frozen=True, tag="call_duel"):
    """Spend the duel token against the other one left."""


class Shuffle(Struct, frozen=True, tag="shuffle"):
    """Shuffle the two duel cards, by someone who is not in the duel."""


class PickCard(Struct, frozen=True, tag="pick_card"):
    """Take one of the two face-down duel cards, 0 or 1."""

    card: int


class Activate(Struct, frozen=True, tag="activate"):
    """Move a vehicle to a space, or leave it where it stands, and make it active."""

    vehicle: Vehicle
    space: str


class Look(Struct, frozen=True, tag="look"):
    """Look at a face-down card: `secret:SEAT:INDEX`, `ranch` or `mine:PLOT`."""

    card: str


class PutBack(Struct, frozen=True, tag="put_back"):
    """Put the card back that one looked at."""


class SkipLook(Struct, frozen=True, tag="skip_look"):
    """Look at nothing."""


class Claim(Struct, frozen=True, tag="claim"):
    """Take a shared objective's notes."""

    objective: SharedObjective


class CountUp(Struct, frozen=True, tag="count_up"):
    """End the game after the last plot."""


Action: TypeAlias = (
    DrawPlot
    | Bid
    | Pass
    | SubmitBid
    | SubmitCeiling
    | LetStand
    | RecordSale
    | RecordNobody
    | RecordDuel
    | ConfirmSale
    | RejectSale
    | CallDuel
    | Shuffle
    | PickCard
    | Activate
    | Look
    | PutBack
    | SkipLook
    | Claim
    | CountUp
)

BIDS: Final = tuple(Bid(NOTE * n) for n in range(1, NOTES + 1))
SEALED_BIDS: Final = tuple(SubmitBid(NOTE * n) for n in range(NOTES + 1))
CEILINGS: Final = tuple(SubmitCeiling(NOTE * n) for n in range(NOTES + 1))
PASS: Final = Pass()
CALL_DUEL: Final = CallDuel()


class Transfer(Struct, frozen=True):
    """Notes that change place: `source` and `target` are a seat's index, "bank" or "saloon".

    A place that holds less gives all it has; nobody is told.
    """

    source: int | str
    target: int | str
    amount: int


class Owned(Struct, frozen=True):
    """Whose hat stands on a plot; None is nobody's."""

    plot: int
    seat: int | None


class Holding(Struct, frozen=True):
    """How many bonus tokens of a kind lie before a seat."""

    seat: int
    token: Token
    count: int


class Correction(Struct, frozen=True):
    """What the real table shows, where the referee has it differently."""

    transfers: tuple[Transfer, ...] = ()
    owners: tuple[Owned, ...] = ()
    held: tuple[Holding, ...] = ()
    star: int | None = None
    boat: str | None = None
    locomotive: str | None = None
