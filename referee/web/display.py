"""The table's display, and what its host does on it. Neither ever sees a secret."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec
from flask import Blueprint, Response, abort, make_response, redirect, request

from referee import export
from referee.entries import SeatId
from referee.games import GAMES
from referee.tables import Table

from . import ceremony, keys
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
from .parts import have
from .scene import Scene, SeatCard, tag_of
from .site import htmx, site

bp = Blueprint("display", __name__, url_prefix="/t/<code>")

Answer = Response | str
FEW = 20


@bp.get("")
def show(code: str) -> Answer:
    """Show the lobby, the game or the closing ceremony."""
    here = site()
    table = here.tables.find(code)
    lang = keys.language()
    is_host, held = keys.is_host(request, table), keys.seats_here(request, table)
    with table.lock:
        scene = here.parts.scene(table, None, lang, is_host=is_host, here=held)
        drawn = here.parts.draw(table, scene.frame, lang)
    template = {"lobby": "lobby.html", "playing": "display.html"}.get(
        scene.status, f"{scene.game}/ceremony.html"
    )
    is_over = scene.status == "over"
    return here.render(
        template,
        s=scene,
        parts=drawn,
        have=have(drawn),
        addresses=here.place.watch.addresses(),
        chosen=here.place.watch.shown(),
        meta=table.game.META,
        stage=table.game.screens.STAGE,
        stages=_stages(scene) if is_over else (),
        chart=_chart(scene) if is_over else None,
        closing=table.game.screens.closing(scene.public) if is_over else None,
    )


def _stages(scene: Scene) -> tuple[ceremony.Stage, ...]:
    kind_of = GAMES[scene.game].screens.kind_of
    return ceremony.stages(scene.public.result, scene.seats, kind_of)


def _chart(scene: Scene) -> ceremony.Chart | None:
    """Draw the fortunes of a game that keeps any."""
    return ceremony.chart(GAMES[scene.game].screens.fortunes(scene.public), scene.seats)


def _hosted(code: str) -> Table:
    table = site().tables.find(code)
    keys.require_host(request, table)
    return table


def _back(table: Table) -> Response:
    """Answer htmx with nothing (the stream brings the change), a plain form with the page."""
    if htmx:
        return make_response("", 204)
    return make_response(redirect(f"/t/{table.code}", 303))


@bp.post("/address")
def choose_address(code: str) -> Answer:
    """Show the QR code of another of this machine's addresses."""
    table = _hosted(code)
    site().place.watch.choose(request.form.get("ip") or None)
    return make_response(redirect(f"/t/{table.code}", 303))


@bp.post("/wifi")
def show_wifi(code: str) -> Answer:
    """Show a code that takes phones into the Wi-Fi, such as this machine's own hotspot."""
    table = _hosted(code)
    name = request.form.get("name", "").strip()[:32]
    site().place.wifi = (name, request.form.get("password", "")[:63]) if name else None
    return make_response(redirect(f"/t/{table.code}", 303))


@bp.post("/options")
def set_options(code: str) -> Answer:
    """Change how this table plays."""
    table = _hosted(code)
    known = {"star", *(option.key for option in table.game.META.options)}
    options = {key: value for key, value in request.form.items() if key in known}
    site().tables.set_options(table, options)
    return _back(table)


@bp.post("/order")
def move_seat(code: str) -> Answer:
    """Move a seat one place counter-clockwise."""
    table = _hosted(code)
    seat = seat_field()
    order = list(table.ledger.order)
    at = table.ledger.index(seat)
    order[at - 1], order[at] = order[at], order[at - 1]
    site().tables.reorder(table, order)
    return _back(table)


@bp.post("/remove")
def remove(code: str) -> Answer:
    """Remove a seat in the lobby."""
    table = _hosted(code)
    site().tables.leave(table, seat_field())
    return _back(table)


@bp.post("/hold")
def hold(code: str) -> Answer:
    """Keep a seat for somebody who comes later."""
    table = _hosted(code)
    site().tables.hold(table, request.form.get("name", ""))
    return make_response(redirect(f"/t/{table.code}", 303))


@bp.post("/start")
def start(code: str) -> Answer:
    """Begin the game."""
    table = _hosted(code)
    site().tables.start(table)
    return _back(table)


@bp.post("/release")
def release(code: str) -> Answer:
    """Free a seat whose phone is gone; every screen is told."""
    table = _hosted(code)
    site().tables.seats.release(table, seat_field())
    return make_response(redirect(f"/t/{table.code}/host", 303))


@bp.post("/request")
def settle_request(code: str) -> Answer:
    """Let a phone in that says it is somebody's, or not."""
    table = _hosted(code)
    who = keys.require_host(request, table)
    agree = request.form.get("agree") == "yes"
    site().tables.seats.settle_request(table, number_field("number"), who, agree=agree)
    return _back(table)


@bp.post("/ask")
def answer_ask(code: str) -> Answer:
    """Decide, as the host, what somebody asks of the table; it is noted in the open."""
    table = _hosted(code)
    who = keys.require_host(request, table)
    agree = request.form.get("agree") == "yes"
    site().tables.consent.answer(table, who, agree=agree, number=number_field("number"))
    return _back(table)


@bp.get("/host")
def host_page(code: str) -> Answer:
    """Show the host what can be done for the table: act for the absent, free seats, set right."""
    here = site()
    table = _hosted(code)
    scene = here.parts.scene(table, None, keys.language(), is_host=True)
    ledger = table.ledger
    stand_ins: list[tuple[SeatCard, Any]] = []
    many: list[tuple[SeatCard, list[tuple[str, Any]]]] = []
    recorder = None
    for card in scene.seats if ledger.status == "playing" else ():
        actions = table.game.stand_in(ledger.state, card.index)
        is_recorded = table.game.screens.RECORDED in map(tag_of, actions)
        recorder = card if is_recorded else recorder
        if len(actions) > FEW and not is_recorded:
            many.append((card, [(msgspec.json.encode(a).decode(), a) for a in actions]))
        else:
            shown = actions if len(actions) <= FEW else actions[-1:]
            stand_ins += [(card, action) for action in shown]
    return here.render(
        "host.html",
        s=scene,
        stand_ins=stand_ins,
        many=many,
        recorder=recorder,
        version=ledger.version(None),
        error=None,
    )


@bp.post("/act-for")
def act_for(code: str) -> Answer:
    """Act for an absent seat, noted in the open."""
    table = _hosted(code)
    action = raw_action(table)
    site().tables.act_for(
        table,
        seat_field(),
        action,
        version=number_field("version"),
        action_id=request.form.get("id") or id_of(action),
    )
    return make_response(redirect(f"/t/{table.code}/host", 303))


@bp.post("/for/<int:seat>")
def act_on_display(code: str, seat: SeatId) -> Answer:
    """Enter on the display what a seat could, such as who won an auction that was held aloud."""
    table = _hosted(code)
    site().tables.act_for(
        table,
        seat,
        action_from_form(table),
        version=number_field("version"),
        action_id=request.form.get("id") or secrets.token_hex(8),
        exact=False,
    )
    return _back(table)


@bp.post("/answer")
def answer(code: str) -> Answer:
    """Answer on the display what the table is asked about the board."""
    table = _hosted(code)
    site().tables.answer(
        table,
        keys.require_host(request, table),
        answers_from_form(table),
        version=number_field("version"),
        action_id=request.form.get("id") or secrets.token_hex(8),
        exact=False,
    )
    return _back(table)


@bp.post("/correct")
def correct(code: str) -> Answer:
    """Set what the real board shows to be different, publicly noted as the host's."""
    table = _hosted(code)
    correction = correction_from_form(table)
    site().tables.consent.correct(table, None, correction, **correction_words(correction))
    return make_response(redirect(f"/t/{table.code}/host", 303))


@bp.post("/rematch")
def rematch(code: str) -> Answer:
    """Open the table of the rematch, with the same seats, and become its host."""
    table = _hosted(code)
    again = site().tables.play_again(table)
    token = site().tables.desk.new_host_key(again)
    response = make_response(redirect(f"/t/{again.code}", 303))
    return keys.keep(response, keys.host_cookie(again.code), token)


@bp.get("/export/<kind>")
def download(code: str, kind: str) -> Answer:
    """Give the journal or the result as a file."""
    here = site()
    table = here.tables.find(code)
    if kind == "journal":
        entries = here.tables.store.entries(table.code)
        body, ending = "".join(export.journal(table, entries, None)), "jsonl"
    elif kind == "csv":
        body, ending = export.as_csv(table), "csv"
    elif kind == "bgstats":
        body, ending = export.as_bgstats(table), "bgsplay"
    else:
        abort(404)
    response = Response(body, mimetype="text/plain")
    name = f"{table.game.META.key}-{table.code}.{ending}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
