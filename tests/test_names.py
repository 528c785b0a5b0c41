"""Names as people type them."""

from __future__ import annotations

import unicodedata

import pytest
from grapheme import graphemes
from hypothesis import example, given
from hypothesis import strategies as st

from referee import names
from referee.errors import MalformedAction

texts = st.one_of(
    st.text(max_size=80),
    st.text("ae\u0301\u0308\u200d\u200b\ufe0f\u202e🐺👨👩👍🏽\u3164\u034f\n Z", max_size=60),
)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann \t Lee\n", "Ann Lee"),
        ("Bob 🐺", "Bob 🐺"),
        ("Zoe\u0308", "Zoë"),
        ("a\u200b\u0301", "á"),
        ("\u202eevil\u202c", "evil"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("🏳️\u200d🌈", "🏳️\u200d🌈"),
        ("👍🏽", "👍🏽"),
        ("👨\u200d", "👨"),
        ("Bob\u200d", "Bob"),
        ("Bob\u034f\u3164", "Bob"),
        ("Bob\ufe0f", "Bob"),
        ("x" * 100, "x" * 24),
        ("🐺" * 100, "🐺" * 24),
        ("q" + "\u0300" * 50 + "r", "q\u0300\u0300r"),
        ("مرحبا", "مرحبا"),
        ("<b>", "<b>"),
        ("!", "!"),
    ],
)
def test_what_is_left_of_a_name(typed: str, shown: str) -> None:
    """One line, as written, without what flips, stacks up or cannot be seen."""
    assert names.clean(typed) == shown


@pytest.mark.parametrize(
    "typed",
    ["", " \n", "\u200b\u200d", "\u202e", "\u0301\u0301", "\u3164", "\u2800", "\ufe0f", "\ud800"],
)
def test_a_name_nobody_can_see_is_none(typed: str) -> None:
    """Something must be left to look at."""
    with pytest.raises(MalformedAction) as refused:
        names.clean(typed)
    assert refused.value.code == "no_name"


@given(st.text(st.characters(max_codepoint=0x2FF, exclude_categories=["Cc", "Cf"]), max_size=60))
def test_a_plain_letter_is_a_sign_by_itself(text: str) -> None:
    """So the tables of signs are read for other names only."""
    assert names._signs(text) == [*graphemes(text)]  # noqa: SLF001  # what it leaves out


@given(texts)
@example("\u200d \u03000")
@example("a \u0300 b")
def test_a_clean_name_is_clean(typed: str) -> None:
    """Cleaning it again changes nothing; it is normal, short, in one line and safe to encode."""
    try:
        name = names.clean(typed)
    except MalformedAction:
        return

    assert names.clean(name) == name
    assert unicodedata.is_normalized("NFC", name)
    assert name == " ".join(name.split())
    assert len(name.splitlines()) == 1
    assert len(name.encode()) <= 24 * 12 * 4
    assert not {unicodedata.category(c) for c in name} & {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert not {*name} & {
        *"\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    }


@given(texts)
def test_a_sentence_is_one_line(typed: str) -> None:
    """Reasons are shown to the whole table, so they are made safe in the same way."""
    line = names.sentence(typed, 30)

    assert len(line) <= 30
    assert not any(unicodedata.category(c)[0] == "C" for c in line)


@pytest.mark.parametrize(
    ("name", "taken", "given"),
    [
        ("Ann", (), "Ann"),
        ("Ann", ("Ben",), "Ann"),
        ("Ann", ("Ann",), "Ann 2"),
        ("ann", ("Ann", "ANN 2"), "ann 3"),
        ("Straße", ("STRASSE",), "Straße 2"),
    ],
)
def test_namesakes_are_numbered(name: str, taken: tuple[str, ...], given: str) -> None:
    """Whatever the case, two at a table are told apart."""
    assert names.distinct(name, taken) == given


@pytest.mark.parametrize(
    ("name", "taken", "letter"),
    [
        ("Ann", "", "A"),
        ("Ann", "A", "N"),
        ("Ann", "AN", "B"),
        ("🐺", "", "A"),
        ("🐺 wolf", "", "W"),
        ("ßa", "", "S"),
        ("שלום", "", "ש"),
        ("7 up", "", "7"),
    ],
)
def test_a_letter_stands_for_a_name(name: str, taken: str, letter: str) -> None:
    """Its own first free one, else any free one."""
    assert names.letter(name, taken) == letter
