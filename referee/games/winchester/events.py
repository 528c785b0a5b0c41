"""What happened, in the past tense. Every event is public: none says what a seat may not know."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from referee.games.base import Facts

from .actions import Correction
from .model import How, SharedObjective, Token, Vehicle


class Dealt(Struct, frozen=True, tag="dealt"):
    """Everything is laid out."""

    star: int


class ObjectiveLaid(Struct, frozen=True, tag="objective_laid"):
    """A real shared objective was told; it lies on the pile of this amount."""

    objective: SharedObjective
    amount: int


class PlotDrawn(Struct, frozen=True, tag="plot_drawn"):
    """A plot came under auction."""

    seat: int
    plot: int


class BidMade(Struct, frozen=True, tag="bid_made"):
    """A seat bid aloud."""

    seat: int
    amount: int


class Passed(Struct, frozen=True, tag="passed"):
    """A seat left the auction."""

    seat: int


# Without its amount, which is told with all others at once; that somebody bid all may see.
class BidSubmitted(Struct, frozen=True, tag="bid_submitted"):
    """A seat handed in a sealed bid."""

    seat: int


class BidsRevealed(Struct, frozen=True, tag="bids_revealed"):
    """All sealed bids were turned over: pairs (seat, amount), clockwise from the star."""

    bids: tuple[tuple[int, int], ...]


class BidsTied(Struct, frozen=True, tag="bids_tied"):
    """The highest sealed bids are equal; these seats bid again."""

    seats: tuple[int, ...]
    amount: int


# In the order of seats: in that of their limits it would say who wins.
class LastTwoLeft(Struct, frozen=True, tag="last_two_left"):
    """A proxy auction is down to two, in seat order."""

    seats: tuple[int, ...]


class SaleRecorded(Struct, frozen=True, tag="sale_recorded"):
    """The result of a spoken auction was tapped in."""

    winner: int
    price: int


class DuelRecorded(Struct, frozen=True, tag="duel_recorded"):
    """A duel of a spoken auction was tapped in; it begins once the bid is confirmed."""

    caller: int
    called: int
    price: int


class SaleRejected(Struct, frozen=True, tag="sale_rejected"):
    """The recorded winner did not confirm; why is not said here."""

    seat: int


class DuelCalled(Struct, frozen=True, tag="duel_called"):
    """A seat spent its duel token."""

    caller: int
    called: int
    price: int


class CardsShuffled(Struct, frozen=True, tag="cards_shuffled"):
    """The duel cards lie face down."""

    seat: int


class DuelDecided(Struct, frozen=True, tag="duel_decided"):
    """Both duel cards were turned."""

    winner: int
    loser: int


class PlotBought(Struct, frozen=True, tag="plot_bought"):
    """A plot changed hands: what was paid, what each other seat got, what the saloon got."""

    seat: int
    plot: int
    price: int
    share: int
    tip: int
    how: How


class TokenTaken(Struct, frozen=True, tag="token_taken"):
    """The plot's bonus token went to the buyer."""

    seat: int
    token: Token


class TipsTaken(Struct, frozen=True, tag="tips_taken"):
    """The saloon's older tips went to the buyer; 0 is a dry saloon."""

    seat: int
    amount: int


class VehicleActivated(Struct, frozen=True, tag="vehicle_activated"):
    """A vehicle stands active on a space."""

    seat: int
    vehicle: Vehicle
    space: str


class BankPaid(Struct, frozen=True, tag="bank_paid"):
    """The bank paid a seat; `owed` is what it could not pay."""

    seat: int
    amount: int
    owed: int
    why: Literal["boat", "locomotive", "mine", "ranch"]


# Hands at the table show which card it is, so nothing is told that eyes do not see.
class CardLooked(Struct, frozen=True, tag="card_looked"):
    """A seat looked at a card. Which one is public, what it shows is not."""

    seat: int
    card: str


class CardRevealed(Struct, frozen=True, tag="card_revealed"):
    """A mine or ranch card was turned over."""

    seat: int
    plot: int
    kind: Literal["mine", "ranch"]
    amount: int


class ObjectiveClaimed(Struct, frozen=True, tag="objective_claimed"):
    """A shared objective was met and paid."""

    seat: int
    objective: SharedObjective
    amount: int


class ClaimFailed(Struct, frozen=True, tag="claim_failed"):
    """A seat claimed an objective that it does not meet."""

    seat: int
    objective: SharedObjective


class FactsLearnt(Struct, frozen=True, tag="facts_learnt"):
    """Somebody told something about the board."""

    facts: Facts


class HandedIn(Struct, frozen=True, tag="handed_in"):
    """A seat told its real objectives and notes; what they are is not said here."""

    seat: int


class HandedBack(Struct, frozen=True, tag="handed_back"):
    """A seat has what it told back, to tell it anew."""

    seat: int


# Without the objective: that two hold it is known to them alone, and one of them is wrong.
class EnteredTwice(Struct, frozen=True, tag="entered_twice"):
    """Two seats entered the same objective, of which there is only one: they enter anew."""

    seats: tuple[int, ...]


class Miscounted(Struct, frozen=True, tag="miscounted"):
    """All real notes together do not come to what the referee recorded, in dollars."""

    counted: int
    expected: int


class Counted(Struct, frozen=True, tag="counted"):
    """The game is over."""

    winners: tuple[int, ...]


class Undermined(Struct, frozen=True, tag="undermined"):
    """By what is known now, an objective was paid that the seat did not meet."""

    seat: int
    objective: SharedObjective
    amount: int


class NowMet(Struct, frozen=True, tag="now_met"):
    """By what is known now, a seat meets an objective that still lies there."""

    seat: int
    objective: SharedObjective


class TokensAstray(Struct, frozen=True, tag="tokens_astray"):
    """By what lies openly there are more or fewer bonus tokens than the box has."""

    counted: int
    expected: int


class PlotNow(Struct, frozen=True, tag="plot_now"):
    """Whose hat stands on a plot after something was told anew; None is nobody's."""

    plot: int
    seat: int | None


class TokensNow(Struct, frozen=True, tag="tokens_now"):
    """How many bonus tokens of a kind lie before a seat after something was told anew."""

    seat: int
    token: Token
    count: int


class TipsNow(Struct, frozen=True, tag="tips_now"):
    """What lies in the saloon after something was told anew."""

    amount: int


class StarNow(Struct, frozen=True, tag="star_now"):
    """Who holds the star after something was told anew."""

    seat: int


class VehicleNow(Struct, frozen=True, tag="vehicle_now"):
    """Where a vehicle stands after something was told anew."""

    vehicle: Vehicle
    space: str


class ClaimUndone(Struct, frozen=True, tag="claim_undone"):
    """An objective was not paid on the true course; its card and notes lie there again."""

    seat: int
    objective: SharedObjective
    amount: int


class PileNow(Struct, frozen=True, tag="pile_now"):
    """Which objective lies on a pile after something was told anew."""

    objective: SharedObjective
    amount: int


class AuctionAnew(Struct, frozen=True, tag="auction_anew"):
    """What was told anew bears on the auction under way: it begins again."""

    plot: int


class Reopened(Struct, frozen=True, tag="reopened"):
    """On the true course the game is not over."""


class PurseNow(Struct, frozen=True, tag="purse_now"):
    """What one's purse holds after something was told anew: its owner alone is told."""

    was: int
    now: int


class Corrected(Struct, frozen=True, tag="corrected"):
    """The table set something to what the real board shows."""

    correction: Correction


# Without PurseNow: what a purse holds is told to its owner alone, and stands in no log.
Event: TypeAlias = (
    Dealt
    | ObjectiveLaid
    | PlotDrawn
    | BidMade
    | Passed
    | BidSubmitted
    | BidsRevealed
    | BidsTied
    | LastTwoLeft
    | SaleRecorded
    | DuelRecorded
    | SaleRejected
    | DuelCalled
    | CardsShuffled
    | DuelDecided
    | PlotBought
    | TokenTaken
    | TipsTaken
    | VehicleActivated
    | BankPaid
    | CardLooked
    | CardRevealed
    | ObjectiveClaimed
    | ClaimFailed
    | FactsLearnt
    | HandedIn
    | HandedBack
    | EnteredTwice
    | Miscounted
    | Counted
    | Corrected
    | PlotNow
    | TokensNow
    | TipsNow
    | StarNow
    | VehicleNow
    | ClaimUndone
    | PileNow
    | AuctionAnew
    | Reopened
    | TokensAstray
    | Undermined
    | NowMet
)
