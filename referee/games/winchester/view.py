"""What each viewer may see, built from nothing."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from referee.games.base import Result

from . import duel, objectives, scoring
from .model import (
    AUCTIONS,
    TOKENS,
    Auction,
    Between,
    Dealing,
    Drawing,
    Duel,
    Ended,
    LastTwo,
    Moving,
    OpenAuction,
    Phase,
    Pile,
    ProxyAuction,
    Rules,
    Rumor,
    SealedAuction,
    SecretObjective,
    SharedObjective,
    SpokenAuction,
    State,
    Token,
)


class PlotView(Struct, frozen=True):
    """A plot as it lies on the table; `card` says that a face-down card still lies there."""

    number: int
    owner: int | None
    token: Token | None
    card: bool


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
    `leader`: the standing bid, the tie to beat, or what was recorded of a spoken auction.
    """

    kind: Literal["open", "sealed", "proxy", "last_two", "spoken"]
    plot: int
    inside: tuple[int, ...]
    standing: int
    leader: int | None
    submitted: tuple[int, ...]
    may_duel: tuple[int, ...]


class DuelView(Struct, frozen=True):
    """A duel under way. `picked`: the cards already in hand."""

    plot: int
    price: int
    caller: int
    called: int
    shuffled: bool
    picked: tuple[int, ...]


class Public(Struct, frozen=True):
    """What everybody sees.

    `to_act` may act, `waiting_for` are those who hold up the table. `actor` uses a token now;
    `card` is the one being looked at.
    """

    phase: str
    turn: int
    star: int
    to_act: tuple[int, ...]
    waiting_for: tuple[int, ...]
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
    practice: bool
    rules: Rules
    result: Result | None
    fortunes: tuple[tuple[int, ...], ...] | None


class Peek(Struct, frozen=True):
    """A card in hand by a rumor: an objective's name or an amount."""

    card: str
    objective: SecretObjective | None
    amount: int | None


class Own(Struct, frozen=True):
    """What one seat alone sees."""

    cash: int
    secrets: tuple[SecretObjective, ...]
    bid: int | None
    peek: Peek | None


def public(state: State, to_act: frozenset[int]) -> Public:
    """Build what everybody may see; the end shows everything."""
    phase = state.phase
    is_over = isinstance(phase, Ended)
    return Public(
        phase=phase.__struct_config__.tag,  # type: ignore[arg-type]  # our tags are strings
        turn=state.turn,
        star=state.star,
        to_act=tuple(sorted(to_act)),
        waiting_for=_waiting_for(state, to_act),
        plot=None if isinstance(phase, Dealing | Between | Drawing | Ended) else phase.plot,
        auction=_auction(state, phase) if isinstance(phase, AUCTIONS) else None,
        duel=_duel(phase) if isinstance(phase, Duel) else None,
        actor=phase.buyer if isinstance(phase, Moving | Rumor) else None,
        card=phase.card if isinstance(phase, Rumor) else None,
        seats=tuple(_seat(state, seat) for seat in range(state.seats)),
        plots=tuple(
            PlotView(number, owner, token, card is not None)
            for number, (owner, token, card) in enumerate(
                zip(state.owners, state.tokens, state.cards, strict=True), 1
            )
        ),
        piles=state.piles,
        saloon=state.saloon,
        boat=state.boat,
        locomotive=state.locomotive,
        practice=state.board.practice,
        rules=state.rules,
        result=scoring.final(state) if is_over else None,
        fortunes=state.fortunes if is_over else None,
    )


def _waiting_for(state: State, to_act: frozenset[int]) -> tuple[int, ...]:
    """Name the seats without whom nothing goes on; others may act, but need not."""
    phase = state.phase
    match phase:
        case OpenAuction():
            return phase.inside[:1]
        case SealedAuction():
            return tuple(seat for seat in phase.bidders if phase.bids[seat] is None)
        case ProxyAuction():
            return tuple(seat for seat in phase.bidders if phase.ceilings[seat] is None)
        case Between():
            return (state.star,)
        case _:
            return tuple(sorted(to_act))


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
            pair = tuple(sorted(phase.pair))
            return AuctionView("last_two", phase.plot, pair, 0, None, (), phase.asked)
        case SpokenAuction():
            everybody = state.clockwise_from(state.star)
            return AuctionView("spoken", phase.plot, everybody, phase.price, phase.winner, (), ())


def _duel(phase: Duel) -> DuelView:
    return DuelView(
        phase.plot,
        phase.price,
        phase.caller,
        phase.called,
        phase.shuffled,
        tuple(card for card in phase.picks if card is not None),
    )


def _seat(state: State, seat: int) -> SeatView:
    hints = state.rules.claims != "players" and isinstance(state.phase, Between)
    return SeatView(
        seat=seat,
        plots=state.plots_of(seat),
        held={token: state.held[seat].count(token) for token in TOKENS},
        duel_token=state.duel_tokens[seat],
        met=objectives.met(state, seat) if hints else (),
    )


def own(state: State, seat: int) -> Own:
    """Build what only this seat may see."""
    phase = state.phase
    return Own(
        cash=state.cash[seat],
        secrets=state.secrets[seat],
        bid=_own_bid(phase, seat),
        peek=_peek(state, phase) if isinstance(phase, Rumor) and phase.buyer == seat else None,
    )


def _own_bid(phase: Phase, seat: int) -> int | None:
    match phase:
        case SealedAuction():
            return phase.bids[seat]
        case ProxyAuction():
            return phase.ceilings[seat]
        case _:
            return None


def _peek(state: State, phase: Rumor) -> Peek | None:
    if phase.card is None:
        return None
    kind, _, which = phase.card.partition(":")
    if kind == "secret":
        other, index = which.split(":")
        return Peek(phase.card, state.secrets[int(other)][int(index)], None)
    number = state.board.ranch if kind == "ranch" else int(which)
    return Peek(phase.card, None, state.cards[number - 1])
