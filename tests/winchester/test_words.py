"""A shared objective is named by its whole condition, wherever it is shown."""

from __future__ import annotations

import html
import random
import re
from typing import Any, Final

import pytest
from flask import Flask

from referee.games.winchester.events import (
    ClaimFailed,
    ClaimUndone,
    NowMet,
    ObjectiveClaimed,
    ObjectiveLaid,
    PileNow,
    Undermined,
)
from referee.games.winchester.model import SHARED_OBJECTIVES, HandingIn, SharedObjective
from referee.web.render import here
from tests.sight import other_state
from tests.table import Browser, Evening, tables_of
from tests.walk.moments import just_now
from tests.winchester.positions import position

CONDITIONS: Final[dict[SharedObjective, str]] = {
    "all_terrains": "A plot of each terrain",
    "all_tokens": "A bonus token of each kind",
    "five_plots": "5 plots",
    "last_auction": "Buys in the last auction, by duel or unbid too",
    "three_together": "3 plots joined side to side, not across river or rails",
    "three_off_river": "3 plots that do not touch the river",
    "three_off_rails": "3 plots that do not touch the rails",
    "dry_saloon": "A Saloon token that brought no money",
    "four_apart": "4 plots apart: none touches another of its owner’s; river and rails separate",
    "four_alike": "4 bonus tokens of one kind",
}


def plain(markup: str) -> str:
    """Give what people read."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", markup)).split())


def pages(table: Evening, *rest: str) -> dict[str, str]:
    """Open the display's pages, and those of Ann's phone."""
    own = [table.seat(0, path) for path in rest]
    shown = {path: table.phones[0].get(path) for path in own}
    shown["display"] = table.laptop.get(f"/t/{table.code}")
    assert {answer.status_code for answer in shown.values()} == {200}
    return {path: plain(answer.text) for path, answer in shown.items()}


@pytest.mark.parametrize("objective", SHARED_OBJECTIVES)
def test_what_lies_on_a_pile_can_be_read_on_every_screen(
    app: Flask, objective: SharedObjective
) -> None:
    """On the display, by who may claim it, before the count, and in what sets it right."""
    words = CONDITIONS[objective]
    table = Evening(app, seats=4).start()
    lying: dict[str, Any] = {"piles": {objective: 4}, "claims": "players"}

    with other_state(table, position(owned={1: range(1, 19)}, **lying)):
        for page in pages(table, "?open=1", "/menu").values():
            assert words in page
    with other_state(table, position(owned={1: range(1, 20)}, **lying)):
        assert f"Still open: {words}, $4,000" in pages(table, "?open=1")[table.seat(0, "?open=1")]


@pytest.mark.parametrize("objective", SHARED_OBJECTIVES)
def test_whatever_happens_to_an_objective_names_its_condition(
    app: Flask, objective: SharedObjective
) -> None:
    """In the log, in the moment on the display, and in the sentence on each phone."""
    words = CONDITIONS[objective]
    table = Evening(app, seats=4).start()
    state = position()
    claimed = ObjectiveClaimed(1, objective, 4000)
    for event in (
        claimed,
        ClaimFailed(1, objective),
        ObjectiveLaid(objective, 4000),
        Undermined(1, objective, 4000),
        NowMet(1, objective),
        ClaimUndone(1, objective, 4000),
        PileNow(objective, 4000),
    ):
        with just_now(table, state, (event,)):
            shown = pages(table, "?open=1")
        assert words in shown["display"]
        assert (words in shown[table.seat(0, "?open=1")]) is (event == claimed)


def test_which_card_lies_on_a_pile_is_tapped_by_its_condition(app: Flask) -> None:
    """On phone and display, and where it is told anew."""
    table = Evening(app, seats=4, preset="boxed", board="practice", auction="spoken").start()
    for page in pages(table, "").values():
        for words in CONDITIONS.values():
            assert words in page

    table.phones[0].post(
        table.seat(0, "/act"),
        {
            "type": "lay_objective",
            "objective": "five_plots",
            "version": table.table.ledger.version(0),
        },
    )
    listed = table.phones[0].get(table.seat(0, "/told")).text
    (address,) = re.findall(r'href="([^"]+/told/\d+/\d+)">', listed)
    assert "pile of $3,000: 5 plots" in plain(listed)
    form = plain(table.phones[0].get(address).text)
    for objective, words in CONDITIONS.items():
        assert words in form, objective


@pytest.mark.parametrize(
    ("box", "sentence"),
    [
        ({"secret_objectives": "box"}, "everybody tells their objectives in secret"),
        ({"money": "box"}, "everybody tells in secret what notes they hold"),
        (
            {"money": "box", "secret_objectives": "box"},
            "everybody tells objectives and notes in secret",
        ),
    ],
    ids=["objectives", "notes", "both"],
)
def test_before_the_count_only_what_is_owed_is_asked(
    app: Flask, box: dict[str, Any], sentence: str
) -> None:
    """Nobody is told to tell objectives where only notes are owed, on phones neither."""
    table = Evening(app, seats=4).start()
    owing = position(HandingIn((None,) * 4), owned={0: range(1, 20)}, **box)

    with other_state(table, owing):
        shown = pages(table, "?open=1")

    assert f"Before the count: {sentence}" in shown["display"]
    phone = shown[table.seat(0, "?open=1")]
    assert ("Which two objectives are yours?" in phone) is ("secret_objectives" in box)
    assert ("Count your notes" in phone) is ("money" in box)


def test_what_somebody_meets_is_said_before_that_their_phone_is_asleep(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a row is short, its end is what is cut."""
    table = Evening(app, seats=4).start()
    monkeypatch.setattr(tables_of(app).live, "is_present", lambda _, seat: seat != 1)

    with other_state(table, position(owned={1: range(1, 6)}, piles={"five_plots": 4})):
        assert "meets an objective · phone is asleep" in pages(table)["display"]


def test_no_template_names_an_objective_in_words_of_its_own() -> None:
    """What is read of one is the macro's; nothing but an attribute holds its bare name."""
    for path in (here("templates") / "winchester").rglob("*.html"):
        text = re.sub(r'(?:value|name|id|data-term)="[^"]*"', "", path.read_text(encoding="utf-8"))
        for said in re.findall(r"\{\{.*?\}\}|\{%-? *trans .*?%\}", text, re.DOTALL):
            bare = re.sub(r"'[^']*'|\b(?:objective|secret\w*|explain)\([^()]*\)", "", said)
            assert not re.search(r"\.objectives?\b|\bobjective\b(?!=| *\}\})", bare), said


def test_before_the_first_plot_no_auction_is_counted(app: Flask) -> None:
    """There are nineteen to come, and no zeroth of them."""
    evening = Evening(app, lang="fr").start()
    before = pages(evening)["display"]
    evening.play(random.Random(1), most=1)

    assert "19 enchères à venir" in before
    assert "Enchère 1 sur 19" in pages(evening)["display"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Jürgen", "le premier objectif personnel de Jürgen"),
        ("Élodie", "le premier objectif personnel d’Élodie"),
        ("Yves", "le premier objectif personnel d’Yves"),
        ("Yann", "le premier objectif personnel de Yann"),
        ("Hans", "le premier objectif personnel de Hans"),
        ("O", "le premier objectif personnel d’O"),
    ],
)
def test_a_card_is_somebodys_as_people_say_it(app: Flask, name: str, said: str) -> None:
    """In French a vowel takes the place of what stands before it."""
    evening = Evening(app, seats=2, lang="fr")
    Browser(app).join(evening.code, name)
    evening.start()
    table = evening.table
    parts = app.extensions["referee"].parts
    frame = parts.frame(table, None, "fr")
    words = parts.renderer.words("winchester", "fr")
    seat = table.ledger.seating.index(table.ledger.seating.order[-1])

    assert plain(words.card_name(f"secret:{seat}:0", frame)) == said
