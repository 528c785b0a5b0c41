"""Whole tables for tests: apps on a folder of their own, and people who play at them.

`Sitting` plays through the HTTP interface, `Browser` through the pages; `deal` and `play` go
straight to the use cases where only those matter.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.db import Store
from referee.folder import Folder
from referee.journal import Ledger
from referee.live import Live
from referee.tables import Table, Tables
from referee.web import create_app
from tests import player

BASE: Final = "http://192.168.1.50:8000"
APP: Final = {"preset": "app", "board": "practice"}
"""The options with which nothing is asked of a box."""
NAMES: Final = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay")
LANGUAGES: Final = ("en", "de", "fr")
EVERY_LANGUAGE: Final = (
    "en",
    *(pytest.param(lang, marks=pytest.mark.long) for lang in ("de", "fr")),
)
"""For sweeps over all pages: what they run through is counted once."""


@contextmanager
def tables_at(folder: Path) -> Iterator[Tables]:
    """Open the tables of a data folder, and close its file again."""
    store = Store(folder / "referee.db")
    try:
        yield Tables(store, Live())
    finally:
        store.close()


@contextmanager
def app_at(folder: Path, **options: Any) -> Iterator[Flask]:
    """Make the app of a data folder, and close its file again."""
    named = {name.upper(): value for name, value in options.items()}
    app = create_app({"URL": BASE, "PORT": 8000} | named, home=Folder(folder))
    try:
        yield app
    finally:
        app.extensions["referee"].tables.store.close()


def tables_of(app: Flask) -> Tables:
    """Give the use cases behind an app."""
    found: Tables = app.extensions["referee"].tables
    return found


# Straight to the use cases


def deal(
    tables: Tables,
    *,
    game: str = "winchester",
    seats: int = 3,
    seed: str | None = "seed",
    options: Mapping[str, str] | None = None,
) -> Table:
    """Open a table, seat people and start."""
    table, _ = tables.open(game, options=APP | dict(options or {}), seed=seed)
    for name in NAMES[:seats]:
        tables.lobby.join(table, name, mix=name)
    tables.lobby.start(table)
    return table


def moves(ledger: Ledger) -> list[tuple[int, Any]]:
    """List everything that anybody may do now."""
    return [(seat, action) for seat in ledger.to_act() for action in ledger.legal_for(seat)]


def choose(ledger: Ledger, rng: random.Random) -> tuple[int, Any]:
    """Choose one who may act, then one of their actions."""
    return player.choose(rng, {seat: ledger.legal_for(seat) for seat in ledger.to_act()})


def act(tables: Tables, table: Table, seat: int, action: Any, *, action_id: str = "") -> int:
    """Play an action as its seat, on the version that seat sees."""
    return tables.play.act(
        table,
        seat,
        action if isinstance(action, dict) else msgspec.to_builtins(action),
        version=table.ledger.version(seat),
        action_id=action_id or f"a{table.ledger.length}",
    )


def play(
    tables: Tables, table: Table, rng: random.Random, *, until: str = "", most: int = 5000
) -> None:
    """Play at random until the game is over, or a phase is reached, or so many actions are done."""
    for _ in range(most):
        if table.ledger.status == "over" or (until and phase_of(table) == until):
            return
        act(tables, table, *choose(table.ledger, rng))


def phase_of(table: Table) -> str:
    """Name the phase of the game."""
    return str(table.ledger.state.phase.__struct_config__.tag)


# Through the HTTP interface

_addresses = (f"10.1.{high}.{low}" for high in range(256) for low in range(1, 255))


def client_of(app: Flask) -> FlaskClient:
    """Give a client with an address of its own in the local network."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = next(_addresses)
    return client


class Sitting:
    """A table over the HTTP interface, with everybody's tokens."""

    def __init__(
        self,
        app: Flask,
        *,
        game: str = "winchester",
        seed: str | None = "seed",
        usual: Mapping[str, str] = APP,
        **options: str,
    ) -> None:
        self.app = app
        self.client = client_of(app)
        opened = self.client.post(
            "/api/v1/tables",
            json={"game": game, "seed": seed, "options": {**usual, **options}},
        )
        assert opened.status_code == 201, opened.text
        self.code: str = opened.json["table"]
        self.host: str = opened.json["host_token"]
        self.tokens: list[str] = []
        self.acts = 0

    def join(self, *names: str) -> Sitting:
        """Seat people."""
        for name in names:
            seated = self.post("/seats", {"name": name})
            assert seated.status_code == 201, seated.text
            self.tokens.append(seated.json["token"])
        return self

    def start(self, seats: int = 3) -> Sitting:
        """Seat people and start."""
        self.join(*NAMES[:seats])
        started = self.post("/start", token=self.host)
        assert started.status_code == 200, started.text
        return self

    @property
    def table(self) -> Table:
        """Give the table itself."""
        return tables_of(self.app).find(self.code)

    def get(self, path: str = "", token: str | None = None) -> TestResponse:
        """Ask for something of the table."""
        return self.client.get(f"/api/v1/tables/{self.code}{path}", headers=bearer(token))

    def post(self, path: str, body: object = None, token: str | None = None) -> TestResponse:
        """Do something at the table."""
        return self.client.post(
            f"/api/v1/tables/{self.code}{path}",
            data=b"" if body is None else msgspec.json.encode(body),
            headers=bearer(token),
        )

    def body(self, seat: int | None = None) -> Any:
        """Give what a seat sees, or the display."""
        return self.get(token=None if seat is None else self.tokens[seat]).json

    def act(self, seat: int, action: object, **changed: Any) -> TestResponse:
        """Play an action on the version that the seat sees."""
        self.acts += 1
        version = self.table.ledger.version(seat)
        wanted = {"version": version, "id": f"act {self.acts}", "action": action} | changed
        return self.post("/actions", wanted, self.tokens[seat])

    def play(self, rng: random.Random, *, until: str = "", most: int = 5000) -> None:
        """Let everybody play at random from what is legal for them."""
        for _ in range(most):
            shown = self.body()
            if shown["status"] == "over" or (until and shown["view"]["public"]["phase"] == until):
                return
            self.move(rng, shown["to_act"])

    def finish(self, rng: random.Random) -> None:
        """Play at random to the end, past the interface: for what comes after it."""
        play(tables_of(self.app), self.table, rng)

    def move(self, rng: random.Random, seats: Iterable[int]) -> None:
        """Let one of these seats do something that its own page says is legal."""
        for seat in rng.sample([*seats], len([*seats])):
            mine = self.body(seat)
            if mine["legal"]:
                done = self.act(seat, rng.choice(mine["legal"]), version=mine["version"])
                assert done.status_code == 200, done.text
                return
        raise AssertionError("nobody can do anything")


def bearer(token: str | None) -> dict[str, str]:
    """Give the header that says who asks."""
    return {} if token is None else {"Authorization": f"Bearer {token}"}


# Through the pages


class Browser:
    """One phone or laptop with its cookies."""

    def __init__(self, app: Flask, *, lang: str = "en") -> None:
        self.client = client_of(app)
        self.headers = {"Accept-Language": lang}

    def get(self, path: str, **headers: str) -> TestResponse:
        """Open a page."""
        return self.client.get(path, headers=self.headers | headers)

    def post(
        self, path: str, form: Mapping[str, Any] | None = None, **headers: str
    ) -> TestResponse:
        """Send a form, and once more where that is asked of a browser that is new here."""
        data = dict(form or {})
        answer = self.client.post(path, data=data, headers=self.headers | headers)
        if answer.status_code == HTTPStatus.TEMPORARY_REDIRECT:
            path = answer.location
            answer = self.client.post(path, data=data, headers=self.headers | headers)
        return answer

    def moved_to(self, app: Flask) -> Browser:
        """Give the same browser, cookies included, in front of another app."""
        again = Browser(app, lang=self.headers["Accept-Language"])
        again.client._cookies = self.client._cookies  # noqa: SLF001  # werkzeug offers no copy
        return again

    def open_table(self, game: str = "winchester") -> str:
        """Open a table as its host, and give its code."""
        answer = self.post("/tables", {"game": game})
        assert answer.status_code == 303, answer.text
        return answer.location.removeprefix("/t/")

    def join(self, code: str, name: str, **form: str) -> int:
        """Take a seat, and give its number."""
        answer = self.post(f"/j/{code}", {"name": name} | form)
        assert answer.status_code == 303, answer.text
        return int(answer.location.rsplit("/", 1)[1])

    def key(self, code: str, of: int | str) -> str | None:
        """Give the key to a seat, or to "host", that this browser keeps."""
        folder = self.client.application.config["REFEREE_FOLDER"]
        cookie = self.client.get_cookie(f"referee_{folder}_{code}_{of}")
        return cookie and cookie.value


class Evening:
    """A table on the pages: a laptop that hosts it, and a phone for each seat."""

    def __init__(
        self,
        app: Flask,
        *,
        game: str = "winchester",
        seats: int = 3,
        lang: str = "en",
        **options: str,
    ) -> None:
        self.app = app
        self.laptop = Browser(app, lang=lang)
        self.code = self.laptop.open_table(game)
        wanted = APP | options
        # Who deals comes first: it moves what nobody chose yet.
        for chosen in ({"preset": wanted["preset"]}, wanted):
            self.laptop.post(f"/t/{self.code}/options", chosen)
        self.phones = [Browser(app, lang=lang) for _ in range(seats)]
        for phone, name in zip(self.phones, NAMES[:seats], strict=True):
            phone.join(self.code, name)

    @property
    def table(self) -> Table:
        """Give the table itself."""
        return tables_of(self.app).find(self.code)

    def start(self) -> Evening:
        """Start the game as the host."""
        answer = self.laptop.post(f"/t/{self.code}/start")
        assert answer.status_code == 303, answer.text
        return self

    def play(self, rng: random.Random, *, until: str = "", most: int = 5000) -> None:
        """Play at random, without the pages."""
        play(tables_of(self.app), self.table, rng, until=until, most=most)

    def seat(self, seat: int, rest: str = "") -> str:
        """Give the address of something of a seat's."""
        return f"/s/{self.code}/{seat}{rest}"

    def correct(self, form: Mapping[str, str], seat: int | None = None) -> TestResponse:
        """Send a correction, as the host or a seat, from a page that shows the table of now."""
        browser = self.laptop if seat is None else self.phones[seat]
        path = f"/t/{self.code}/correct" if seat is None else self.seat(seat, "/correct")
        return browser.post(path, {"version": self.table.ledger.version(seat)} | dict(form))


# Streams


class Stream:
    """An open stream, read event by event in the test's own thread."""

    def __init__(self, client: FlaskClient, path: str, headers: Mapping[str, str]) -> None:
        self.answer = client.get(path, headers=dict(headers))
        self._chunks = self.answer.iter_encoded()

    def read(self) -> list[tuple[str, str, str]]:
        """Give the events (name, id, data) of what comes next; waits for it."""
        return events(next(self._chunks).decode())

    def close(self) -> None:
        """Hang up."""
        self.answer.close()


@contextmanager
def streaming(
    client: FlaskClient, path: str, headers: Mapping[str, str] | None = None
) -> Iterator[Stream]:
    """Open a stream and hang up afterwards."""
    stream = Stream(client, path, headers or {})
    try:
        yield stream
    finally:
        stream.close()


def events(text: str) -> list[tuple[str, str, str]]:
    """Read server-sent events as a browser does: name, id, data; an id goes on until the next."""
    found = []
    number = ""
    for block in re.split(r"\n\n", text):
        name, data = "", []
        for line in block.split("\n"):
            field, _, value = line.partition(": ")
            if field == "event":
                name = value
            elif field == "id":
                number = value
            elif field.startswith("data"):
                data.append(value)
        if name:
            found.append((name, number, "\n".join(data)))
    return found
