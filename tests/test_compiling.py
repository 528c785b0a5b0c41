"""Templates compiled our way put out what jinja puts out."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

import pytest
from babel.support import NullTranslations
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment, StrictUndefined, UndefinedError
from markupsafe import Markup

from referee.web.compiling import CACHES, Drawing, OneLanguage, compiled
from referee.web.render import Renderer

SOURCES = (
    "{{ a }}|{{ b }}",
    "{{ _('100 %% for %(who)s, and %(what)s', who=a, what=b) }}",
    "{{ _('%(who)s%(who)s', who=a) }}{{ _('50 %%') }}",
    "{% set said = _('<b>%(who)s</b> & %(what)s', who=a, what=b) %}{{ said }}{{ said|length }}",
    "{% trans who=a %}It is {{ who }}'s turn & more{% endtrans %}",
    "{{ _('Hi ') ~ a|string|upper }}",
    "{{ 'x' ~ a|string ~ b|string }}",
    "{% macro m(x, y='<', z=1) %}<i>{{ x }}{{ y }}{{ z }}</i>{% endmacro %}{{ m(a) }}{{ m(a, b) }}",
    "{% macro m(x, y=x, z='') %}{{ x }}{{ y }}{{ z }}{% endmacro %}{{ m(z=a, x=b) }}{{ m(m(a)) }}",
    "{% macro m() %}{{ varargs|length }}{{ kwargs.n }}{% endmacro %}{{ m(a, b, n=1) }}",
    "{% macro m() %}[{{ caller() }}]{% endmacro %}{% call m() %}{{ a }}{% endcall %}",
    "{% macro m(x) %}{{ x }}({{ caller() }}){% endmacro %}{% call m(a) %}{{ b }}{% endcall %}",
    "{% macro m() %}{{ caller() }}{% endmacro %}"  # noqa: ISC004  # one template
    "{% call m() %}{% call m() %}{{ a }}{% endcall %}{% endcall %}",
    "{% macro m() %}[{{ caller(1) }}]{% endmacro %}{% call(x) m() %}{{ x }}{{ a }}{% endcall %}",
    "{{ 'it' if a }}{{ '<' if b }}{{ 'yes' if a else b }}{{ '' if a else '&' }}",
    "{{ {'x': a}.x }}{{ {'x': {'y': b}}.x.y }}{{ [a, b][1] }}{{ {'x': a}['x'] }}",
    "{{ a.no is defined }}{{ {'x': a}.y is defined }}{{ {}.x|default(b) }}{{ [a][0] is defined }}",
    "{% set m = a %}{{ m }}{% for m in [b] %}{{ m }}{% endfor %}",
    "{% for x in [a, b] %}{{ loop.index }}{{ x }}{{ ', ' if not loop.last }}{% endfor %}",
)


class Html:
    """Something that knows how it looks in a page."""

    def __html__(self) -> str:
        """Give it as a page has it."""
        return "<hr>"


class Facts(dict[str, int]):
    """A mapping of a kind of its own, such as what a refusal's sentence needs."""


def both() -> tuple[Environment, Environment]:
    """Give an environment of ours, and jinja's own."""
    strict: dict[str, Any] = {"undefined": StrictUndefined}
    plain = Environment(autoescape=True, extensions=["jinja2.ext.i18n"], **strict)
    plain.install_null_translations(newstyle=True)  # type: ignore[attr-defined]  # the extension's
    return OneLanguage(NullTranslations(), autoescape=True, **strict), plain


OURS, JINJAS = both()
VALUES = st.one_of(
    st.text("<>&'\" %()sa", max_size=6),
    st.integers(),
    st.booleans(),
    st.none(),
    st.floats(allow_nan=False),
    st.text("<>&a", max_size=4).map(Markup),
    st.builds(Html),
)


@pytest.mark.parametrize("source", SOURCES)
@settings(max_examples=30)
@given(a=VALUES, b=VALUES)
def test_puts_out_what_jinja_puts_out(source: str, a: Any, b: Any) -> None:
    """Escaped texts, numbers, marks, messages and macros come out the same, byte for byte."""
    ours, jinjas = OURS.from_string(source), JINJAS.from_string(source)

    assert ours.render(a=a, b=b) == jinjas.render(a=a, b=b)


@pytest.mark.parametrize(
    ("source", "drawn"),
    [
        ("{{ m('<', 1) }}", "<i>&lt;</i>1"),
        ("{{ m(a, 1) }}{{ 'on' if a }}", "<i>&amp;</i>1on"),
        ("{% set x = m('b', 2) %}{{ x }}{{ x|length }}", "<i>b</i>29"),
        ("{% macro m(x) %}{{ x }}{% endmacro %}{{ m('<') }}", "&lt;"),
        ("{% set m = own %}{{ m('<') }}", "own &lt;"),
        ("{% for m in [own] %}{{ m('<') }}{% endfor %}", "own &lt;"),
    ],
)
def test_what_all_share_is_drawn_ahead_where_it_is_known(source: str, drawn: str) -> None:
    """A shared mark that is always the same is text; a name that a template makes is its own."""
    environment = OneLanguage(NullTranslations(), autoescape=True, undefined=StrictUndefined)
    module = environment.from_string(
        "{% macro m(x, y) %}<i>{{ x }}</i>{{ y }}{% endmacro %}"
    ).module
    environment.globals["m"] = Drawing(module.m)  # type: ignore[attr-defined]  # the macro above

    made = environment.from_string(source)

    assert made.render(a="&", own=lambda text: f"own {text}") == drawn


def test_an_attribute_of_any_mapping_is_what_it_holds() -> None:
    """Of a kind of our own as well."""
    assert OURS.from_string("{{ a.most }}").render(a=Facts(most=8000)) == "8000"


def test_a_name_of_its_own_goes_before_one_that_all_share() -> None:
    """In a template, in a macro of it, and in what it includes."""
    named = "{% macro m() %}{{ a }}{% endmacro %}{{ a }}{{ b }}{{ m() }}"
    loader = DictLoader({"in": "{{ a }}", "all": named + "{% include 'in' %}"})
    environment = OneLanguage(NullTranslations(), autoescape=True, loader=loader)
    environment.globals.update(a="<", b="&")

    assert environment.get_template("all").render() == "&lt;&amp;&lt;&lt;"
    assert environment.get_template("all").render(a=1) == "1&amp;11"


def test_what_is_called_around_something_is_not_remembered() -> None:
    """It is another thing each time, and what was remembered would hold on to all of them."""
    environment, shared = Renderer(lambda _: NullTranslations())._of("en")  # noqa: SLF001  # its macros

    assert environment.drawing("mark") is shared["mark"]
    assert environment.drawing("sure") is None
    # Nor what carries a version: it is another one with each question.
    assert environment.drawing("hidden") is None
    assert (
        shared["sure"]("Go", "Sure?", caller=lambda: Markup("<b>Yes</b>")).count("<b>Yes</b>") == 1
    )


def test_what_is_sent_with_its_version_is_not_remembered() -> None:
    """At the next action it is another, and a bid's form has more than a kilobyte."""
    environment, shared = Renderer(lambda _: NullTranslations())._of("en")  # noqa: SLF001  # its macros

    assert environment.drawing("attrs") is shared["attrs"]
    assert environment.drawing("hidden") is environment.drawing("stepper") is None
    assert 'value="7"' in shared["hidden"](None, "bid", 7)


@pytest.mark.parametrize("source", ["{{ c }}", "{{ _('%(x)s', x=c) }}", "{{ a.c }}"])
def test_what_is_missing_is_said(source: str) -> None:
    """A name that nobody gave is an error and not an empty place."""
    with pytest.raises((UndefinedError, AttributeError)):
        OURS.from_string(source).render(a=1)


@pytest.mark.parametrize("call", ["m(1, 2)", "m(y=1)", "m(1, x=1)"])
def test_a_macro_refuses_what_it_does_not_take(call: str) -> None:
    """A call that does not fit fails as jinja's does."""
    with pytest.raises(TypeError):
        OURS.from_string("{% macro m(x) %}{{ x }}{% endmacro %}{{ " + call + " }}").render()


# The cache


def test_what_was_compiled_is_not_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second start takes what the first one left, and draws the same."""
    monkeypatch.setattr("referee.web.compiling.user_cache_path", lambda _: tmp_path)
    first = drawn("Ann & Ben")
    monkeypatch.setattr(OneLanguage, "_parse", compiling_again)

    assert drawn("Ann & Ben") == first == "Ann &amp; Ben plays"


@pytest.mark.parametrize("kept", [0, 3, 20, 60])
def test_a_cache_that_was_cut_short_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    """A pulled plug can leave half a file; it costs the time to compile, and nothing else."""
    monkeypatch.setattr("referee.web.compiling.user_cache_path", lambda _: tmp_path)
    first = drawn("Ann")
    (file,) = tmp_path.rglob("*.en")
    whole = file.read_bytes()
    file.write_bytes(whole[:kept])

    assert drawn("Ann") == first
    assert file.read_bytes() == whole


def test_a_cache_that_cannot_be_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a file stands in its way, or the disk is full, templates are compiled as ever."""
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setattr("referee.web.compiling.user_cache_path", lambda _: tmp_path / "file")
    assert compiled("en", ()) is None
    assert drawn("Ann") == "Ann plays"

    monkeypatch.setattr("referee.web.compiling.user_cache_path", lambda _: tmp_path)
    monkeypatch.setattr("tempfile.NamedTemporaryFile", full_disk)
    assert drawn("Ann") == "Ann plays"


def test_another_catalogue_is_another_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was translated anew is compiled anew; of older ones a few are kept."""
    monkeypatch.setattr("referee.web.compiling.user_cache_path", lambda _: tmp_path)
    folders = [compiled("en", [bytes([number])]) for number in range(7)]

    assert len({found.directory for found in folders if found}) == 7
    assert len(list(tmp_path.rglob("templates-*"))) == CACHES


def drawn(who: str) -> str:
    """Draw a template in an environment that was made just now."""
    environment = OneLanguage(
        NullTranslations(),
        autoescape=True,
        loader=DictLoader({"one.html": "{{ _('%(who)s plays', who=who) }}"}),
        bytecode_cache=compiled("en", ()),
    )
    return environment.get_template("one.html").render(who=who)


def compiling_again(*_: object) -> NoReturn:
    """Stand in for the compiler where nothing is to be compiled."""
    raise AssertionError("compiled again")


def full_disk(*_: object, **__: object) -> NoReturn:
    """Stand in for a disk without room."""
    raise OSError(28, "No space left on device")


def test_lines_of_a_template_are_no_lines_of_a_page() -> None:
    """A stream writes seven bytes for each; what is read or typed as lines keeps them."""
    a_space = "a\u00a0\n  {{ a }}\n\n<p\n  class='b'>\n"
    drawn = OURS.from_string(a_space).render(a="1\n2")
    assert drawn == "a\u00a0 1\n2 <p class='b'>"
    kept = "<textarea>\n{{ a }}\n</textarea>"
    assert OURS.from_string(kept).render(a="b") == "<textarea>\nb\n</textarea>"
