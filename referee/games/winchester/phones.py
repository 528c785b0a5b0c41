"""What one seat's phone asks now, most urgent first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple, TypeVar

from referee.games.base import Mood

from . import actions, asks
from .asks import Question
from .board_asks import about_board
from .desk import amounts_seen, kind_of_card, prices_up_to
from .model import Space, Vehicle
from .view import Own, Public, plots_left

_Kind = TypeVar("_Kind")


class Asking(NamedTuple):
    """All that a seat's questions are made from."""

    public: Public
    own: Own
    legal: tuple[actions.Action, ...]
    seat: int
    fresh: int

    def may(self, kind: type[Any]) -> bool:
        """Say whether the seat may do something of this kind."""
        return any(isinstance(action, kind) for action in self.legal)

    def all(self, kind: type[_Kind]) -> tuple[_Kind, ...]:
        """Give what the seat may do of this kind, in order."""
        return tuple([action for action in self.legal if isinstance(action, kind)])


_ASIDE: Final = actions.EnterSecrets | actions.ForgetSecrets
"""What can be told any time."""


def has_to_choose(public: Public, legal: tuple[actions.Action, ...]) -> bool:
    """Say whether there is something to do beside telling one's real objectives any time."""
    if public.phase == "handing_in":
        return bool(legal)
    return any(not isinstance(action, _ASIDE) for action in legal)


def mood(public: Public, legal: tuple[actions.Action, ...], seat: int) -> Mood:
    """Say whether a seat holds up the table, may do something, or waits."""
    if seat in public.waiting_for:
        return "asked"
    return "able" if has_to_choose(public, legal) else "waiting"


def questions(
    public: Public, own: Own, legal: tuple[actions.Action, ...], seat: int, fresh: int
) -> tuple[Question, ...]:
    """Give what a phone asks: first of the board, then of the seat; or who is waited for."""
    # What can be told any time makes nobody a seat that is asked: its page reads like all others.
    if not has_to_choose(public, legal):
        return idle(public)
    at = Asking(public, own, legal, seat, fresh)
    board = () if public.question is None else (about_board(public.question, fresh),)
    ask = _ASKS.get(public.phase)
    return (*board, *(() if ask is None else ask(at)))


def idle(public: Public) -> tuple[asks.Idle, ...]:
    """Say who is waited for, in words that are the same on every phone."""
    if not public.waiting_for:
        return ()
    return (asks.Idle(seat=public.waiting_for[0], doing=_doing(public)),)


_DOING: Final[Mapping[str, asks.Doing]] = {
    "laying_out": "lay_out",
    "taking": "takes",
    "turning": "turns",
    "claiming": "look_at_board",
    "counting": "look_at_board",
    "moving": "moves",
    "rumor": "looks",
}


def _doing(public: Public) -> asks.Doing:
    match public.phase:
        case "between":
            return "draws" if plots_left(public) else "counts_up"
        case "handing_in":
            return "hand_in" if public.owes else "counts_up"
        case "spoken_auction":
            is_recorded = public.auction is not None and public.auction.leader is not None
            return "confirms" if is_recorded else "records"
        case "duel":
            if public.duel is not None and public.duel.shuffled:
                return "duel"
            return "shuffles" if len(public.waiting_for) == 1 else "shuffle"
        case phase if phase in _DOING:
            return _DOING[phase]
        case _:
            return "thinks" if len(public.waiting_for) == 1 else "all_think"


# The auction and the duel


def _open_auction(at: Asking) -> tuple[Question, ...]:
    may_duel = at.may(actions.CallDuel)
    bids = [bid.amount for bid in at.all(actions.Bid)]
    if not bids and not at.may(actions.Pass):
        # Out of turn; who waits reads the same as everybody else.
        call = (asks.CallDuel(fresh=at.fresh),) if may_duel else ()
        return (*idle(at.public), *call) if call else ()
    # Only on the page of whose turn it is: that a purse is too small nobody else may see.
    bid: Question = asks.CannotBid()
    if bids:
        bid = asks.OpenBid(fresh=at.fresh, quick=tuple(bids[:4]), least=bids[0], most=bids[-1])
    return bid, asks.Pass(fresh=at.fresh, may_duel=may_duel)


def _sealed_auction(at: Asking) -> tuple[Question, ...]:
    bids = [bid.amount for bid in at.all(actions.SubmitBid)]
    if not bids:
        return ()
    ask = asks.SealedBid(
        fresh=at.fresh,
        turn=at.public.turn,
        least=bids[0],
        most=bids[-1],
        bid=at.own.bid,
        may_duel=at.may(actions.CallDuel),
    )
    return (ask,)


def _proxy_auction(at: Asking) -> tuple[Question, ...]:
    ceilings = at.all(actions.SubmitCeiling)
    if not ceilings:
        return ()
    ask = asks.Ceiling(
        fresh=at.fresh,
        turn=at.public.turn,
        most=ceilings[-1].amount,
        bid=at.own.bid,
    )
    return (ask,)


def _last_two(at: Asking) -> tuple[Question, ...]:
    if not at.may(actions.LetStand):
        return ()
    return (asks.LastTwoDuel(fresh=at.fresh, may_duel=at.may(actions.CallDuel)),)


def _spoken_auction(at: Asking) -> tuple[Question, ...]:
    auction = at.public.auction
    if auction is not None and at.may(actions.RejectSale):
        sale = {"fresh": at.fresh, "plot": auction.plot, "price": auction.standing}
        confirm = at.all(actions.ConfirmSale)
        if auction.duel is not None:
            caller, called = auction.duel
            # Of their own purse, on their own page; to the table a refusal reads like a slip.
            can_pay = bool(confirm)
            return (asks.ConfirmDuel(**sale, caller=caller, called=called, can_pay=can_pay),)
        if not confirm:
            return (asks.CannotPay(**sale),)
        if confirm[0].token is None:
            return (asks.ConfirmSale(**sale),)
        return (asks.ConfirmWithToken(**sale),)
    if not at.may(actions.RecordNobody):
        return ()
    prices = [sale.price for sale in at.all(actions.RecordSale)]
    ask = asks.RecordAuction(
        fresh=at.fresh,
        turn=at.public.turn,
        may_duel=at.may(actions.RecordDuel),
        **prices_up_to(max(prices, default=0)),
    )
    return (ask,)


def _duel(at: Asking) -> tuple[Question, ...]:
    duel = at.public.duel
    if duel is None:
        return ()
    if at.may(actions.PickCard):
        pick = asks.PickDuelCard(
            fresh=at.fresh, plot=duel.plot, price=duel.price, taken=duel.picked
        )
        return (pick,)
    two = {"fresh": at.fresh, "caller": duel.caller, "called": duel.called}
    if at.may(actions.Shuffle):
        return (asks.ShuffleDuel(**two),)
    return (asks.TellDuel(**two),) if at.may(actions.WinDuel) else ()


# A purchase


def _taking(at: Asking) -> tuple[Question, ...]:
    if at.public.plot is None or not at.may(actions.TakeToken):
        return ()
    return (asks.TakeToken(fresh=at.fresh, plot=at.public.plot),)


def _moving(at: Asking) -> tuple[Question, ...]:
    if not at.may(actions.Activate):
        return ()
    public, chart = at.public, at.public.chart
    owners = [plot.owner for plot in public.plots]
    lines: tuple[tuple[Vehicle, tuple[Space, ...], str, tuple[int, ...]], ...] = (
        ("boat", chart.boat, public.boat, chart.boat_sides),
        ("locomotive", chart.locomotive, public.locomotive, chart.locomotive_sides),
    )
    ways = tuple(
        asks.Way(
            vehicle=vehicle,
            stops=tuple(
                asks.Stop(
                    name=space.name,
                    plots=space.touches,
                    owners=_present(owners[plot - 1] for plot in space.touches),
                    is_here=space.name == here,
                )
                for space in spaces
            ),
            sides=None
            if vehicle in chart.charted
            else tuple(asks.Side(plot, owners[plot - 1]) for plot in sides),
        )
        for vehicle, spaces, here, sides in lines
    )
    if all(way.sides is None for way in ways):
        return (asks.Activate(fresh=at.fresh, ways=ways),)
    return (asks.ActivateUncharted(fresh=at.fresh, ways=ways),)


def _rumor(at: Asking) -> tuple[Question, ...]:
    peek = at.own.peek
    if peek is not None and at.may(actions.PutBack):
        put_back = asks.PutBack(
            fresh=at.fresh, card=peek.card, objective=peek.objective, amount=peek.amount
        )
        return (put_back,)
    cards = tuple(_face_down(look.card) for look in at.all(actions.Look))
    if not cards:
        return ()
    are_real = at.public.rules.from_box("land_cards")
    return (asks.Look(fresh=at.fresh, cards=cards, are_real=are_real),)


def _face_down(card: str) -> asks.FaceDown:
    kind, _, which = card.partition(":")
    if kind == "secret":
        return asks.FaceDown(card=card, kind="secret", seat=int(which.partition(":")[0]))
    return asks.FaceDown(card=card, kind="ranch" if kind == "ranch" else "mine", seat=None)


def _turning(at: Asking) -> tuple[Question, ...]:
    if not at.may(actions.TurnCard):
        return ()
    kind, amounts = kind_of_card(at.public), amounts_seen(at.public)
    turn = asks.TurnCard(fresh=at.fresh, kind=kind, amounts=amounts, any_amounts=asks.AMOUNTS)
    return (turn,)


# Between two auctions, and before the count


def _laying_out(at: Asking) -> tuple[Question, ...]:
    cards = at.all(actions.LayObjective)
    if at.public.pile is None or not cards:
        return ()
    ask = asks.LayObjective(
        fresh=at.fresh,
        amount=at.public.pile,
        objectives=tuple(card.objective for card in cards),
    )
    return (ask,)


def _between(at: Asking) -> tuple[Question, ...]:
    wanted = {claim.objective for claim in at.all(actions.Claim)}
    piles = tuple(pile for pile in at.public.piles if pile.objective in wanted)
    after = _after_claims(at, is_main=not piles)
    if not piles:
        return after
    are_blind = at.public.rules.claims == "players"
    claims = asks.Claims(fresh=at.fresh, piles=piles, are_blind=are_blind)
    return claims, *(after or (asks.NextDraw(seat=at.public.star),))


def _after_claims(at: Asking, *, is_main: bool) -> tuple[Question, ...]:
    """Give what only the star's holder is asked."""
    if at.may(actions.CountUp):
        return (asks.CountUp(fresh=at.fresh, is_main=is_main, unclaimed=_unclaimed(at.public)),)
    draws = at.all(actions.DrawPlot)
    if not draws:
        return ()
    plots = _present(draw.plot for draw in draws)
    if plots:
        return (asks.TapPlot(fresh=at.fresh, plots=plots),)
    return (asks.DrawPlot(fresh=at.fresh, is_first=at.public.turn == 0, is_main=is_main),)


def _unclaimed(public: Public) -> tuple[asks.Unclaimed, ...]:
    """Name what is still to be claimed: by whom, or where nobody may say that, only what."""
    if public.phase != "between":
        return ()
    # Then no page may say who could, so all piles are named alike.
    if public.rules.claims == "players":
        return tuple(asks.Unclaimed(None, pile.objective, pile.amount) for pile in public.piles)
    amounts = {pile.objective: pile.amount for pile in public.piles}
    return tuple(
        asks.Unclaimed(seat.seat, objective, amounts[objective])
        for seat in public.seats
        for objective in seat.met
    )


def _handing_in(at: Asking) -> tuple[Question, ...]:
    owes = next((owing for owing in at.public.owes if owing.seat == at.seat), None)
    asked: tuple[Question, ...] = ()
    if at.may(actions.CountUp):
        asked = _after_claims(at, is_main=True)
    # All is told, and before it is opened anybody may still ask theirs back.
    if not at.public.owes:
        return (*asked, *((asks.AskBack(fresh=at.fresh),) if at.may(actions.ForgetSecrets) else ()))
    if at.may(actions.EnterSecrets):
        is_owed = owes is not None and owes.objectives
        asked = (asks.TellObjectives(fresh=at.fresh, is_owed=is_owed, told=at.own.secrets),)
    counts = at.all(actions.CountCash)
    if counts:
        is_owed = owes is not None and owes.notes
        notes = asks.CountNotes(
            fresh=at.fresh, is_owed=is_owed, told=at.own.counted, most=counts[-1].amount
        )
        asked = (*asked, notes)
    return asked


_ASKS: Final[Mapping[str, Callable[[Asking], tuple[Question, ...]]]] = {
    "open_auction": _open_auction,
    "sealed_auction": _sealed_auction,
    "proxy_auction": _proxy_auction,
    "last_two": _last_two,
    "spoken_auction": _spoken_auction,
    "duel": _duel,
    "taking": _taking,
    "moving": _moving,
    "rumor": _rumor,
    "turning": _turning,
    "laying_out": _laying_out,
    "between": _between,
    "handing_in": _handing_in,
}
"""What each phase asks of a seat; the others ask about the board alone."""


def _present(values: Iterable[int | None]) -> tuple[int, ...]:
    return tuple([value for value in values if value is not None])
