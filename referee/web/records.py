"""What all finished games come to, and the card for the box."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import lru_cache

from flask import Blueprint, request
from markupsafe import Markup
from msgspec import Struct, structs

from referee import lan, playlog
from referee.errors import CorruptJournal, NotSeated
from referee.evenings import Evenings
from referee.games import GAMES
from referee.games.base import Meta, ScoreLine
from referee.journal import replay
from referee.records import Finished, records
from referee.tables import Table, Tables

from . import keys, trouble
from .evenings import may_list
from .frame import tag_of
from .site import site

bp = Blueprint("records", __name__)

COUNTED = re.compile(r"\s*[×(].*$")
"""How often a line counted stands behind its name, and is another number in every game."""


class Card(Struct, frozen=True):
    """What goes into the box: how to get to the table, in two codes and in words."""

    meta: Meta
    address: str
    qr: Markup | None
    wifi: Markup | None
    wifi_name: str


@bp.get("/records")
def show() -> str:
    """Show the records of the games that whoever asks may see."""
    here, lang = site(), keys.language()

    def name_of(game: str, line: ScoreLine) -> str:
        drawn = Markup(here.renderer.words(game, lang).line_name(line))  # noqa: S704  # a macro's own
        return COUNTED.sub("", drawn.striptags())

    return here.render("records.html", p=records(_finished(lang), name_of))


def _finished(lang: str) -> Iterator[Finished]:
    """Give the finished games that whoever asks may see, the last played first."""
    tables = site().tables
    for evening in Evenings(tables.store).all():
        # A shelf of many games takes a while: those that are being played go on in between.
        time.sleep(0)
        if not may_list(evening):
            continue
        found = _of(tables, evening.code, evening.length, lang)
        if found is not None:
            known = {who.name: who.person for who in evening.people}
            persons = tuple(known.get(player.name, player.name) for player in found.play.players)
            yield structs.replace(found, persons=persons)


@lru_cache(maxsize=1024)
def _of(tables: Tables, code: str, length: int, lang: str) -> Finished | None:  # noqa: ARG001  # by which it is known
    """Give a finished game of people, by the names they typed; bots make no records.

    Read beside the tables in memory: nobody comes back to one because its figures are looked at.
    """
    row = tables.store.table_row(code)
    if row is None or row.game not in GAMES:
        return None
    try:
        entries = tables.store.entries(code)
        table = Table(row, replay(GAMES[row.game], entries), {})
    except CorruptJournal:
        return None
    if table.ledger.status != "over" or table.ledger.seating.bots:
        return None
    play = playlog.play_of(table, entries, lang)
    tag, field = table.game.META.prices
    lines = (line for line in table.ledger.log.lines if not line.is_undone)
    events = (event for line in lines for event in line.events)
    prices = tuple(getattr(event, field) for event in events if tag and tag_of(event) == tag)
    return Finished(play, (), prices)


@bp.get("/t/<code>/card")
def card(code: str) -> str:
    """Show a card to print: it lies in the box, and says how to start and what is agreed on."""
    here = site()
    table = here.tables.find(code)
    if not (trouble.may_mend() or keys.is_host(request, table)):
        raise NotSeated("not_host")
    base, wifi = here.place.base(), here.place.wifi if trouble.may_mend() else None
    page = Card(
        meta=table.game.META,
        address=(base or "").removeprefix("http://"),
        qr=lan.qr_svg(lan.compact(base), label=base) if base else None,
        wifi=lan.qr_svg(lan.wifi_payload(*wifi), label=wifi[0]) if wifi else None,
        wifi_name=wifi[0] if wifi else "",
    )
    frame = here.parts.frame(table, None, keys.language())
    return here.render("card.html", s=frame, p=page)
