"""Whatever anybody sends, the interface and the pages answer it: a refusal, never a fault."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.web.openapi import document
from tests.table import Evening, Sitting, bearer

pytestmark = pytest.mark.long

DEEP = 3000
GAME = "winchester"

numbers = st.one_of(
    st.integers(),
    st.sampled_from([-1, 0, 2**31, 2**63, 2**64, -(2**63) - 1, 10**400, 1e308, -0.0, 5e-324]),
    st.floats(),
)
texts = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["", "é", "\x00", "\ud800", "🐺" * 80, "a" * 70_000, "null", "../..", "%s%n"]),
)
leaves = st.one_of(st.none(), st.booleans(), numbers, texts)
typed = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=40),
    st.sampled_from(["é", "🐺" * 80, "9" * 5000]),
)
garbage = st.recursive(
    leaves,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)
odd_headers = st.fixed_dictionaries(
    {},
    optional={
        "Authorization": st.sampled_from(["Bearer é", "Bearer", "Basic \xff", "é", "Bearer " * 9]),
        "Cookie": st.sampled_from(["referee_é=ö", "referee_x=\xff; ;=;", "=" * 99]),
        "Origin": st.sampled_from(["http://[", "null", "http://é", "javascript:é"]),
        "Accept-Language": st.sampled_from(["é", "de;q=ö", "*;q=-1", "-" * 400]),
        "Content-Type": st.sampled_from(["", "é", "application/json; charset=ö", "text/plain"]),
        "HX-Request": st.sampled_from(["true", "é"]),
        "Last-Event-ID": st.sampled_from(["é", "-1", "9" * 5000]),
    },
)
fields = sorted(
    {
        name
        for schema in document()["components"]["schemas"].values()
        for name in schema.get("properties", ())
    }
)
kinds = sorted(
    {
        str(schema["properties"]["type"]["enum"][0])
        for schema in document()["components"]["schemas"].values()
        if "enum" in schema.get("properties", {}).get("type", {})
    }
)
near = st.dictionaries(st.sampled_from(fields), st.one_of(garbage, st.sampled_from(kinds)))
"""What is built of the names that the interface knows, and of the wrong things."""


def encoded(body: object) -> bytes:
    """Write JSON as strangers do: numbers of any length, letters that are none."""
    return json.dumps(body).encode(errors="surrogatepass")


bodies = st.one_of(
    near.map(encoded),
    garbage.map(encoded),
    st.tuples(near, near).map(lambda two: encoded({**two[0], "action": two[1]})),
    st.binary(max_size=60),
    st.sampled_from([b"[" * DEEP, b'{"a":' * DEEP, b"1" * 5000, b"\xff\xfe", b'{"id":"\\ud800"}']),
)


class Target:
    """A game that goes on, and keys to all of it."""

    def __init__(self, app: Flask) -> None:
        sitting = Sitting(app).start()
        self.client = sitting.client
        self.code = sitting.code
        self.keys = [None, sitting.host, *sitting.tokens]
        evening = Evening(app).start()
        self.evening = evening


@pytest.fixture(scope="module")
def target(app: Flask) -> Target:
    """Share one game: what is refused changes nothing, and what is not may."""
    return Target(app)


POSTS = sorted(path for path, ways in document()["paths"].items() if "post" in ways)
FORMS = ("act", "undo", "ask", "answer", "correct", "request", "rename", "here", "told", "retell")


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(
    path=st.sampled_from(POSTS),
    body=bodies,
    who=st.integers(0, 4),
    version=st.booleans(),
    headers=odd_headers,
)
def test_the_interface_refuses_and_never_breaks(
    target: Target, path: str, body: bytes, who: int, *, version: bool, headers: dict[str, str]
) -> None:
    """Deep, huge, of wrong types, with keys or without: an answer below 500."""
    here = path.replace("{table}", target.code)
    if version:
        body = encoded({"version": 1, "id": "x", "action": body.decode("latin-1")})
    answer = target.client.post(here, data=body, headers=bearer(target.keys[who]) | headers)

    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.mimetype == "application/problem+json"
        assert answer.json["code"]


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(
    form=st.dictionaries(st.sampled_from([*fields, "agree", "number", "to"]), typed, max_size=6),
    what=st.sampled_from(FORMS),
    seat=st.one_of(st.just("0"), st.sampled_from(["-1", "99999999999999999999", "é", "1"])),
    headers=odd_headers,
)
def test_the_pages_refuse_and_never_break(
    target: Target, form: dict[str, Any], what: str, seat: str, headers: dict[str, str]
) -> None:
    """Forms as no page of ours sends them."""
    evening = target.evening
    phone = evening.phones[0]
    answer = phone.post(f"/s/{evening.code}/{seat}/{what}", form, **headers)

    assert answer.status_code < 500, answer.text


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(tail=texts, headers=odd_headers)
def test_no_address_breaks(target: Target, tail: str, headers: dict[str, str]) -> None:
    """Codes, keys and files that are none."""
    for start in ("/j/", "/m/", "/host/", "/static/x/", "/api/v1/tables/", "/qr/", "/t/", "/look"):
        path = start + "".join(sign for sign in tail[:200] if sign.isprintable())
        assert target.client.get(path, headers=headers).status_code < 500
