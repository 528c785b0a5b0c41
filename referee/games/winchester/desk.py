"""What the host may tell on the display in everybody's place, one type a question."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from .asks import AMOUNTS
from .board_asks import BoardAsk, about_board
from .model import NOTE, SHARED_OBJECTIVES, SharedObjective
from .view import Public


class EnterObjective(Struct, frozen=True, kw_only=True, tag="objective"):
    """Tell for `seat` which real card lies on the next pile."""

    fresh: int
    seat: int
    objectives: tuple[SharedObjective, ...]


class EnterPlot(Struct, frozen=True, kw_only=True, tag="plot"):
    """Tell for `seat` which real plot token was turned over."""

    fresh: int
    seat: int
    plots: tuple[int, ...]


class EnterResult(Struct, frozen=True, kw_only=True, tag="result"):
    """Tell for `seat` how the auction held aloud ended; see `asks.RecordAuction`."""

    fresh: int
    seat: int
    turn: int
    prices: tuple[int, ...]
    higher: int | None
    most: int


class EnterDuel(Struct, frozen=True, kw_only=True, tag="duel"):
    """Tell for `seat` who drew the real card that fires."""

    fresh: int
    seat: int
    caller: int
    called: int


class EnterToken(Struct, frozen=True, kw_only=True, tag="token"):
    """Tell for `seat`, who bought the plot, which real bonus token lay there."""

    fresh: int
    seat: int


class EnterCard(Struct, frozen=True, kw_only=True, tag="card"):
    """Tell for `seat`, who bought the plot, what the real card shows."""

    fresh: int
    seat: int
    amounts: tuple[int, ...]
    any_amounts: tuple[int, ...]


DeskQuestion: TypeAlias = (
    BoardAsk | EnterObjective | EnterPlot | EnterResult | EnterDuel | EnterToken | EnterCard
)


def desk_part(public: Public, *, fresh: int) -> tuple[DeskQuestion, ...]:
    """Give what may be told now; the forms are the same as on the phones."""
    # The board first, as on the phones: nothing else goes on until it is answered.
    if public.question is not None:
        return (about_board(public.question, fresh),)
    entry = _entry(public, fresh)
    return () if entry is None else (entry,)


def _entry(public: Public, fresh: int) -> DeskQuestion | None:
    star, duel, auction = public.star, public.duel, public.auction
    match public.phase:
        case "laying_out":
            left = tuple(name for name in SHARED_OBJECTIVES if name not in public.laid)
            return EnterObjective(fresh=fresh, seat=star, objectives=left)
        case "between" if plots := _plots_to_tell(public):
            return EnterPlot(fresh=fresh, seat=star, plots=plots)
        case "spoken_auction" if auction is not None and auction.leader is None:
            prices = prices_up_to(public.most)
            return EnterResult(fresh=fresh, seat=star, turn=public.turn, **prices)
        case "duel" if duel is not None and public.rules.from_box("duel_cards"):
            return EnterDuel(fresh=fresh, seat=star, caller=duel.caller, called=duel.called)
        case "taking" if public.actor is not None:
            return EnterToken(fresh=fresh, seat=public.actor)
        case "turning" if public.actor is not None:
            return EnterCard(
                fresh=fresh,
                seat=public.actor,
                amounts=amounts_seen(public),
                any_amounts=AMOUNTS,
            )
        case _:
            return None


def _plots_to_tell(public: Public) -> tuple[int, ...]:
    """Name the plots of which a real token may be turned over."""
    if not public.rules.from_box("plot_tokens"):
        return ()
    return tuple(plot.number for plot in public.plots if plot.owner is None)


def kind_of_card(public: Public) -> Literal["mine", "ranch"]:
    """Say which real card is turned on the plot just bought."""
    is_mine = public.plot is not None and public.plots[public.plot - 1].mine
    return "mine" if is_mine else "ranch"


def amounts_seen(public: Public) -> tuple[int, ...]:
    """Give the amounts that cards like the one turned now are known to show."""
    chart = public.chart
    return chart.seen_mines if kind_of_card(public) == "mine" else chart.seen_ranches


def prices_up_to(most: int) -> dict[str, Any]:
    """Give the prices that have a button, where those begin that have none, and the highest."""
    higher = AMOUNTS[-1] + NOTE if most > AMOUNTS[-1] else None
    prices = tuple(price for price in AMOUNTS[1:] if price <= most)
    return {"prices": prices, "higher": higher, "most": most}
