"""A tap that goes the short way is played and answered as Flask would have it."""

from __future__ import annotations

import gc
import random
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse, create_environ

from referee.games import GAMES
from referee.web import create_app, taps
from referee.web.taps import MOST, Taps
from referee.web.wire import Asked
from tests.forms import forms_of
from tests.table import Evening, app_at

HTMX = {"HX-Request": "true"}
SEATS = {"winchester": 3, "desperados": 4, "moon_river": 3}


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give the paths of the taps that went the short way."""
    found: list[str] = []
    played = Taps._played  # noqa: SLF001  # which way was gone is not to be seen from outside

    def noted(self: Taps, environ: Any, *where: Any) -> int | None:
        version = played(self, environ, *where)
        if version is not None:
            found.append(environ["PATH_INFO"])
        return version

    monkeypatch.setattr(Taps, "_played", noted)
    return found


@pytest.fixture
def close(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Give what closes the short way, for the rest of a test."""
    return lambda: monkeypatch.setattr(taps, "TAP", re.compile("closed"))


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[Flask, Flask]]:
    """Give an app, and one of which every request goes through Flask."""
    with ExitStack() as stack:
        apps = [stack.enter_context(app_at(tmp_path / name)) for name in ("short", "long")]
        assert isinstance(apps[1].wsgi_app, Taps)
        apps[1].wsgi_app = apps[1].wsgi_app._long_way  # type: ignore[method-assign]  # noqa: SLF001
        yield apps[0], apps[1]


def answered(answer: TestResponse) -> tuple[int, bytes, set[tuple[str, str]]]:
    """Give all of an answer."""
    return answer.status_code, answer.data, {*answer.headers}


@pytest.mark.parametrize("game", GAMES)
def test_both_ways_lead_to_the_same(game: str, both: tuple[Flask, Flask], short: list[str]) -> None:
    """Whatever the forms of its pages send, nonsense included, at twin tables."""
    evenings = [Evening(app, game=game, seats=SEATS[game]) for app in both]
    for evening in evenings:
        evening.table.seed, evening.table.ledger.is_seeded = "twins", True
        evening.start()
    for number in range(40):
        seat = number % SEATS[game]
        answers, sent = [], []
        for evening in evenings:
            page = evening.phones[seat].get(evening.seat(seat)).text
            acts = [form for form in forms_of(page) if form.action.endswith("/act")]
            if not acts:
                continue
            rng = random.Random(number)
            fields = rng.choice(acts).filled(rng) | {"id": [str(number)]}
            sent.append(fields)
            answer = evening.phones[seat].post(evening.seat(seat, "/act"), fields, **HTMX)
            answers.append((answered(answer), evening.table.ledger.version(seat)))
        assert sent[1:] == sent[:-1]
        assert answers[1:] == answers[:-1], sent

    assert len(short) > 10


REFUSED: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({}, {"Origin": "http://evil.example"}),
    ({}, {"Sec-Fetch-Site": "cross-site"}),
    ({"version": "999"}, {}),
    ({"version": "x"}, {}),
    ({"type": "bid"}, {}),
    ({"type": "nonsense"}, {}),
    ({"id": "x" * 65}, {}),
    ({"type": "bid", "amount": "7" * MOST}, {}),
]


@pytest.mark.parametrize(("fields", "headers"), REFUSED)
def test_a_refusal_is_flasks(
    app: Flask,
    short: list[str],
    close: Callable[[], None],
    fields: dict[str, Any],
    headers: dict[str, str],
) -> None:
    """In its words, with its status, and nothing is played."""
    evening = Evening(app).start()
    length, path = evening.table.ledger.length, evening.seat(0, "/act")
    form = {"type": "draw_plot", "version": evening.table.ledger.version(0), "id": "1"} | fields

    first = answered(evening.phones[0].post(path, form, **HTMX, **headers))
    close()
    assert answered(evening.phones[0].post(path, form, **HTMX, **headers)) == first

    assert first[0] >= 400
    assert evening.table.ledger.length == length
    assert not short


def test_without_the_seats_key_nothing_is_played(app: Flask, short: list[str]) -> None:
    """Nor with the key of another seat, nor at a table that is not there."""
    evening = Evening(app).start()
    form = {"type": "draw_plot", "version": evening.table.ledger.version(0), "id": "1"}

    for browser in (evening.phones[1], evening.laptop):
        assert browser.post(evening.seat(0, "/act"), form, **HTMX).status_code == 403
    gone = evening.phones[0].post("/s/NONE/0/act", form, **HTMX)

    assert gone.status_code == 404
    assert not short


def test_the_same_tap_twice_is_one(app: Flask, short: list[str], close: Callable[[], None]) -> None:
    """By its id, whichever way it goes; without one it goes through Flask."""
    evening = Evening(app).start()
    path, length = evening.seat(0, "/act"), evening.table.ledger.length
    form = {"type": "draw_plot", "version": evening.table.ledger.version(0), "id": "1"}

    answers = [evening.phones[0].post(path, form, **HTMX) for _ in range(2)]
    assert len(short) == 2
    after = evening.table.ledger.length
    close()
    answers.append(evening.phones[0].post(path, form, **HTMX))

    assert length < after == evening.table.ledger.length
    assert [answer.status_code for answer in answers] == [204] * 3
    assert len({answer.headers["X-Version"] for answer in answers}) == 1


def test_a_tap_leaves_no_garbage(app: Flask, short: list[str]) -> None:
    """What was needed to answer it goes with it, without Python looking for garbage."""
    evening = Evening(app).start()
    form = {"type": "draw_plot", "version": evening.table.ledger.version(0), "id": "1"}
    environ = create_environ(evening.seat(0, "/act"), method="POST", data=form, headers=HTMX)
    # Not through the client, which leaves garbage of its own.
    evening.phones[0].client._add_cookies_to_wsgi(environ)  # noqa: SLF001
    gc.collect()
    gc.disable()
    try:
        assert [*app.wsgi_app(environ, lambda *_: len)] == []
        del environ
        left = [each for each in gc.get_objects() if isinstance(each, Asked)]
    finally:
        gc.enable()

    assert len(short) == 1
    assert left == []


@pytest.mark.parametrize(("number", "headers"), [("1", {}), ("", HTMX), (None, HTMX)])
def test_a_plain_form_goes_through_flask(
    app: Flask, short: list[str], number: str | None, headers: dict[str, str]
) -> None:
    """It is answered with a page, or has no id to be known by."""
    evening = Evening(app).start()
    form = {"type": "draw_plot", "version": evening.table.ledger.version(0)}
    form |= {} if number is None else {"id": number}

    answer = evening.phones[0].post(evening.seat(0, "/act"), form, **headers)

    assert answer.status_code in {204, 303}
    assert not short
    assert evening.table.ledger.length > 5


def test_a_fault_is_told_by_flask(
    app: Flask, short: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What breaks on the short way breaks on the long one too, and is logged there."""
    evening = Evening(app).start()
    form = {"type": "draw_plot", "version": evening.table.ledger.version(0), "id": "1"}

    def broken(*_: Any) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(taps, "play", broken)
    answer = evening.phones[0].post(evening.seat(0, "/act"), form, **HTMX)

    assert answer.status_code == 204
    assert not short


def test_a_folder_is_claimed_first(tmp_path: Path, short: list[str]) -> None:
    """Under another server nothing is played before the folder is this process's own."""
    with app_at(tmp_path) as app:
        evening = Evening(app).start()
        form = {"type": "draw_plot", "version": evening.table.ledger.version(0), "id": "1"}
        phone, path = evening.phones[0], evening.seat(0, "/act")
    other = create_app({"DATA": str(tmp_path), "URL": "http://localhost", "PORT": 8000})
    try:
        moved = phone.moved_to(other)
        assert moved.post(path, form, **HTMX).status_code == 204
        assert not short
        assert moved.post(path, form, **HTMX).status_code == 204
        assert len(short) == 1
    finally:
        other.extensions["referee"].tables.store.close()
