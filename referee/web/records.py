"""What all finished games come to, and the card for the box."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flask import Blueprint, request
from markupsafe import Markup
from msgspec import Struct

from referee import lan, playlog
from referee.errors import CorruptJournal, NoSuchTable, NotSeated
from referee.evenings import Evening, Evenings
from referee.games.base import Meta, ScoreLine
from referee.records import Finished, records
from referee.tables import Table

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
    """Give the finished games of people, the last played first; bots make no records."""
    here = site()
    for evening in Evenings(here.tables.store).all():
        if not may_list(evening):
            continue
        try:
            table = here.tables.find(evening.code)
        except (NoSuchTable, CorruptJournal):
            continue
        if table.ledger.status == "over" and not table.ledger.bots:
            yield _of(table, evening, lang)


def _of(table: Table, evening: Evening, lang: str) -> Finished:
    play = playlog.play_of(table, site().tables.store.entries(table.code), lang)
    known = {who.name: who.person for who in evening.people}
    tag, field = table.game.META.prices
    events = (event for line in table.ledger.lines if not line.is_undone for event in line.events)
    prices = tuple(getattr(event, field) for event in events if tag and tag_of(event) == tag)
    return Finished(play, tuple(known.get(p.name, p.name) for p in play.players), prices)


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
