"""What is told anew, as pages: the list, a form of every kind, what would be different, consent."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Final

from flask import Flask

from referee.telling import told_lines
from tests.forms import forms_of
from tests.strategies import Table
from tests.table import APP, Evening

from .scenes import Scene, opened, page

MOST: Final = 400
"""Steps of a game after which all kinds of lines were told."""
TRIES: Final = 6


def told(app: Flask, key: str, lang: str) -> Iterator[Scene]:
    """Tell a line of every kind anew, and ask the table for the last one."""
    options = APP | {"preset": "boxed"} | ({"auction": "spoken"} if key == "winchester" else {})
    evening = opened(app, Table(key, options, 4, 0)).start()
    rng = random.Random(key)
    evening.play(rng, most=MOST)
    if evening.table.game.telling is None:
        return
    yield page(evening, f"{key} told", 0, lang, "/told")
    yield page(evening, f"{key} told on the display", None, lang, "/told")
    kinds: dict[str, dict[str, Any]] = {}
    for line in told_lines(evening.table.ledger, 0):
        kinds.setdefault(line["told"].__struct_config__.tag, line)
    agreed: dict[str, str] = {}
    for kind, line in kinds.items():
        name, rest = f"{key} told {kind}", f"/told/{line['to']}/{line['part']}"
        yield page(evening, name, 0, lang, rest)
        for number in range(TRIES):
            scene, agreed = _filled(evening, name, rest, random.Random(number), lang)
            if scene is not None:
                yield scene
                break
    if agreed:
        evening.phones[0].post(evening.seat(0, "/retell"), agreed)
        yield page(evening, f"{key} told consent", None, lang)
        for seat in range(2):
            yield page(evening, f"{key} told consent {seat}", seat, lang)
    yield from _reopened(evening, key, rng, lang)


def _filled(
    evening: Evening, name: str, rest: str, rng: random.Random, lang: str
) -> tuple[Scene | None, dict[str, str]]:
    """Fill a line's form in, and whatever it asks for then; give the page of what would differ."""
    phone, path = evening.phones[0], evening.seat(0, rest)
    html = phone.get(path).text
    for _ in range(TRIES):
        (form, *_) = [form for form in forms_of(html) if form.action.startswith(path)] or [None]
        if form is None:
            break
        answer = phone.post(form.action, form.filled(rng), **{"Accept-Language": lang})
        if answer.status_code != 200:  # refused
            return None, {}
        html = answer.text
    asks = [form for form in forms_of(html) if form.action.endswith("/retell")]
    wanted = dict(asks[0].fixed) if asks else {}
    return Scene(f"{name}, filled in", "phone", lang, html), wanted


def _reopened(evening: Evening, key: str, rng: random.Random, lang: str) -> Iterator[Scene]:
    """Play to the end, and ask to open the game again."""
    evening.table.ledger.proposal = None
    evening.play(rng)
    evening.phones[0].post(evening.seat(0, "/reopen"))
    yield page(evening, f"{key} reopening", None, lang)
    for seat in range(2):
        yield page(evening, f"{key} reopening {seat}", seat, lang)
