"""What everybody at the table looks up for, made from what happened in the open."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from referee.games.base import QUIET

from .events import (
    BankPaid,
    BidsRevealed,
    BidsTied,
    DuelCalled,
    DuelDecided,
    EnteredTwice,
    Event,
    ObjectiveClaimed,
    PlotBought,
    PlotDrawn,
    TipsTaken,
)
from .model import SharedObjective


class Bids(Struct, frozen=True, tag="bids"):
    """Sealed bids that were turned over, the winner's last; `tied` bid again."""

    bids: tuple[tuple[int, int], ...]
    tied: tuple[int, ...]
    sale: PlotBought | None


class Challenge(Struct, frozen=True, tag="challenge"):
    """A duel was called."""

    caller: int
    called: int
    price: int


class Duel(Struct, frozen=True, tag="duel"):
    """Both duel cards were turned."""

    winner: int
    loser: int
    sale: PlotBought | None


class Sold(Struct, frozen=True, tag="sold"):
    """A plot changed hands, and with it who pays whom how much."""

    sale: PlotBought


class Met(Struct, frozen=True, tag="met"):
    """A shared objective was met and paid."""

    seat: int
    objective: SharedObjective
    amount: int


class Paid(Struct, frozen=True, tag="paid"):
    """Seats got money from the saloon, or from the bank for what `source` says: who, how much."""

    source: str
    payments: tuple[tuple[int, int], ...]


class Twice(Struct, frozen=True, tag="twice"):
    """These seats told an objective that another told too, and there is one card of each."""

    seats: tuple[int, ...]


Moment: TypeAlias = Bids | Challenge | Duel | Sold | Met | Paid | Twice


def moments(events: tuple[Event, ...]) -> tuple[Moment | str, ...]:
    """Give the moments of one line of the log, as they followed each other."""
    sale = next((event for event in events if isinstance(event, PlotBought)), None)
    tied = next((event.seats for event in events if isinstance(event, BidsTied)), ())
    found: list[Moment | str] = []
    is_sale_told = False
    for event in events:
        match event:
            case PlotDrawn():
                found.append(QUIET)
            case BidsRevealed(bids):
                found += [QUIET, Bids(_as_turned(bids, sale), tied, sale)]
                is_sale_told = True
            case DuelCalled(caller, called, price):
                found.append(Challenge(caller, called, price))
            case DuelDecided(winner, loser):
                found += [QUIET, Duel(winner, loser, sale)]
                is_sale_told = True
            case PlotBought() if not is_sale_told:
                found.append(Sold(event))
            case ObjectiveClaimed(seat, objective, amount):
                found.append(Met(seat, objective, amount))
            case TipsTaken(seat, amount):
                found.append(Paid("saloon", ((seat, amount),)))
            case BankPaid(seat, amount, _, why) if amount:
                _add_payment(found, why, (seat, amount))
            case EnteredTwice(seats):
                found += [QUIET, Twice(seats)]
            case _:
                pass
    return tuple(found)


def _add_payment(found: list[Moment | str], source: str, payment: tuple[int, int]) -> None:
    """Add what the bank paid; a vehicle pays several seats at once."""
    match found:
        case [*_, Paid(last, payments)] if last == source:
            found[-1] = Paid(source, (*payments, payment))
        case _:
            found.append(Paid(source, (payment,)))


def _as_turned(
    bids: tuple[tuple[int, int], ...], sale: PlotBought | None
) -> tuple[tuple[int, int], ...]:
    """Order bids as they are turned over: the lowest first, the winner's last."""
    buyer = None if sale is None else sale.seat
    return tuple(sorted(bids, key=lambda bid: (bid[0] == buyer, bid[1])))
