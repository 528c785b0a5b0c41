"""What the words mean: every term has its sentence, and no request says which one is read."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from flask import Flask

from referee.games import GAMES
from referee.games.desperados import model as desperados
from referee.games.moon_river import model as moon_river
from referee.games.winchester import model as winchester
from referee.web.meaning import acts
from referee.web.render import here
from tests.table import LANGUAGES, Evening, client_of

EXPLAINED: dict[str, set[str]] = {
    "winchester": {
        *winchester.SHARED_OBJECTIVES,
        *winchester.SECRET_OBJECTIVES,
        *winchester.TOKENS,
    },
    "desperados": {*desperados.KINDS, desperados.SALOON},
    "moon_river": {
        *moon_river.SPECIALISTS,
        moon_river.COWBOY,
        *(scenario for scenario in moon_river.SCENARIOS if scenario != "none"),
    },
}
"""What each game's model names and people ask about: a new one has to be explained too."""
LINK = re.compile(r'class="q" href="([^"]*)"')


@pytest.mark.parametrize("game", sorted(EXPLAINED))
def test_every_term_has_a_name_and_a_sentence(game: str, app: Flask) -> None:
    """In three languages; no two terms have the same name, and none is left without a sentence."""
    terms = GAMES[game].screens.TERMS
    assert EXPLAINED[game] <= terms.keys()
    for lang in LANGUAGES:
        words: Any = app.extensions["referee"].renderer.words(game, lang)
        names = [str(words.term_name(key)).strip() for key in terms]
        said = [str(words.term(key)).strip() for key in terms]
        assert all(names)
        assert all(said)
        assert len({*names}) == len({*said}) == len(terms)


@pytest.mark.parametrize("game", sorted(EXPLAINED))
def test_every_kind_of_question_has_its_term(game: str) -> None:
    """Each of one term alone, so it is plain where its "?" leads."""
    screens = GAMES[game].screens
    helped = [kind for kinds in screens.TERMS.values() for kind in kinds]

    assert sorted(helped) == sorted({*helped})
    assert {*screens.HINTS} == {*helped}


@pytest.mark.parametrize("game", sorted(EXPLAINED))
def test_every_sign_is_drawn_and_stands_for_a_term(game: str) -> None:
    """What a sign is called where a page draws it: in the game's own icons, or in its board."""
    signs = GAMES[game].screens.SIGNS
    held = {"winchester": "winchester/_board.html", "desperados": "desperados/words/country.html"}
    drawn = (here("static") / game / "icons.svg").read_text()
    if game in held:
        board = (here("templates") / held[game]).read_text()
        drawn += board.replace('"k-', '"').replace("coach-{{ kind }}", "coach-brown")
    names = {sign for sign in signs if not sign.startswith("o-")}

    assert {*signs.values()} <= GAMES[game].screens.TERMS.keys()
    assert [name for name in names if f'id="{name}"' not in drawn] == []


@pytest.mark.parametrize("game", sorted(EXPLAINED))
def test_what_answers_a_question_has_its_term(game: str) -> None:
    """Every action that answers one; where several terms fit the page is told so."""
    screens = GAMES[game].screens
    told = dict(pair.split(":") for pair in acts(game).split())

    assert told.keys() == {action for actions in screens.HINTS.values() for action in actions}
    assert {term.removesuffix("?") for term in told.values()} <= screens.TERMS.keys()


@pytest.mark.parametrize("game", sorted(EXPLAINED))
def test_a_glossary_is_one_for_everybody(game: str, app: Flask) -> None:
    """Whoever asks, for whatever term, gets the same bytes under the same address."""
    address = f"/terms/{game}/de"
    first, second = client_of(app).get(address), client_of(app).get(address)

    assert first.data == second.data
    assert first.headers["Cache-Control"].startswith("public")
    assert all(f'id="t-{key}"' in first.text for key in GAMES[game].screens.TERMS)
    assert client_of(app).get("/terms/poker/de").status_code == 404
    assert client_of(app).get(f"/terms/{game}/it").status_code == 404


@pytest.mark.parametrize("game", sorted(EXPLAINED))
def test_each_link_leads_to_a_term_and_back(game: str, app: Flask) -> None:
    """From phones in the middle of a game; a term is named behind the #, which nobody sends."""
    evening = Evening(app, game=game, seats=3).start()
    evening.play(random.Random(4), most=30)
    for seat in evening.table.ledger.seating.order:
        page = evening.phones[seat].get(evening.seat(seat)).text
        links = LINK.findall(page)
        assert links
        for link in links:
            address, _, anchor = link.partition("#")
            assert address in {evening.seat(seat, "/terms"), f"/t/{evening.code}/terms"}
            found = evening.phones[seat].get(address).text
            assert not anchor or f'id="{anchor}"' in found
            assert f'<a class="btn btn-wide" href="{evening.seat(seat)}">' in found
    board = evening.laptop.get(f"/t/{evening.code}/terms").text
    assert f'<a class="btn btn-wide" href="/t/{evening.code}">' in board


def test_a_page_of_terms_says_nothing_of_whose_secrets_they_are(app: Flask) -> None:
    """Two seats with different objectives read the same, but for their own names and addresses."""
    evening = Evening(app).start()
    pages = []
    for seat in evening.table.ledger.seating.order[:2]:
        page = evening.phones[seat].get(evening.seat(seat, "/terms")).text
        pages.append(re.sub(r'.*?(<dl class="terms">.*</dl>).*', r"\1", page, flags=re.DOTALL))

    assert pages[0] == pages[1]
    assert "t-saloon_square" in pages[0]
    stranger = client_of(app).get(evening.seat(0, "/terms"))
    assert stranger.status_code in {303, 403}
