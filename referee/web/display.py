"""The table's display, and what its host does on it. Neither ever sees a secret."""

from __future__ import annotations

import secrets
import time
from typing import Any, TypeAlias

import msgspec
from flask import Blueprint, Response, make_response, redirect, request

from referee.entries import SeatId
from referee.errors import NotSeated, RuleViolation
from referee.games.base import Result
from referee.games.protocol import PublicView
from referee.options import changed
from referee.seal import words
from referee.tables import Table, Tables

from . import ceremony, keys, pages, trouble
from .again import come_over
from .forms import (
    action_from_form,
    answers_from_form,
    correction_from_form,
    correction_words,
    id_of,
    number_field,
    raw_action,
    seat_field,
)
from .frame import Frame, SeatCard, free, tag_of
from .parts import Parts
from .pieces import Part
from .site import htmx, site
from .sketchbook import NOTHING_DRAWN

bp = Blueprint("display", __name__, url_prefix="/t/<code>")

Reply = Response | str
StandIns: TypeAlias = tuple[
    tuple[tuple[SeatCard, tuple[Any, ...]], ...],
    tuple[tuple[SeatCard, tuple[tuple[str, Any], ...]], ...],
    SeatCard | None,
]
FEW = 20


@bp.get("")
def show(code: str) -> Reply:
    """Show the lobby, the game or the closing ceremony."""
    here = site()
    table = here.tables.find(code)
    with table.lock:
        frame = _frame(table)
        born = here.born(table, frame)
        public = here.parts.public(table)
    if public is None:
        # Addresses may change while the lobby is open: its stream draws them again.
        watch = here.place.watch
        lobby = pages.Lobby(
            **born,
            addresses=tuple(watch.addresses()),
            chosen=watch.shown(),
            options=table.game.META.options,
            is_machine=trouble.may_mend(),
        )
        return here.render("lobby.html", s=frame, p=lobby)
    if public.result is not None:
        over = _ceremony(table, frame, public, public.result, born)
        return here.render(f"{frame.game}/ceremony.html", s=frame, p=over)
    playing = pages.Display(
        **born,
        stage=table.game.screens.STAGE,
        # So long ago, and not at what time: the clock of whoever looks may show another one.
        since_s=int(time.monotonic() - table.asked_at),
        decks=public.practice_decks,
        has_box=bool(here.unboxing.of(table).steps),
    )
    return here.render("display.html", s=frame, p=playing)


def _frame(table: Table) -> Frame:
    return site().parts.frame(
        table,
        None,
        keys.language(),
        is_host=keys.is_host(request, table),
        here=keys.seats_here(request, table),
    )


def _ceremony(
    table: Table, frame: Frame, public: PublicView, result: Result, born: dict[str, Any]
) -> pages.Ceremony:
    screens = table.game.screens
    return pages.Ceremony(
        **born,
        public=public,
        result=result,
        stages=ceremony.stages(result, frame.seats, screens.kind_of),
        chart=ceremony.chart(screens.fortunes(public), frame.seats),
        closing=screens.closing(public),
        chain=words(table.ledger.noticed.head_for(None)),
        is_alone=table.bots >= {*table.ledger.seating.order},
    )


def _hosted(code: str) -> Table:
    table = site().tables.find(code)
    keys.require_host(request, table)
    return table


def _back(table: Table) -> Response:
    """Answer htmx with nothing (the stream brings the change), a plain form with the page."""
    if htmx:
        return make_response("", 204)
    return make_response(redirect(f"/t/{table.code}", 303))


@bp.post("/next")
def next_(code: str) -> Reply:
    """Note how far the ceremony is here, for all other screens. Raises NotSeated."""
    table = site().tables.find(code)
    # Anybody at the table, host or not: whoever is nearest taps. Strangers do not tell the end.
    if not keys.is_host(request, table) and not keys.seats_here(request, table):
        raise NotSeated
    site().tables.tell_the_end(table, number_field("to"))
    return make_response("", 204)


@bp.post("/address")
def choose_address(code: str) -> Reply:
    """Show the QR code of another of this machine's addresses, at all its tables."""
    table = site().tables.find(code)
    trouble.require_machine()
    site().place.watch.choose(request.form.get("ip") or None)
    return make_response(redirect(f"/t/{table.code}", 303))


@bp.post("/wifi")
def show_wifi(code: str) -> Reply:
    """Show a code that takes phones into the Wi-Fi, such as this machine's own hotspot."""
    table = site().tables.find(code)
    trouble.require_machine()
    name = request.form.get("name", "").strip()[:32]
    said = (name, request.form.get("password", "")[:63]) if name else None
    site().place.show_wifi(said)
    return make_response(redirect(f"/t/{table.code}", 303))


@bp.post("/options")
def set_options(code: str) -> Reply:
    """Change how this table plays."""
    table = _hosted(code)
    meta = table.game.META
    known = {meta.starter, *(option.key for option in meta.options)}
    options = {key: value for key, value in request.form.items() if key in known}
    site().tables.lobby.set_options(table, changed(table.ledger.chosen(), options))
    now = table.ledger.chosen()
    if not htmx or all(now.get(key) == value for key, value in options.items()):
        return _back(table)
    # One choice moved another: what the form shows is drawn anew.
    chosen = pages.Options(meta.options)
    return site().render(f"{meta.key}/_options.html", s=_frame(table), p=chosen)


@bp.post("/order")
def move_seat(code: str) -> Reply:
    """Move a seat one place counter-clockwise."""
    table = _hosted(code)
    seat = seat_field()
    order = list(table.ledger.seating.order)
    at = table.ledger.seating.index(seat)
    order[at - 1], order[at] = order[at], order[at - 1]
    site().tables.lobby.reorder(table, order)
    return _back(table)


@bp.post("/remove")
def remove(code: str) -> Reply:
    """Remove a seat in the lobby."""
    table = _hosted(code)
    site().tables.lobby.leave(table, seat_field())
    return _back(table)


@bp.post("/hold")
def hold(code: str) -> Reply:
    """Keep a seat for somebody who comes later."""
    table = _hosted(code)
    site().tables.lobby.hold(table, request.form.get("name", ""))
    return make_response(redirect(f"/t/{table.code}", 303))


@bp.post("/start")
def start(code: str) -> Reply:
    """Begin the game."""
    table = _hosted(code)
    site().tables.lobby.start(table)
    return _back(table)


@bp.post("/release")
def release(code: str) -> Reply:
    """Free a seat whose phone is gone; every screen is told."""
    table = _hosted(code)
    site().tables.seats.release(table, seat_field())
    return make_response(redirect(f"/t/{table.code}/host?done=1", 303))


@bp.post("/give-back")
def give_back(code: str) -> Reply:
    """Let the phone have its seat again that the host freed; every screen is told."""
    table = _hosted(code)
    site().tables.seats.give_back(table, seat_field())
    return make_response(redirect(f"/t/{table.code}/host?done=1", 303))


@bp.post("/request")
def settle_request(code: str) -> Reply:
    """Let a phone in that says it is somebody's, or not."""
    table = _hosted(code)
    who = keys.require_host(request, table)
    agree = request.form.get("agree") == "yes"
    site().tables.seats.settle_request(table, number_field("number"), who, agree=agree)
    return _back(table)


@bp.post("/ask")
def answer_proposal(code: str) -> Reply:
    """Decide, as the host, what somebody asks of the table; it is noted in the open."""
    table = _hosted(code)
    who = keys.require_host(request, table)
    agree = request.form.get("agree") == "yes"
    site().tables.consent.answer(table, who, agree=agree, number=number_field("number"))
    return _back(table)


@bp.get("/host")
def host_page(code: str) -> Reply:
    """Show the host what can be done for the table: act for the absent, free seats, set right."""
    here = site()
    table = _hosted(code)
    frame = _frame(table)
    with table.lock:
        singles, many, recorder = _stand_ins(here.tables, table, frame)
        lines = table.ledger.log.lines
        host = pages.Host(
            stand_ins=singles,
            many=many,
            recorder=recorder,
            free=free(table),
            returnable=here.tables.store.freed(table.code),
            version=table.ledger.version(None),
            corrections=here.corrections(table, frame),
            stage=_stage(here.parts, table, frame) if singles or many else NOTHING_DRAWN,
            done=lines[-1] if "done" in request.args and lines else None,
        )
    return here.render("host.html", s=frame, p=host)


def _stage(parts: Parts, table: Table, frame: Frame) -> Part:
    """Draw the display's stage for who acts for another, in a game that shows it there."""
    if not parts.renderer.has(f"{table.game.META.key}/_stand_in.html", frame.lang):
        return NOTHING_DRAWN
    book, stage = parts.now(table).book, table.game.screens.STAGE
    return book.part(stage, frame.common, book.screen(table)[stage])


def _stand_ins(tables: Tables, table: Table, frame: Frame) -> StandIns:
    """Sort what the host may do for seats: one tap each, a choice of many, a form of the game's.

    Whoever is there acts for themselves; only the form tells what all at the table know.
    """
    singles: list[tuple[SeatCard, tuple[Any, ...]]] = []
    many: list[tuple[SeatCard, tuple[tuple[str, Any], ...]]] = []
    recorder = None
    for card in frame.seats if table.ledger.status == "playing" else ():
        # From public facts alone: what the host is offered tells nothing of the seat's secrets.
        actions = table.game.stand_in(table.ledger.state, card.index)
        is_recorded = table.game.screens.RECORDED in map(tag_of, actions)
        recorder = card if is_recorded else recorder
        is_there = not tables.play.may_stand_in(table, card.seat)
        if is_there or keys.is_opposed(request, table, card.seat):
            continue
        if len(actions) > FEW and not is_recorded:
            many.append((card, tuple((msgspec.json.encode(a).decode(), a) for a in actions)))
        elif actions:
            singles.append((card, actions if len(actions) <= FEW else actions[-1:]))
    return tuple(singles), tuple(many), recorder


@bp.post("/act-for")
def act_for(code: str) -> Reply:
    """Act for an absent seat, noted in the open."""
    table = _hosted(code)
    action, seat = raw_action(table), seat_field()
    if keys.is_opposed(request, table, seat):
        raise RuleViolation("not_for_opponents")
    site().tables.play.act_for(
        table,
        seat,
        action,
        version=number_field("version"),
        action_id=request.form.get("id") or id_of(action, keys.key_of(request, table, None)),
    )
    return make_response(redirect(f"/t/{table.code}/host?done=1", 303))


@bp.post("/for/<int:seat>")
def act_on_display(code: str, seat: SeatId) -> Reply:
    """Enter on the display what a seat could, such as what was settled aloud."""
    table = _hosted(code)
    site().tables.play.act_for(
        table,
        seat,
        action_from_form(table),
        version=number_field("version"),
        action_id=request.form.get("id") or secrets.token_hex(8),
        exact=False,
    )
    return _back(table)


@bp.post("/answer")
def answer(code: str) -> Reply:
    """Answer on the display what the table is asked about the board."""
    table = _hosted(code)
    site().tables.play.answer(
        table,
        keys.require_host(request, table),
        answers_from_form(table),
        version=number_field("version"),
        action_id=request.form.get("id") or secrets.token_hex(8),
        exact=False,
    )
    return _back(table)


@bp.post("/correct")
def correct(code: str) -> Reply:
    """Set what the real board shows to be different, publicly noted as the host's."""
    table = _hosted(code)
    correction = correction_from_form(table)
    words_ = correction_words(correction, keys.key_of(request, table, None))
    site().tables.consent.correct(table, None, correction, **words_)
    return make_response(redirect(f"/t/{table.code}/host?done=1", 303))


@bp.post("/rematch")
def rematch(code: str) -> Reply:
    """Open the table of the rematch, with the same seats, and become its host."""
    table = _hosted(code)
    # First come, first served, and all come to the same table: a second tap opens none.
    again = site().tables.play_again(table)
    response = make_response(redirect(f"/t/{again.code}", 303))
    return come_over(response, table, again)
