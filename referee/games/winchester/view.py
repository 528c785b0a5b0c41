"""What each viewer may see, built from nothing."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from referee.games.base import BoardQuestion, Result
from referee.games.once import kept

from . import auction, duel, ending, memos, objectives, purchase, questions, scoring
from .charts import Chart, chart
from .memos import Peek
from .model import (
    AUCTIONS,
    PILES,
    TOKENS,
    Auction,
    Between,
    Claimed,
    Claiming,
    Counting,
    Duel,
    Ended,
    HandingIn,
    LastTwo,
    LayingOut,
    OpenAuction,
    Phase,
    Pile,
    ProxyAuction,
    Rules,
    Rumor,
    Sale,
    SealedAuction,
    SecretObjective,
    SharedObjective,
    SpokenAuction,
    State,
    Terrain,
    Token,
    Vehicle,
)
from .objectives import Standing


class PlotView(Struct, frozen=True, omit_defaults=True):
    """A plot as it lies on the table; `card` says that a face-down card still lies there.

    `token` is None as well where only the real table knows. Of what is printed, None is unknown.
    """

    number: int
    owner: int | None
    token: Token | None
    card: bool
    terrain: Terrain | None = None
    river: bool | None = None
    rails: bool | None = None
    saloon: bool = False
    mine: bool = False
    ranch: bool | None = None
    ranch_land: bool = False


class SeatView(Struct, frozen=True):
    """What lies openly before a seat."""

    seat: int
    plots: tuple[int, ...]
    held: dict[Token, int]
    duel_token: bool
    met: tuple[SharedObjective, ...]


class AuctionView(Struct, frozen=True):
    """An auction under way.

    `inside`: who may still bid; `submitted`: whose sealed bid or ceiling is in; `standing` and
    `leader`: the standing bid, the tie to beat, or what was recorded of a spoken auction. `duel`:
    caller and called of a duel recorded there, whose bid `leader` confirms.
    """

    kind: Literal["open", "sealed", "proxy", "last_two", "spoken"]
    plot: int
    inside: tuple[int, ...]
    standing: int
    leader: int | None
    submitted: tuple[int, ...]
    may_duel: tuple[int, ...]
    duel: tuple[int, int] | None = None


class DuelView(Struct, frozen=True):
    """A duel under way. `picked`: the cards already in hand."""

    plot: int
    price: int
    caller: int
    called: int
    shuffled: bool
    picked: tuple[int, ...]


class Owing(Struct, frozen=True):
    """What a seat has yet to tell before the count."""

    seat: int
    objectives: bool
    notes: bool


class Public(Struct, frozen=True):
    """What everybody sees.

    `to_act` may act, `waiting_for` are those who hold up the table, alone unless
    what is asked `is_anybodys` of them to do. `actor` uses a token now;
    `card` is the one being looked at. `question` is about the board. `pile` is the amount of the
    pile whose real objective is to be told next after those `laid`, `most` the highest price there
    can be, `owes` what seats have yet to tell at the end.
    `last` is the purchase whose notes, hat and tokens change hands now, `sales` are all of them,
    `claimed` the piles that were paid and `standings` how far everybody is towards the others.
    `boat_beside` and `locomotive_beside` are the plots next to where they stand. `practice` says
    that the board is made up, `practice_decks` that the tokens or cards that the app dealt are.
    """

    phase: str
    turn: int
    star: int
    to_act: tuple[int, ...]
    waiting_for: tuple[int, ...]
    is_anybodys: bool
    plot: int | None
    auction: AuctionView | None
    duel: DuelView | None
    actor: int | None
    card: str | None
    seats: tuple[SeatView, ...]
    plots: tuple[PlotView, ...]
    piles: tuple[Pile, ...]
    saloon: int
    boat: str
    locomotive: str
    boat_beside: tuple[int, ...]
    locomotive_beside: tuple[int, ...]
    chart: Chart
    question: BoardQuestion | None
    pile: int | None
    laid: tuple[SharedObjective, ...]
    most: int
    owes: tuple[Owing, ...]
    last: Sale | None
    sales: tuple[Sale, ...]
    claimed: tuple[Claimed, ...]
    standings: tuple[Standing, ...]
    edition: str
    practice: bool
    practice_decks: bool
    rules: Rules
    result: Result | None
    fortunes: tuple[tuple[int, ...], ...] | None
    is_shared: ClassVar[bool] = False  # each has a bid of their own


def plots_left(public: Public) -> bool:
    """Say whether a plot is still to be sold; how many were drawn does not tell."""
    return any(plot.owner is None for plot in public.plots)


class Own(Struct, frozen=True):
    """What one seat alone sees.

    `cash` is None where real notes are used: then only `counted`, told at the end, is known.
    `memo` are the cards that rumors showed it and that lie there still, the last one first.
    """

    cash: int | None
    secrets: tuple[SecretObjective, ...]
    bid: int | None
    peek: Peek | None
    counted: int | None = None
    memo: tuple[Peek, ...] = ()


def public(state: State, to_act: frozenset[int], asked: frozenset[int]) -> Public:
    """Build what everybody may see; the end shows everything.

    `asked` are the seats that the phase itself asks, `to_act` all that may do anything.
    """
    phase = state.phase
    board = state.board
    is_over = isinstance(phase, Ended)
    return Public(
        phase=phase.__struct_config__.tag,  # type: ignore[arg-type]  # our tags are strings
        turn=state.turn,
        star=state.star,
        to_act=tuple(sorted(to_act)),
        # By what the phase asks, and not by who may act: anybody may tell an objective at any time.
        waiting_for=_waiting_for(state, asked),
        is_anybodys=_is_anybodys(state),
        plot=getattr(phase, "plot", None),
        auction=_auction(state, phase) if isinstance(phase, AUCTIONS) else None,
        duel=_duel(phase) if isinstance(phase, Duel) else None,
        actor=phase.buyer if isinstance(phase, purchase.PHASES) else None,
        card=phase.card if isinstance(phase, Rumor) else None,
        # Where people claim by themselves, no page may say who could.
        seats=_seats(state, state.rules.claims != "players" and isinstance(phase, Between)),
        plots=_plots(state, purchase.unturned(phase)),
        piles=state.piles,
        saloon=state.saloon,
        boat=state.boat,
        locomotive=state.locomotive,
        boat_beside=_beside(state, "boat", state.boat),
        locomotive_beside=_beside(state, "locomotive", state.locomotive),
        chart=_chart(state),
        question=questions.question(state),
        pile=PILES[len(phase.laid)] if isinstance(phase, LayingOut) else None,
        laid=phase.laid if isinstance(phase, LayingOut) else (),
        # By what all hold together, which everybody can work out: from one purse it would tell its
        # secret.
        most=auction.highest_price(state),
        owes=_owes(state),
        last=_last(state),
        sales=state.sales,
        claimed=state.claimed,
        standings=objectives.standings(state),
        edition=state.rules.edition,
        practice=board.practice,
        practice_decks=not (
            state.rules.from_box("bonus_tokens") and state.rules.from_box("land_cards")
        ),
        rules=state.rules,
        result=scoring.final(state) if is_over else None,
        # Everybody's cash after each turn: nobody's to see before.
        fortunes=state.fortunes if is_over else None,
    )


@kept("board")  # to look it up by what it holds, all of that would be hashed
def _chart(state: State) -> Chart:
    return chart(state.board)


def _beside(state: State, vehicle: Vehicle, space: str) -> tuple[int, ...]:
    found = (s.touches for s in state.board.spaces(vehicle) if s.name == space)
    return next(found, ())


def _owes(state: State) -> tuple[Owing, ...]:
    phase = state.phase
    if not isinstance(phase, HandingIn):
        return ()
    owes_notes = state.rules.from_box("money")
    owes_cards = state.rules.from_box("secret_objectives")
    return tuple(
        Owing(
            seat,
            objectives=owes_cards and not state.secrets[seat],
            notes=owes_notes and phase.counts[seat] is None,
        )
        for seat in ending.owing(state)
    )


@kept("rules", "board", "owners", "tokens", "cards", "ranch_card")
def _plots(state: State, just_bought: int | None) -> tuple[PlotView, ...]:
    return tuple(
        PlotView(
            number=plot.number,
            owner=owner,
            token=token,
            card=purchase.lies_there(state, plot.number, just_bought),
            terrain=plot.terrain,
            river=plot.river,
            rails=plot.rails,
            saloon=plot.saloon,
            mine=plot.mine,
            ranch=plot.ranch,
            ranch_land=plot.ranch_land,
        )
        for plot, owner, token in zip(state.board.plots, state.owners, state.tokens, strict=True)
    )


def _last(state: State) -> Sale | None:
    """Give the purchase that hands are busy with, until the next plot is up."""
    # It stays until the next plot is up: hands are slower than taps.
    is_done = isinstance(state.phase, (*purchase.PHASES, Between, Claiming))
    return state.sales[-1] if is_done and state.sales else None


def _waiting_for(state: State, asked: frozenset[int]) -> tuple[int, ...]:
    """Name the seats without whom nothing goes on; others may act, but need not."""
    phase = state.phase
    match phase:
        case OpenAuction():
            return phase.inside[:1]
        case SealedAuction():
            return tuple(seat for seat in phase.bidders if phase.bids[seat] is None)
        case ProxyAuction():
            return tuple(seat for seat in phase.bidders if phase.ceilings[seat] is None)
        case Between() | LayingOut() | Counting():
            return (state.star,)
        case Claiming():
            return (phase.seat,)
        case HandingIn():
            return ending.owing(state) or (state.star,)
        case Duel() if state.rules.from_box("duel_cards"):
            return tuple(seat for seat in range(state.seats) if seat not in phase.pair)
        case _:
            return tuple(sorted(asked))


def _is_anybodys(state: State) -> bool:
    """Say whether any of those who may do what is waited for can: then nobody alone holds it up."""
    match state.phase:
        case LayingOut():
            return True
        case Duel() as phase:
            return duel.is_anybodys(state, phase)
        case HandingIn():
            return not ending.owing(state)
        case _:
            return questions.question(state) is not None


def _auction(state: State, phase: Auction) -> AuctionView:
    match phase:
        case OpenAuction():
            armed = duel.armed(state, phase)
            return AuctionView(
                "open", phase.plot, phase.inside, phase.standing, phase.leader, (), armed
            )
        case SealedAuction():
            submitted = tuple(seat for seat in phase.bidders if phase.bids[seat] is not None)
            armed = duel.armed(state, phase)
            return AuctionView(
                "sealed", phase.plot, phase.bidders, phase.floor, None, submitted, armed
            )
        case ProxyAuction():
            submitted = tuple(seat for seat in phase.bidders if phase.ceilings[seat] is not None)
            return AuctionView("proxy", phase.plot, phase.bidders, 0, None, submitted, ())
        case LastTwo():
            # In the phase the winner comes first. Nor is there a price or a leader: both would tell
            # a limit.
            pair = tuple(sorted(phase.pair))
            return AuctionView("last_two", phase.plot, pair, 0, None, (), phase.asked)
        case SpokenAuction():
            everybody = state.clockwise_from(state.star)
            recorded = (phase.price, phase.winner)
            return AuctionView("spoken", phase.plot, everybody, *recorded, (), (), phase.duel)


def _duel(phase: Duel) -> DuelView:
    return DuelView(
        phase.plot,
        phase.price,
        phase.caller,
        phase.called,
        phase.shuffled,
        tuple(card for card in phase.picks if card is not None),
    )


@kept("seats", "duel_tokens", *objectives.HANGS_ON)
def _seats(state: State, tells_who_meets: bool) -> tuple[SeatView, ...]:  # noqa: FBT001  # by place
    return tuple(
        SeatView(
            seat=seat,
            plots=state.plots_of(seat),
            held={token: state.held[seat].count(token) for token in TOKENS},
            duel_token=state.duel_tokens[seat],
            met=objectives.met(state, seat) if tells_who_meets else (),
        )
        for seat in range(state.seats)
    )


def own(state: State, seat: int) -> Own:
    """Build what only this seat may see."""
    phase = state.phase
    return Own(
        cash=None if state.rules.from_box("money") else state.cash[seat],
        secrets=state.secrets[seat],
        bid=_own_bid(phase, seat),
        peek=memos.peek(state, phase) if isinstance(phase, Rumor) and phase.buyer == seat else None,
        counted=phase.counts[seat] if isinstance(phase, HandingIn) else None,
        memo=memos.memo(state, seat),
    )


def _own_bid(phase: Phase, seat: int) -> int | None:
    match phase:
        case SealedAuction():
            return phase.bids[seat]
        case ProxyAuction():
            return phase.ceilings[seat]
        case _:
            return None
