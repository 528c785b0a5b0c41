"""Every page as a browser gets it: questions of all kinds, and what is beside the game.

Pages are made in this process; nothing is served. A scene is one page in one language.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from flask import Flask

from referee.games.base import SeatIndex
from tests.sight import other_state
from tests.strategies import GAMES, Table
from tests.table import APP, Browser, Evening, tables_of

from .kinds import Met

NAMES: Final = (
    "Maximiliana-Theodora Wu",
    "Bo",
    "Jean-Christophe Martin",
    "Cléo",
    "Zoë 🤠 Ångström-Dąbrowski",
    "Wolfgang",
)
"""Three are as long as a name may be, or nearly; one has what keyboards hide."""

Device: TypeAlias = Literal["phone", "display"]


class Scene(NamedTuple):
    """One page in one language. `is_asked` says that somebody has to do something on it."""

    name: str
    device: Device
    lang: str
    html: str
    is_asked: bool = False


class Walk:
    """Opens tables at an app, and pages of them."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self._evenings: dict[Table, Evening] = {}

    def evening(self, table: Table) -> Evening:
        """Give a table with these options, started, and with some lines in its log."""
        chosen = table._replace(seed=0, options=tuple(sorted(table.options.items())))
        if chosen not in self._evenings:
            evening = opened(self.app, table).start()
            evening.play(random.Random(1), most=20)
            # A newcomer's page holds most: each seat is told about every kind of question anew.
            for seat, phone in enumerate(evening.phones):
                phone.post(evening.seat(seat, "/hints"), {"hints": "on"})
            self._evenings[chosen] = evening
        return self._evenings[chosen]

    def of(self, met: Met, lang: str) -> Scene:
        """Give the page on which a kind of question is asked."""
        evening = self.evening(met.table)
        with other_state(evening, met.state):
            return page(evening, f"{met.table.key} {met.kind}", met.viewer, lang, is_asked=True)


def opened(app: Flask, table: Table) -> Evening:
    """Open a table whose people have names of every length."""
    evening = Evening(app, game=table.key, seats=0, **dict(table.options))
    # Who deals moves the board that nobody chose by itself: it is chosen once more.
    evening.laptop.post(f"/t/{evening.code}/options", table.options)
    for name in NAMES[: table.seats]:
        phone = Browser(app)
        phone.join(evening.code, name)
        evening.phones.append(phone)
    return evening


def page(
    evening: Evening,
    name: str,
    viewer: int | None,
    lang: str,
    rest: str = "",
    *,
    is_asked: bool = False,
) -> Scene:
    """Give a page of a table as its display, or the phone of a place in the game, shows it."""
    ledger = evening.table.ledger
    if viewer is None:
        html = _got(evening.laptop, f"/t/{evening.code}{rest}", lang)
        return Scene(name, "display", lang, html, is_asked)
    seat = ledger.seating.at(SeatIndex(viewer)) if ledger.state is not None else viewer
    html = _got(evening.phones[seat], evening.seat(seat, rest), lang)
    return Scene(name, "phone", lang, html, is_asked)


def _got(browser: Browser, path: str, lang: str) -> str:
    answer = browser.get(path, **{"Accept-Language": lang})
    assert answer.status_code in {200, 404}, (path, answer.text)
    return answer.text


# What is beside the game


def beside(app: Flask, key: str, lang: str) -> Iterator[Scene]:
    """Go through a table's evening: lobby, menu, rules, what is asked of the table, the end."""
    table = Table(key, APP, GAMES.meta(key).seats[1], 0)
    evening = opened(app, table._replace(seats=1))
    yield page(evening, f"{key} lobby, empty", None, lang)
    for name in NAMES[1 : table.seats]:
        phone = Browser(app)
        phone.join(evening.code, name)
        evening.phones.append(phone)
    yield page(evening, f"{key} lobby, full", None, lang)
    yield page(evening, f"{key} lobby", 0, lang)
    yield _at(evening, f"{key} join", "phone", f"/j/{evening.code}?more=1", lang)
    evening.start()
    rng = random.Random(key)
    evening.play(rng, most=40)
    yield page(evening, f"{key} menu", 0, lang, "/menu")
    yield page(evening, f"{key} rules", 0, lang, "/rules")
    yield page(evening, f"{key} host", None, lang, "/host")
    yield _at(evening, f"{key} door", "phone", f"/j/{evening.code}", lang)
    yield from _proposed(evening, key, rng, lang)
    evening.play(rng)
    yield page(evening, f"{key} ceremony", None, lang)
    for seat in range(2):
        yield page(evening, f"{key} own result {seat}", seat, lang)


def _proposed(evening: Evening, key: str, rng: random.Random, lang: str) -> Iterator[Scene]:
    """Ask to take something back that nobody can take back alone."""
    for _ in range(60):
        if evening.table.ledger.status != "playing":
            return
        evening.play(rng, most=1)
        ledger = evening.table.ledger
        asks = [seat for seat in ledger.seating.order if ledger.own_last(seat) is not None]
        for seat in asks:
            if tables_of(evening.app).consent.undo(evening.table, seat) == "asked":
                yield page(evening, f"{key} consent", None, lang)
                for viewer in range(2):
                    yield page(evening, f"{key} consent {viewer}", viewer, lang)
                return


def around(app: Flask, lang: str) -> Iterator[Scene]:
    """Go through the pages that belong to no game, at a browser that has a table to go on with."""
    visitor = opened(app, Table("moon_river", APP, 4, 0)).start().laptop
    pages: Mapping[str, tuple[str, tuple[Device, ...]]] = {
        "start": ("/", ("phone", "display")),
        "evenings": ("/evenings", ("phone", "display")),
        "help": ("/help", ("phone",)),
        "refused": ("/j/XXXXX", ("phone",)),
    }
    for name, (path, devices) in pages.items():
        html = _got(visitor, path, lang)
        for device in devices:
            yield Scene(f"{name} ({device})", device, lang, html)


def _at(evening: Evening, name: str, device: Device, path: str, lang: str) -> Scene:
    return Scene(name, device, lang, _got(Browser(evening.app), path, lang))
