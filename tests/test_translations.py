"""German and French: complete, with the same placeholders, in their own typography, and shown."""

from __future__ import annotations

import ast
import logging
import re
import shutil
from collections.abc import Iterator
from functools import cache
from gettext import GNUTranslations
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po
from flask import Flask

from referee.catalogues import compile_catalogues, put_headers

ROOT = Path(__file__).parent.parent
FOREIGN = ("de", "fr")
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%%|\{\w+(?:!r)?\}")
MARKUP = re.compile(r"<[^>]*>")


def template(folder: Path) -> Catalog:
    """Extract every message from the sources, the way `make catalogs` does."""
    pot = folder / "messages.pot"
    words = f"pybabel -q extract -F {ROOT / 'babel.cfg'} -o {pot}".split()
    CommandLineInterface().run([*words, str(ROOT / "referee"), str(ROOT / "templates")])
    logging.getLogger("babel").handlers.clear()
    with pot.open("rb") as stream:
        return read_po(stream)


@cache
def catalogue(lang: str) -> Catalog:
    """Read a catalogue as it lies in the repository; no test changes what it reads."""
    path = ROOT / "referee" / "translations" / lang / "LC_MESSAGES" / "messages.po"
    with path.open("rb") as stream:
        return read_po(stream, locale=lang)


def forms(text: object) -> tuple[str, ...]:
    """Give the singular and plural of a message or its translation; most have one form."""
    return tuple(map(str, text)) if isinstance(text, tuple | list) else (str(text),)


def messages(lang: str) -> Iterator[tuple[Message, tuple[str, ...]]]:
    """Give every message of a catalogue with its translated forms, without the header."""
    for message in catalogue(lang):
        if message.id:
            yield message, forms(message.string)


# Both languages in one test, and uncounted: it takes seconds to extract them, in Babel and Jinja.
@pytest.mark.long
def test_every_sentence_is_translated(tmp_path: Path) -> None:
    """And none is kept that no page says any more; `make catalogs` brings both about."""
    wanted = {message.id for message in template(tmp_path) if message.id}
    assert len(wanted) > 100
    for lang in FOREIGN:
        found = {message.id for message, said in messages(lang) if all(said)}
        assert (lang, wanted - found, found - wanted) == (lang, set(), set())
        assert not catalogue(lang).obsolete


def test_no_sentence_hides_in_a_formatted_text() -> None:
    """Before Python 3.12 what stands in the braces of an f-string is not looked through."""
    hidden = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in (ROOT / "referee").rglob("*.py")
        for text in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        if call.func.id in {"_", "gettext", "ngettext"}
        if any(isinstance(said, ast.Constant) for said in call.args)
    ]
    assert hidden == []


@pytest.mark.parametrize("lang", FOREIGN)
def test_nothing_is_guessed(lang: str) -> None:
    """A fuzzy entry would be left out of the compiled catalogue."""
    assert [message.id for message, _ in messages(lang) if message.fuzzy] == []


@pytest.mark.parametrize("lang", FOREIGN)
def test_placeholders_survive(lang: str) -> None:
    """Each form of a translation names what some form of the message names, and no more."""
    for message, said in messages(lang):
        wanted = {tuple(sorted(PLACEHOLDER.findall(form))) for form in forms(message.id)}
        for form in said:
            assert tuple(sorted(PLACEHOLDER.findall(form))) in wanted, form
        most = max(wanted, key=len)
        assert any(tuple(sorted(PLACEHOLDER.findall(form))) == most for form in said), said


@pytest.mark.parametrize("lang", FOREIGN)
def test_markup_survives(lang: str) -> None:
    """A translation opens and closes the tags of its message."""
    for message, said in messages(lang):
        for form in said:
            assert MARKUP.findall(form) == MARKUP.findall(forms(message.id)[0])


@pytest.mark.parametrize("lang", FOREIGN)
def test_every_plural_form_is_there(lang: str) -> None:
    """Both languages have two."""
    for message, said in messages(lang):
        assert len(said) == (2 if message.pluralizable else 1)


def test_none_is_not_said_to_be_one_in_french() -> None:
    """French counts nothing like one, so what is said of one has no number of its own."""
    for message, said in messages("fr"):
        assert not (message.pluralizable and "1" in said[0]), said


def test_no_name_stands_where_french_would_elide() -> None:
    """Ann has a rancher and so has Bob: neither "de Ann" nor "d’Bob" can be said of both."""
    # Numbers and dates, before which nothing is elided, "tuile ...", and who is said by `elided`.
    numbers = {"amount", "expected", "high", "least", "limit", "low", "next", "num", "value"}
    safe = numbers | {"day", "tile", "holder"}
    elided = re.compile(
        r"(?:\b(?:de|du|au|l[ea]|[cjmnst]e|[mst]a|(?:jus|lors|puis|quoi)?que)\s+|’)[«(\s]*"
        r"(?:%\(|\{)(\w+)",
        re.IGNORECASE,
    )
    found = [
        (form, elided.findall(MARKUP.sub("", form))) for _, said in messages("fr") for form in said
    ]
    assert [form for form, names in found if not safe.issuperset(names)] == []
    assert {name for _, names in found for name in names} == safe


@pytest.mark.parametrize(
    ("lang", "wrong"),
    [
        ("de", r"[\"'`«»”]|\.\.\.|\w…"),
        ("fr", r"[\"'`„“”]|\.\.\.|[^\u202f][:;!?»]|«[^\u202f]"),
    ],
)
def test_typography_is_the_languages_own(lang: str, wrong: str) -> None:
    """Quotes, apostrophes, dots and the narrow space before French double signs."""
    for _, said in messages(lang):
        for form in said:
            text = PLACEHOLDER.sub("x", MARKUP.sub("", form)).replace("http://", "")
            assert not re.search(wrong, text), form


@pytest.mark.parametrize(
    ("lang", "wrong"),
    [
        ("en", r"\b[Tt]he app\b(?! BG)|\b1 discs\b|\bstar's holder\b"),
        ("de", r"Schiedsrichter|(?<!anderen )\bApp\b(?! BG)"),
        ("de", r"\boffene[mnrs]? Ziele?\b|Startspieler(?!stern)"),
        ("fr", r"\b(?:[Ll]e|un|aucun|d[eu]) referee\b|(?<!autre )\bappli\b"),
        ("fr", r"jetons? bonus|premier joueur"),
        ("de", r"Gastgeber|Schienen|Spielplan|\b[Pp]rotokoll|Journal|Code zum Einst|\bKasse\b"),
        (
            "de",
            r"falsch gesagt|Höchstbetr|Welcher Bonus|neben de[nm] Plan|Spieltableau|geheimen? Z",
        ),
        (
            "fr",
            r"coupe-feu|\bbrun|Premier Joueur|le long d|d’exercice|d’une touche|[Mm]ontants? maxim",
        ),
        (
            "fr",
            (
                r"\bmal dit|\bremis(?:es|ent)\b|\bmisé\b|(?<=\w )Shérif|\ble bateau|\bla locomotive"
                r"|Déplace-le sur"
            ),
        ),
    ],
)
def test_a_thing_has_one_name_in_each_language(lang: str, wrong: str) -> None:
    """The referee is no app, and what lies in a box is called as its rulebook calls it."""
    for message, said in messages("de" if lang == "en" else lang):
        for form in forms(message.id) if lang == "en" else said:
            assert not re.search(wrong, form), form


@pytest.mark.parametrize("lang", FOREIGN)
def test_what_a_sentence_quotes_is_called_so_on_its_button(lang: str) -> None:
    """A reader who is sent to “Move to another phone” looks for just these words."""
    said = {message.id: forms(message.string)[0] for message, _ in messages(lang)}
    named = [
        (sentence, said[name])
        for message, found in said.items()
        for sentence in (found,)
        for name in re.findall(r"“([^”]+)”", forms(message)[0])
        if name in said
    ]
    assert len(named) > 3
    assert [(sentence, name) for sentence, name in named if name not in sentence] == []


def test_a_map_is_no_card_in_german() -> None:
    """Both are a "Karte"; on the pages of a game with cards only the cards are."""
    for message, said in messages("de"):
        if re.search(r"\bmaps?\b", forms(message.id)[0], re.IGNORECASE):
            is_about_cards = "card" in forms(message.id)[0]
            assert is_about_cards or not re.search(r"\bKarten?\b", said[0]), said[0]


def test_catalogues_compile(tmp_path: Path) -> None:
    """What is compiled speaks and knows its plural; a compiled file is kept out of git."""
    shutil.copytree(
        ROOT / "referee" / "translations",
        tmp_path / "referee" / "translations",
        ignore=shutil.ignore_patterns("*.mo"),
    )
    compile_catalogues(tmp_path)
    spoken = {}
    for lang in FOREIGN:
        path = tmp_path / "referee" / "translations" / lang / "LC_MESSAGES" / "messages.mo"
        with path.open("rb") as stream:
            spoken[lang] = GNUTranslations(stream)
    assert spoken["de"].gettext("Pass") == "Passen"
    assert spoken["fr"].gettext("Pass") == "Passer"
    one, many = "One more player to begin", "%(num)s more players to begin"
    assert spoken["de"].ngettext(one, many, 0) == spoken["de"].ngettext(one, many, 2)
    assert spoken["fr"].ngettext(one, many, 0) == spoken["fr"].ngettext(one, many, 1)


def test_a_lost_header_comes_back(tmp_path: Path) -> None:
    """Pybabel's update leaves it out, so that no date changes with every update."""
    folder = tmp_path / "referee" / "translations" / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    path = folder / "messages.po"
    path.write_text('\nmsgid "Pass"\nmsgstr "Passer"\n', encoding="utf-8")
    put_headers(tmp_path)
    once = path.read_text(encoding="utf-8")
    put_headers(tmp_path)
    assert path.read_text(encoding="utf-8") == once
    assert once.startswith('msgid ""\n')
    assert "charset=utf-8" in once
    assert "plural=(n > 1)" in once
    assert once.endswith('msgid "Pass"\nmsgstr "Passer"\n')


@pytest.mark.parametrize("lang", FOREIGN)
def test_each_catalogue_has_its_header(lang: str) -> None:
    """Editors and gettext need the charset and the plural rule."""
    path = ROOT / "referee" / "translations" / lang / "LC_MESSAGES" / "messages.po"
    head = path.read_text(encoding="utf-8").partition("\n\n")[0]
    assert f'"Language: {lang}\\n"' in head
    assert "charset=utf-8" in head
    assert "Plural-Forms: nplurals=2" in head


@pytest.mark.parametrize(
    ("lang", "path", "said", "english"),
    [
        ("de", "/", "Was kommt heute auf den Tisch?", "What is on the table tonight?"),
        ("fr", "/", "On joue à quoi ce soir\u202f?", "What is on the table tonight?"),
        ("de", "/t/XXXX", "Einen Tisch mit diesem Code gibt es nicht.", "no table with this code"),
        ("fr", "/t/XXXX", "Aucune table ne porte ce code.", "no table with this code"),
    ],
)
def test_pages_speak_the_browsers_language(
    app: Flask, lang: str, path: str, said: str, english: str
) -> None:
    """A page and a refusal, from the compiled catalogues that the installation made."""
    answer = app.test_client().get(path, headers={"Accept-Language": lang})
    page = answer.get_data(as_text=True)
    assert f'<html lang="{lang}"' in page
    assert said in page
    assert english not in page
