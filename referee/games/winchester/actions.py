"""What a seat can do, as imperatives. The tags are the stable names of the HTTP API."""

from __future__ import annotations

from typing import Final, TypeAlias, final

from msgspec import Struct
from msgspec.structs import force_setattr

from referee.games.base import Answer, Facts

from .model import (
    MOST_ON_A_CARD,
    NOTE,
    NOTES,
    PLOTS,
    SECRET_OBJECTIVES,
    SHARED_OBJECTIVES,
    SecretObjective,
    SharedObjective,
    Token,
    Vehicle,
)


class LayObjective(Struct, frozen=True, tag="lay_objective"):
    """Say which real shared objective lies on the next pile, the smallest first."""

    objective: SharedObjective


class DrawPlot(Struct, frozen=True, tag="draw_plot", omit_defaults=True):
    """Turn over the next plot token; `plot` says which real one it is."""

    plot: int | None = None


class Bid(Struct, frozen=True, tag="bid"):
    """Bid in an open auction, in dollars."""

    amount: int


class Pass(Struct, frozen=True, tag="pass"):
    """Leave this auction."""


# A pass is a bid of 0 and no action of its own: who notices one must not know which it was.
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


class RecordDuel(Struct, frozen=True, tag="record_duel", omit_defaults=True):
    """Say that in the spoken auction one of the last two called a duel at the standing bid.

    `bidder` is the one of the two whose bid it is; if nothing is said, the one who was called.
    """

    caller: int
    called: int
    price: int
    bidder: int | None = None


class ConfirmSale(Struct, frozen=True, tag="confirm_sale", omit_defaults=True):
    """Confirm that one won at the recorded price; `token` is the real bonus token taken.

    Of a duel: confirm that one can pay the price for which it is fought.
    """

    token: Token | None = None


# One action for both: which of them it was would tell all what the purse does not hold.
class RejectSale(Struct, frozen=True, tag="reject_sale"):
    """Say that the record is wrong, or that one cannot pay: the auction is recorded anew."""


class CallDuel(Struct, frozen=True, tag="call_duel"):
    """Spend the duel token against the other one left."""


class Shuffle(Struct, frozen=True, tag="shuffle"):
    """Shuffle the two duel cards, by someone who is not in the duel."""


class PickCard(Struct, frozen=True, tag="pick_card"):
    """Take one of the two face-down duel cards, 0 or 1."""

    card: int


# Who won and not which card: with real cards only the outcome can be told.
class WinDuel(Struct, frozen=True, tag="win_duel"):
    """Say who of the two drew the real card that fires."""

    winner: int


class TakeToken(Struct, frozen=True, tag="take_token"):
    """Say which real bonus token lay on the plot just bought."""

    token: Token


class Activate(Struct, frozen=True, tag="activate"):
    """Move a vehicle to a space, or leave it where it stands, and make it active.

    On a board whose spaces are not known, `space` names the plots it touches, such as "5-8", in
    any order.
    """

    vehicle: Vehicle
    space: str

    def __post_init__(self) -> None:
        """Keep one order only: the same space must not have two names."""
        touches = self.space.split("-")
        if len(touches) > 1 and all(map(str.isdecimal, touches)):
            force_setattr(self, "space", "-".join(sorted(touches, key=int)))


class Look(Struct, frozen=True, tag="look"):
    """Look at a face-down card: `secret:SEAT:INDEX`, `ranch` or `mine:PLOT`."""

    card: str


class PutBack(Struct, frozen=True, tag="put_back"):
    """Put the card back that one looked at."""


class SkipLook(Struct, frozen=True, tag="skip_look"):
    """Look at nothing."""


class TurnCard(Struct, frozen=True, tag="turn_card"):
    """Say what the real mine or ranch card shows, in dollars."""

    amount: int


@final
class Claim(Struct, frozen=True, tag="claim"):
    """Take a shared objective's notes."""

    objective: SharedObjective


class EnterSecrets(Struct, frozen=True, tag="enter_secrets"):
    """Tell the referee, in secret, which two real objectives one holds."""

    objectives: tuple[SecretObjective, SecretObjective]

    def __post_init__(self) -> None:
        """Keep one order only: the same two cards must not be two different actions."""
        ordered = tuple(sorted(self.objectives, key=SECRET_OBJECTIVES.index))
        force_setattr(self, "objectives", ordered)


class ForgetSecrets(Struct, frozen=True, tag="forget_secrets"):
    """Have one's objectives forgotten, to enter them again."""


class CountCash(Struct, frozen=True, tag="count_cash"):
    """Tell the referee, in secret, what one's real notes come to, in dollars."""

    amount: int


class CountUp(Struct, frozen=True, tag="count_up"):
    """End the game after the last plot."""


InAuction: TypeAlias = (
    SubmitCeiling | LetStand | RecordSale | RecordNobody | RecordDuel | ConfirmSale | RejectSale
)
"""What is done in auctions that are neither open nor sealed, apart from the duel."""

Action: TypeAlias = (
    Answer
    | LayObjective
    | DrawPlot
    | Bid
    | Pass
    | SubmitBid
    | InAuction
    | CallDuel
    | Shuffle
    | PickCard
    | WinDuel
    | TakeToken
    | Activate
    | Look
    | PutBack
    | SkipLook
    | TurnCard
    | Claim
    | EnterSecrets
    | ForgetSecrets
    | CountCash
    | CountUp
)

# Made once, and cut to size: lists of legal actions are made at every bid of every game.
BIDS: Final = tuple(Bid(NOTE * n) for n in range(1, NOTES + 1))
SEALED_BIDS: Final = tuple(SubmitBid(NOTE * n) for n in range(NOTES + 1))
CEILINGS: Final = tuple(SubmitCeiling(NOTE * n) for n in range(NOTES + 1))
COUNTS: Final = tuple(CountCash(NOTE * n) for n in range(NOTES + 1))
TURNS: Final = tuple(TurnCard(amount) for amount in range(0, MOST_ON_A_CARD + NOTE, NOTE))
PASS: Final = Pass()
CALL_DUEL: Final = CallDuel()
DRAW: Final = DrawPlot()
DRAWS: Final = tuple(DrawPlot(plot) for plot in range(1, PLOTS + 1))
CLAIMS: Final = {objective: Claim(objective) for objective in SHARED_OBJECTIVES}


class Transfer(Struct, frozen=True):
    """Notes that change place: `source` and `target` are a seat's index, "bank" or "saloon".

    What leaves a purse has to be agreed to by its owner, who alone knows whether it holds as much.
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


class Lying(Struct, frozen=True):
    """Which shared objective lies on the pile of this amount, in dollars."""

    amount: int
    objective: SharedObjective


class Has(Struct, frozen=True):
    """Whether a seat still has its duel token, or once found the saloon dry."""

    seat: int
    has: bool


# One struct for all of it: hands that moved several things set them right in one agreement.
class Correction(Struct, frozen=True):
    """What the real table shows, where the referee has it differently.

    `facts` are about the board, see `board`.
    """

    transfers: tuple[Transfer, ...] = ()
    owners: tuple[Owned, ...] = ()
    held: tuple[Holding, ...] = ()
    star: int | None = None
    boat: str | None = None
    locomotive: str | None = None
    piles: tuple[Lying, ...] = ()
    duel_tokens: tuple[Has, ...] = ()
    dry: tuple[Has, ...] = ()
    facts: Facts = ()
