"""When something broke: a damaged table's own page, a disk that refuses, evenings brought back."""

from __future__ import annotations

import errno
import sqlite3
from typing import Final

from flask import Blueprint, Response, make_response, redirect, request

from referee import backups, export, salvage
from referee.backups import Restored
from referee.desk import Table
from referee.errors import CorruptJournal, NotSeated, StorageError

from . import keys
from .site import site

bp = Blueprint("trouble", __name__)

_DISK: Final = {
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
    errno.EROFS: "disk_read_only",
    errno.EIO: "disk_failing",
}
_SQLITE: Final = {
    "full": "disk_full",
    "locked": "disk_locked",
    "readonly": "disk_read_only",
}


def of_disk(error: sqlite3.OperationalError | OSError) -> StorageError | None:
    """Say what of the disk refuses; None for what is no trouble of a disk."""
    if isinstance(error, OSError):
        code = _DISK.get(error.errno or 0)
        return StorageError(code) if code else None
    text = str(error)
    return StorageError(next((code for sign, code in _SQLITE.items() if sign in text), None))


def may_mend() -> bool:
    """Say whether what belongs to the machine may be done here: on it, or with its key."""
    return keys.is_local(request) or keys.is_machine_host(request)


def restored() -> Restored | None:
    """Give what was brought back, for whoever may take note of it."""
    return backups.unseen(site().tables.store.path.parent) if may_mend() else None


def damaged_page(error: CorruptJournal) -> Response:
    """Show what became of a table: the others go on as if nothing were."""
    facts = error.facts
    page = site().render(
        "damaged.html",
        code=facts.get("table", ""),
        seq=facts.get("seq"),
        is_unknown_play=error.is_unknown_play,
        may_mend=may_mend(),
    )
    return make_response(page, error.status)


@bp.post("/restored")
def note_restored() -> Response:
    """Take note of what was brought back, so that the start page is quiet again."""
    require_machine()
    backups.seen(site().tables.store.path.parent)
    return make_response(redirect("/", 303))


@bp.get("/t/<code>/saved")
def saved(code: str) -> Response:
    """Give what can be read of a damaged table's journal; secrets stay sealed in it."""
    require_machine()
    left = salvage.remains(site().tables, code)
    # Without keys: it is there to be written down, and nobody may act at it.
    table = Table(left.row, left.ledger, {})
    response = Response("".join(export.journal(table, left.entries, None)), mimetype="text/plain")
    name = f"{table.game.META.key}-{table.code}.jsonl"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@bp.post("/t/<code>/go-on")
def go_on(code: str) -> Response:
    """Go on from what can be read, at a table of its own; this browser hosts it."""
    require_machine()
    table, token = salvage.go_on(site().tables, code)
    response = make_response(redirect(f"/t/{table.code}", 303))
    return keys.keep(response, keys.host_cookie(table.code), token)


def require_machine() -> None:
    """Refuse what belongs to the machine anywhere else. Raises NotSeated."""
    if not may_mend():
        raise NotSeated("not_machine")
