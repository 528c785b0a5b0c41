"""What the host may tell on the display in everybody's place: what all at the table see."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from . import asked, asks
from .asks import BoardFacts
from .view import Public


class TellTile(Struct, frozen=True, tag="tell_tile"):
    """What the next tile of a row shows; sent in the place of `seat`."""

    seat: int
    asked: asks.TellTile


class TellPartner(Struct, frozen=True, tag="tell_partner"):
    """Who was turned up for the saloon; sent in the place of `seat`."""

    seat: int
    asked: asks.TellPartner


Told: TypeAlias = BoardFacts | TellTile | TellPartner


def desk_part(public: Public, *, fresh: int) -> tuple[Told, ...]:
    """Give what may be told now: one thing at most."""
    if public.question is not None:
        return (BoardFacts(fresh, public.question),)
    seat = next(iter(public.to_act), 0)
    match public.phase:
        case "turning_up":
            return (TellTile(seat, asked.tell_tile(public, fresh)),)
        case "refilling":
            partners = asked.tellable_partners(public)
            return (TellPartner(seat, asks.TellPartner(fresh, partners, public.tables)),)
        case _:
            return ()
