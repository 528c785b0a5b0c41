"""Help for the evening: nobody gets in, the phone's dead, no phone at all."""

from __future__ import annotations

from flask import Blueprint

from referee import lan

from .site import site

bp = Blueprint("help", __name__)


@bp.get("/help")
def show() -> str:
    """Show what to do when a phone cannot see the table."""
    here = site()
    return here.render(
        "help.html",
        addresses=here.place.watch.addresses(),
        base=here.place.base(),
        port=here.place.port,
        where=lan.environment(),
        hits=here.place.remote_hits,
    )
