"""Daddy Winchester, known in French as Pappy Winchester: auctions with secret money.

Rulebook: HUCH! 2020 (German, English) and Blue Orange 2019 (French). Each module is a chapter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from referee.errors import GameOver, IllegalAction
from referee.games import answering
from referee.games.base import (
    Answer,
    BoardQuestion,
    Facts,
    Outcome,
    Result,
    Step,
)

from . import (
    META,
    answers,
    auction,
    boards,
    deal,
    duel,
    ending,
    forms,
    objectives,
    proxy,
    purchase,
    questions,
    scoring,
    screens,
    secrets,
    spoken,
    telling,
)
from . import view as views
from .actions import (
    CEILINGS,
    PASS,
    SEALED_BIDS,
    Action,
    Activate,
    Bid,
    CallDuel,
    Claim,
    ConfirmSale,
    Correction,
    CountCash,
    CountUp,
    DrawPlot,
    EnterSecrets,
    ForgetSecrets,
    InAuction,
    LayObjective,
    LetStand,
    Look,
    Pass,
    PickCard,
    PutBack,
    RecordDuel,
    RecordNobody,
    RecordSale,
    RejectSale,
    Shuffle,
    SkipLook,
    SubmitBid,
    SubmitCeiling,
    TakeToken,
    TurnCard,
    WinDuel,
)
from .corrections import correct, owners, tokens_seen
from .events import Event
from .model import (
    NOTE,
    NOTES,
    PILES,
    PLOTS,
    Between,
    Claiming,
    Counting,
    Dealing,
    Drawing,
    Duel,
    Ended,
    HandingIn,
    LastTwo,
    LayingOut,
    Moving,
    OpenAuction,
    ProxyAuction,
    Rumor,
    SealedAuction,
    SpokenAuction,
    State,
    Taking,
    Turning,
    replace,
)
from .unboxing import unboxing

__all__ = [
    "META",
    "Action",
    "Correction",
    "Event",
    "State",
    "answer",
    "apply",
    "boards",
    "chance",
    "correct",
    "forms",
    "legal_actions",
    "own",
    "owners",
    "public",
    "question",
    "remember",
    "score",
    "screens",
    "setup",
    "stand_in",
    "telling",
    "to_act",
    "unboxing",
    "violations",
]


def setup(options: Mapping[str, str], seats: int, board: Mapping[str, Any]) -> Step:
    """Give the start of a game; see `deal.setup`."""
    return deal.setup(options, seats, board)


def to_act(state: State) -> frozenset[int]:
    """Name the seats that are asked something, from public facts alone."""
    # Everybody, whether or not they have told theirs: the set is public, and would tell who has.
    is_asked = not state.board.lands.is_known and questions.question(state) is not None
    if is_asked or (state.rules.box and secrets.may_enter(state)):
        return state.everybody
    return _to_act(state)


def _to_act(state: State) -> frozenset[int]:
    phase = state.phase
    # Most states, and by type: to see that a case does not fit takes longer than most of them do.
    if type(phase) is Between:
        claimers = objectives.claimers(state)
        return claimers if state.star in claimers else claimers | {state.star}
    match phase:
        case OpenAuction():
            # A duel may be called out of turn, and who still has a token all can see.
            return frozenset((phase.inside[0], *duel.armed(state, phase)))
        case Duel():
            return duel.to_act(state, phase)
        case Moving() | Rumor() | Taking() | Turning():
            return frozenset((phase.buyer,))
        case SealedAuction() | ProxyAuction():
            # Those who have bid as well: a bid may be changed until the last one is in.
            return frozenset(phase.bidders)
        case LastTwo():
            return frozenset(phase.asked)
        case SpokenAuction():
            return frozenset((state.star if phase.winner is None else phase.winner,))
        case LayingOut() | HandingIn():
            return state.everybody
        case Dealing() | Drawing() | Claiming() | Counting() | Ended():
            return frozenset()
        case _:
            assert_never(phase)


def legal_actions(state: State, seat: int) -> tuple[Action, ...]:
    """Give every complete action this seat may take now, answers about the board among them."""
    actions = _legal(state, seat)
    if not state.board.lands.is_known:
        actions += answering.answers(questions.question(state))
    # Where nothing comes out of the box there is nothing to tell in secret.
    return actions + secrets.legal(state, seat) if state.rules.box else actions


def _legal(state: State, seat: int) -> tuple[Action, ...]:
    phase = state.phase
    if type(phase) is Between:  # as in `_to_act`
        claims = objectives.legal(state, seat)
        return (*claims, *_star_legal(state)) if seat == state.star else claims
    match phase:
        case OpenAuction():
            return auction.open_legal(state, phase, seat)
        case SealedAuction():
            return auction.sealed_legal(state, phase, seat)
        case Duel():
            return duel.legal(state, phase, seat)
        case Moving():
            return purchase.moving_legal(state, phase, seat)
        case Rumor():
            return purchase.rumor_legal(state, phase, seat)
        case ProxyAuction():
            return proxy.legal(state, phase, seat)
        case LastTwo():
            return proxy.last_two_legal(state, phase, seat)
        case SpokenAuction():
            return spoken.legal(state, phase, seat)
        case Taking():
            return purchase.taking_legal(phase, seat)
        case Turning():
            return purchase.turning_legal(state, phase, seat)
        case LayingOut():
            return deal.laying_legal(phase)
        case Dealing() | Drawing() | Claiming() | HandingIn() | Counting() | Ended():
            return ()
        case _:
            assert_never(phase)


def _star_legal(state: State) -> tuple[Action, ...]:
    if questions.question(state) is not None:
        return ()
    return deal.draw_legal(state) if state.plots_left else (CountUp(),)


def stand_in(state: State, seat: int) -> tuple[Action, ...]:
    """Give what the host may do for an absent seat: nothing here depends on its secrets."""
    phase = state.phase
    match phase:
        case OpenAuction() if phase.inside[0] == seat:
            return (PASS,)
        case SealedAuction() if seat in phase.bidders and phase.bids[seat] is None:
            # The least there is: nobody spends the money of somebody who is away.
            return (SEALED_BIDS[phase.floor // NOTE],)
        case ProxyAuction() if seat in phase.bidders and phase.ceilings[seat] is None:
            return CEILINGS[:1]
        case LastTwo() if seat in phase.asked:
            return (LetStand(),)
        case SpokenAuction() if phase.winner == seat:
            return (RejectSale(),)
        case Rumor() if phase.buyer == seat:
            return (PutBack(),) if phase.card else (SkipLook(),)
        case OpenAuction() | SealedAuction() | ProxyAuction() | LastTwo() | Rumor():
            return ()
        case HandingIn() if seat in ending.owing(state) or ending.is_all_told(state):
            return secrets.stand_in(state, seat)
        case _:
            return (*_legal(state, seat), *answering.answers(questions.question(state)))


def apply(state: State, seat: int, action: Action) -> Step:
    """Play an action. Raises NotYourTurn, IllegalAction or GameOver."""
    if type(state.phase) is Ended:  # not `isinstance`, which is slow where the answer is no
        raise GameOver
    if type(action) is Claim:  # as in `_to_act`
        return objectives.claim(state, seat, action.objective)
    match action:  # first what most games consist of
        case Bid():
            return auction.bid(state, seat, action.amount)
        case Pass():
            return auction.pass_(state, seat)
        case DrawPlot():
            return deal.draw(state, seat, action.plot)
        case SubmitBid():
            return auction.submit(state, seat, action.amount)
        case CallDuel():
            return duel.call(state, seat)
        case Shuffle():
            return duel.shuffle(state, seat)
        case PickCard(card):
            return duel.pick(state, seat, card)
        case Activate(vehicle, space):
            return purchase.activate(state, seat, vehicle, space)
        case Look(name):
            return purchase.look(state, seat, name)
        case PutBack():
            return purchase.put_back(state, seat, skip=False)
        case SkipLook():
            return purchase.put_back(state, seat, skip=True)
        case (
            SubmitCeiling()
            | LetStand()
            | RecordSale()
            | RecordNobody()
            | RecordDuel()
            | ConfirmSale()
            | RejectSale()
        ):
            return _in_auction(state, seat, action)
        case Answer(facts):
            answering.check(questions.question(state), facts, section="board")
            return answer(state, facts)
        case LayObjective(objective):
            return deal.lay(state, objective)
        case WinDuel(winner):
            return duel.win(state, winner)
        case TakeToken(token):
            return purchase.take_token(state, seat, token)
        case TurnCard(amount):
            return purchase.tell_card(state, seat, amount)
        case EnterSecrets(pair):
            return secrets.enter(state, seat, pair)
        case ForgetSecrets():
            return secrets.forget(state, seat)
        case CountCash(amount):
            return secrets.count(state, seat, amount)
        case CountUp():
            return ending.count_up(state, seat)
        case _:
            assert_never(action)


def _in_auction(state: State, seat: int, action: InAuction) -> Step:
    match action:
        case SubmitCeiling():
            return proxy.submit(state, seat, action.amount)
        case LetStand():
            return proxy.let_stand(state, seat)
        case RecordSale(winner, price):
            return spoken.record_sale(state, seat, winner, price)
        case RecordNobody():
            return spoken.record_nobody(state, seat)
        case RecordDuel():
            return spoken.record_duel(state, seat, action)
        case ConfirmSale(token):
            return spoken.confirm(state, seat, token)
        case RejectSale():
            return spoken.reject(state, seat)
        case _:
            assert_never(action)


def chance(state: State, outcome: Outcome) -> Step:
    """Take in the deal, a drawn plot token, or the duel card that fires, when it is owed."""
    phase = state.phase
    match outcome.label:
        case "deal" if isinstance(phase, Dealing):
            return deal.dealt(state, outcome.drawn)
        case "plot" if isinstance(phase, Drawing):
            return deal.plot_drawn(state, outcome)
        case "duel" if isinstance(phase, Duel) and None not in phase.picks:
            return duel.turned(state, phase, outcome)
        case _:
            raise IllegalAction("not_owed", label=outcome.label)


def question(state: State) -> BoardQuestion | None:
    """Give the question about the board that has to be settled now, if there is one."""
    return questions.question(state)


def answer(state: State, facts: Facts) -> Step:
    """Take in facts about the board, asked for or not, and whatever follows from them."""
    return answers.answer(state, facts)


def remember(state: State, known: State) -> State:
    """Give a state what another one knows of the board and of cards: what was seen stays seen."""
    return replace(state, board=known.board, looked=known.looked)


def public(state: State) -> views.Public:
    """Build what everybody may see."""
    asked = _to_act(state)
    return views.public(state, to_act(state), asked)


def own(state: State, seat: int) -> views.Own:
    """Build what only this seat may see."""
    return views.own(state, seat)


def score(state: State) -> Result | None:
    """Give the final result once the game is over."""
    return scoring.final(state) if isinstance(state.phase, Ended) else None


def violations(state: State) -> tuple[str, ...]:
    """Name what must never be: notes made or lost, negative money, tokens gone astray."""
    if isinstance(state.phase, Dealing):
        return ()
    piles = PILES if isinstance(state.phase, LayingOut) else [p.amount for p in state.piles]
    notes = state.bank + sum(state.cash) + state.saloon + sum(piles)
    wrong = []
    if notes != NOTES * NOTE:
        wrong.append(f"{notes} dollars instead of {NOTES * NOTE}")
    if not state.rules.from_box("money") and min(*state.cash, state.bank, state.saloon) < 0:
        wrong.append("negative money")
    if tokens_seen(state) != PLOTS:
        wrong.append("bonus tokens lost")
    return tuple(wrong)
