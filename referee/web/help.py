"""Help for the evening: nobody gets in, the phone's dead, no phone at all."""

from __future__ import annotations

from flask import Blueprint, request

from referee import lan

from .reader import reader_at
from .site import site

bp = Blueprint("help", __name__)


@bp.get("/help")
def show() -> str:
    """Show what to do when a phone cannot see the table.

    Opened from a table it names that table, so that whoever plays here is not asleep meanwhile.
    """
    here = site()
    return here.render(
        "help.html",
        addresses=here.place.watch.addresses(),
        base=here.place.base(),
        port=here.place.port,
        where=lan.environment(),
        hits=here.place.remote_hits,
        path=request.full_path.rstrip("?"),
        reader=reader_at(request.args.get("table", ""), is_home="home" in request.args),
    )
