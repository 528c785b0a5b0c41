"""Every byte that a viewer gets hold of, and tables that can be in another state for a while."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from flask import Flask

from referee.seal import words
from tests.table import Evening, bearer, streaming, tables_of

VARIABLE: Final = (
    # A hash over salts that are drawn anew at every table: it differs whatever is hidden.
    (re.compile(rb"[0-9a-f]{64}"), b"HASH"),
    (re.compile(rb'"salt":"[0-9a-f]{32}"'), b'"salt":"SALT"'),
    # When it happened is public and differs between two runs of a test.
    (re.compile(rb"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00"), b"TIME"),
    (re.compile(rb'data-since="\d+"'), b'data-since="SINCE"'),
    # Made anew for each sight of the join form.
    (re.compile(rb'name="nonce" value="[^"]*"'), b'name="nonce" value="NONCE"'),
    # A page names its parts by the hash of their bytes, chain words included; the bytes themselves
    # are compared beside it.
    (re.compile(rb"foot-[0-9a-f]{12}"), b"foot-TAG"),
)


def masked(raw: bytes, evening: Evening) -> bytes:
    """Replace what may differ between two tables: hashes, their words, salts and times."""
    ledger = evening.table.ledger
    for viewer in (None, *ledger.seating.order):
        raw = raw.replace(words(ledger.noticed.head_for(viewer)).encode(), b"WORDS")
    for pattern, name in VARIABLE:
        raw = pattern.sub(name, raw)
    return raw


def sight(evening: Evening, viewer: int | None) -> dict[str, bytes]:
    """Give every byte that a viewer can get hold of, by what was asked for."""
    who = evening.laptop if viewer is None else evening.phones[viewer]
    code = evening.code
    if viewer is None:
        paths = [f"/t/{code}", f"/t/{code}/host", f"/t/{code}/export/journal", f"/j/{code}?more=1"]
        stream, headers = f"/t/{code}/stream", {}
    else:
        base = f"/s/{code}/{viewer}"
        paths = [base, f"{base}?open=1", f"{base}/menu", f"{base}/rules"]
        stream, headers = f"{base}/stream", bearer(who.key(code, viewer))
    seen = {}
    for path in paths:
        answer = who.get(path)
        assert answer.status_code == 200, (path, answer.text)
        seen[path] = masked(answer.data, evening)
        seen[f"{path} headers"] = masked(str(answer.headers).encode(), evening)
    for path in ("", "/journal"):
        answer = who.client.get(f"/api/v1/tables/{code}{path}", headers=headers)
        assert answer.status_code == 200
        seen[f"api {path}"] = masked(answer.data, evening)
    with streaming(who.client, stream) as opened:
        opened.read()
        seen["stream"] = masked(repr(opened.read()).encode(), evening)
    with streaming(who.client, f"/api/v1/tables/{code}/stream", headers) as opened:
        opened.read()
        seen["api stream"] = masked(repr(opened.read()).encode(), evening)
    return seen


@contextmanager
def other_state(evening: Evening, state: Any) -> Iterator[None]:
    """Let the table be in another state for a while, with nothing remembered of the first."""
    ledger, parts = evening.table.ledger, evening.app.extensions["referee"].parts
    before = ledger.state, ledger.legal, dict(ledger.noticed._since)  # noqa: SLF001  # no one else may
    ledger.state = state
    ledger._refresh_legal()  # noqa: SLF001
    parts._books.clear()  # noqa: SLF001
    yield
    ledger.state, ledger.legal, ledger.noticed._since = before  # noqa: SLF001
    parts._books.clear()  # noqa: SLF001


def copy_of(evening: Evening, app: Flask) -> Evening:
    """Give the same evening at another app that was started on a copy of its data.

    Cookies are named after the folder, and a copy is taken for the folder it was copied from.
    """
    app.config["REFEREE_FOLDER"] = evening.app.config["REFEREE_FOLDER"]
    again = Evening.__new__(Evening)
    again.app, again.code = app, evening.code
    again.laptop, again.phones = (
        evening.laptop.moved_to(app),
        [phone.moved_to(app) for phone in evening.phones],
    )
    # After its start the copy waits for all phones to come back; so they are here in both.
    tables_of(evening.app).live.expect(evening.code, evening.table.ledger.seating.order)
    return again
