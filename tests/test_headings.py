"""Every page says what it is: by a heading, by a title of its own, and in its language."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from http import HTTPStatus

import pytest
from flask import Flask
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from referee.games import GAMES
from tests.table import Browser, Evening

OTHERS = {
    "boards.show": ({"name": "owned"}, {"name": "nix"}),
    "lobby.be_host": ({"key": "nix"},),
    "lobby.moving": ({"code": "K7QXW"},),
    "lobby.wait_for_seat": ({"secret": "nix"},),
    "retell.form": ({"to": 1, "part": 0},),
    "seat.page": ({"name": "objectives"}, {"name": "nix"}),
    "seat.transferred": ({"move": "nix"},),
    "terms.whole": ({"lang": "de"},),
}
"""What stands in an address beside the table, its game and the seat."""

FILES = {
    *("static", "<lambda>", "_health", "_static", "boards.export", "keep.download", "lobby.qr"),
    *("stream.display", "stream.seat", "trouble.saved"),
}
"""What is no page; the HTTP interface is none either."""


def addresses(app: Flask, evening: Evening) -> Iterator[str]:
    """Fill in every address that can be opened, for one table and its first seat."""
    game = evening.table.game.META.key
    known = {"code": evening.code, "seat": 0, "game": game}
    adapter = app.url_map.bind("table.test")
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and _is_page(rule):
            for other in OTHERS.get(rule.endpoint, ({},)):
                yield adapter.build(rule.endpoint, known | other, append_unknown=False)


def _is_page(rule: Rule) -> bool:
    return rule.endpoint not in FILES and not rule.endpoint.startswith(("api.", "captive."))


def faults(answer: TestResponse) -> list[str]:
    """Say what is missing on a page; what is a part of one, or leads elsewhere, is not judged."""
    html = answer.text
    if answer.mimetype != "text/html" or "<html" not in html or answer.location:
        return []
    headings = [re.sub(r"<[^>]+>", "", h).strip() for h in re.findall(r"(?s)<h1.*?</h1>", html)]
    title = re.findall(r"(?s)<title>(.*?)</title>", html.partition("</head>")[0])
    is_start = 'action="/tables"' in html
    found = {
        "no heading": not headings,
        "an empty heading": "" in headings,
        f"titles {title}": len(title) != 1 or (title[0].strip() in {"", "referee"}) != is_start,
        "a fault of ours": answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR,
        "no language": '<html lang="en"' not in html,
    }
    return [fault for fault, is_so in found.items() if is_so]


@pytest.mark.long
@pytest.mark.parametrize("game", [meta.key for meta in GAMES.metas()])
def test_every_page_has_a_heading_and_a_title(app: Flask, game: str) -> None:
    """In the lobby, in the game and after it; for the host, a seat, a stranger; also refusals."""
    evening = Evening(app, game=game)
    wrong: dict[str, list[str]] = {}
    seen = 0

    def look(stage: str) -> None:
        nonlocal seen
        viewers = {"host": evening.laptop, "seat": evening.phones[0], "stranger": Browser(app)}
        for name, browser in viewers.items():
            for path in {*addresses(app, evening), "/no/such/page"}:
                answer = browser.get(path)
                seen += "<html" in answer.text
                if found := faults(answer):
                    wrong[f"{path} {answer.status_code} ({name}, {stage})"] = found

    look("lobby")
    evening.start()
    rng = random.Random(4)
    for _ in range(8):
        evening.play(rng, most=3)
        for page, browser in (
            (evening.seat(0), evening.phones[0]),
            (f"/t/{evening.code}", evening.laptop),
        ):
            if found := faults(browser.get(page)):
                wrong[f"{page} in the game"] = found
    look("game")
    evening.play(rng)
    look("over")
    for path in ("/transfer", "/curtain"):
        if found := faults(evening.phones[0].post(evening.seat(0, path))):
            wrong[path] = found
    assert not wrong, "\n".join(f"{k}: {v}" for k, v in sorted(wrong.items()))
    assert seen > 100
