"""Names that are markup, directives or tricks: shown as text on every page, stream and file."""

from __future__ import annotations

import random
import re

import msgspec
import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.pages import Page, pages_of
from tests.table import (
    Browser,
    Evening,
    Stream,
    streaming,
)

# Nasty names


NASTY = (
    "Bob 🐺",
    "\u202eevil\u202c",
    "\u2067rtl\u2069",
    "<script>alert(1)</script>",
    '" onmouseover="pwn()" x="',
    "' onfocus='pwn()' autofocus='",
    "{{ 7*7 }}{% x %}",
    "%(name)s %s",
    "&lt;b&gt;&amp;",
    "a\nb\r\nc: d\n\nevent: gone",
    "data: x",
    "Z" + "\u0300\u0301\u0302\u0303" * 40,
    "=cmd|' /C calc'!A0",
    "@SUM(1)",
    "مرحبا",
    "שלום",
    "名前",
    "👨‍👩‍👧‍👦" * 30,
    "x" * 400,
    "\u00a0 \u2003 a \u3000",
    "]]>--><!--",
    "null",
    "\\u0000\\",
    "A\u2028B\u2029C\x85D\x0bE",
)
names = st.one_of(
    st.sampled_from(NASTY),
    st.text(min_size=1, max_size=60),
    st.text("<>&\"'`={}%\n\r\t\u200b\u202e\u0301🐺a:", min_size=1, max_size=40),
)


@pytest.mark.long
@given(st.lists(names, min_size=3, max_size=5), st.integers(0, 9))
@settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_nasty_names_everywhere(app: Flask, called: list[str], seed: int) -> None:
    """Through pages, streams, headers, journals and exports: shown as text, and nothing breaks."""
    evening = Evening(app, seats=0)
    for name in called:
        phone = Browser(app)
        answer = phone.post(f"/j/{evening.code}", {"name": name})
        if answer.status_code == 303:
            evening.phones.append(phone)
        else:
            assert answer.status_code == 400
            Page(answer.text)
    while len(evening.phones) < 3:
        evening.phones.append(Browser(app))
        evening.phones[-1].join(evening.code, "Ann")
    evening.start()
    evening.play(random.Random(seed), most=30)
    act_for_reason = {"what": "star", "seat": "1", "reason": called[0]}
    evening.correct(act_for_reason)
    look_everywhere(evening)
    evening.play(random.Random(seed))
    look_everywhere(evening)
    base = f"/t/{evening.code}/export"
    shown = evening.laptop.get(f"{base}/csv").text
    assert len(shown.split("\n")) > 10
    assert not re.search(r",[=+@-](?!\d)", shown)
    assert msgspec.json.decode(evening.laptop.get(f"{base}/bgstats").data)
    for line in evening.laptop.get(f"{base}/journal").data.split(b"\n")[:-1]:
        assert msgspec.json.decode(line)


def look_everywhere(evening: Evening) -> None:
    """Open all pages and streams of a table and check them."""
    for who, path in pages_of(evening)[2:]:
        answer = who.get(path)
        assert answer.status_code == 200
        check_text(answer.text)
        Page(answer.text)
    code = evening.code
    streams = [
        (evening.laptop, f"/t/{code}/stream"),
        (evening.phones[0], evening.seat(0, "/stream")),
    ]
    for who, path in streams:
        with streaming(who.client, path) as stream:
            check_stream(stream)
    with streaming(evening.laptop.client, f"/api/v1/tables/{code}/stream") as stream:
        stream.read()
        ((_, _, data),) = stream.read()
        assert msgspec.json.decode(data) == evening.laptop.get(f"/api/v1/tables/{code}").json


def check_stream(stream: Stream) -> None:
    """Check that nothing but our own events is in what comes first."""
    stream.read()
    for name, _, data in stream.read():
        assert re.fullmatch(r"[a-z]+", name)
        assert name != "gone"
        check_text(data)


def check_text(text: str) -> None:
    """Check that no name got out of its place: no element, attribute or direction of its own."""
    for wrong in ("<script>alert", '" onmouseover="', "' onfocus='", "{{ 7*7 }}</script>"):
        assert wrong not in text
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u0000-\u0008]", text)
