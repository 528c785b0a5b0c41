"""What people take home from a finished game: the play log, a spreadsheet, the journal."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, request
from markupsafe import Markup

from referee import export, names, playlog, saying
from referee.games.base import ScoreLine
from referee.playlog import Columns, Play
from referee.tables import Table

from . import keys
from .frame import cards
from .reader import reader_of
from .site import site

bp = Blueprint("keep", __name__, url_prefix="/t/<code>")

LONGEST_PLACE: Final = 60
SEPARATORS: Final = {"en": ",", "de": ";", "fr": ";"}
"""What spreadsheets expect between cells: where the comma is the decimal sign, a semicolon."""


@bp.get("/keep")
def show(code: str) -> str:
    """Show the result in every form in which somebody may want to keep it."""
    here = site()
    table = here.tables.find(code)
    play = _play(table)
    back = next((f"/s/{table.code}/{seat}" for seat in keys.seats_here(request, table)), None)
    return here.render(
        "keep.html",
        play=play,
        cards=cards(table),
        link=playlog.bgstats_link(play),
        back=back or f"/t/{table.code}",
        ranked=sorted(play.players, key=lambda player: (player.rank, player.number)),
        reader=reader_of(table),
    )


@bp.get("/export/<kind>")
def download(code: str, kind: str) -> Response:
    """Give the journal or the result as a file."""
    here = site()
    table = here.tables.find(code)
    match kind:
        case "journal":
            entries = here.tables.store.entries(table.code)
            body, ending = "".join(export.journal(table, entries, None)), "jsonl"
        case "csv":
            body, ending = _spreadsheet(table), "csv"
        case "bgstats":
            body, ending = playlog.bgstats_file(_play(table)), "bgsplay"
        case _:
            abort(404)
    response = Response(body, mimetype="text/csv" if ending == "csv" else "text/plain")
    name = f"{table.game.META.key}-{table.code}.{ending}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _play(table: Table) -> Play:
    entries = site().tables.store.entries(table.code)
    where = names.sentence(request.args.get("place", ""), LONGEST_PLACE)
    return playlog.play_of(table, entries, keys.language(), location=where)


def _spreadsheet(table: Table) -> str:
    here, lang = site(), keys.language()

    def name_of(line: ScoreLine) -> str:
        drawn = here.renderer.words(table.game.META.key, lang).line_name(line)
        return Markup(drawn).striptags()  # noqa: S704  # a macro's own, and plain text in the end

    _ = saying.words(lang).gettext
    heads = (_("Table"), _("Game"), _("Seat"), _("Name"), _("For what"), _("Value"), _("Won"))
    columns = Columns(heads, _("Total"), name_of)
    return playlog.as_csv(_play(table), separator=SEPARATORS[lang], columns=columns)
