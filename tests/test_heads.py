"""Heads of requests: read as the old way read them, or refused."""

from __future__ import annotations

import io
import socket
from http.client import parse_headers

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.heads import LINES, LONGEST, ONCE, Head

NAMES = st.text("abcXYZ019-!#$%&'*+.^`|~_", min_size=1, max_size=12)
VALUES = st.text(
    st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f\x85\xa0"),
    max_size=40,
)
FIELDS = st.lists(st.tuples(NAMES, VALUES), max_size=12)
BROKEN = {
    "folding": b"A: b\r\n c\r\n\r\n",
    "folding at first": b" A: b\r\n\r\n",
    "a bare line feed": b"A: b\n\r\n",
    "a bare carriage return": b"A: b\rC: d\r\n\r\n",
    "an end that is none": b"A: b\r\n\n",
    "no end": b"A: b\r\n",
    "no name": b": b\r\n\r\n",
    "a name with a space": b"A b: c\r\n\r\n",
    "a space before the colon": b"Content-Length : 3\r\n\r\n",
    "a name with a letter of no name": b"\xc4: b\r\n\r\n",
    "no colon": b"A\r\n\r\n",
    "a nought": b"A: b\0c\r\n\r\n",
    "two lengths": b"Content-Length: 3\r\nContent-Length: 3\r\n\r\n",
    "two lengths in one": b"Content-Length: 3, 3\r\n\r\n",
    "a length with a sign": b"Content-Length: +3\r\n\r\n",
    "a length below nothing": b"Content-Length: -3\r\n\r\n",
    "a length with a line in it": b"Content-Length: 1_0\r\n\r\n",
    "an empty length": b"Content-Length:\r\n\r\n",
    "a length of other digits": "Content-Length: \u00b2\r\n\r\n".encode("latin-1"),
    "a length and a coding": b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
    "a coding that is none of ours": b"Transfer-Encoding: gzip, chunked\r\n\r\n",
    "a coding in another spelling": b"Transfer-Encoding: Chunked\r\n\r\n",
    "two hosts": b"Host: a\r\nHost: b\r\n\r\n",
    "a line too long": b"A: " + b"b" * LONGEST + b"\r\n\r\n",
    "lines too many": b"A: b\r\n" * (LINES + 1) + b"\r\n",
    "a head too long": (b"A: " + b"b" * (LONGEST // 50) + b"\r\n") * 51 + b"\r\n",
}


def read(raw: bytes) -> dict[str, str]:
    """Read a head as WSGI is given it, with the two fields that have names of their own."""
    head = Head(io.BytesIO(raw))
    own = {"CONTENT_TYPE": head.typeheader, "CONTENT_LENGTH": head.get("Content-Length")}
    return dict(head.environ()) | {name: text for name, text in own.items() if text is not None}


def read_by_mail(raw: bytes) -> dict[str, str]:
    """Read it as pywsgi does by itself, with the standard library's parser of mail."""
    found: dict[str, str] = {}
    for name, text in parse_headers(io.BytesIO(raw)).items():
        if "_" in name:
            continue
        key = name.upper().replace("-", "_")
        key = key if key in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{key}"
        joined = "; " if key == "HTTP_COOKIE" else ","
        found[key] = f"{found[key]}{joined}{text.strip()}" if key in found else text.strip()
    return found


def written(fields: list[tuple[str, str]]) -> bytes:
    """Write a head."""
    return "".join(f"{name}: {text}\r\n" for name, text in fields).encode("latin-1") + b"\r\n"


@given(FIELDS)
def test_what_is_well_written_is_read_as_before(fields: list[tuple[str, str]]) -> None:
    """Any names and texts, the same name several times as well."""
    assert read(written(fields)) == read_by_mail(written(fields))


@given(st.lists(st.sampled_from([*BROKEN.values(), b"A: b\r\n", b"\r\n", b"\r", b"\n"])), FIELDS)
def test_what_is_read_at_all_is_read_as_before(
    broken: list[bytes], fields: list[tuple[str, str]]
) -> None:
    """Noise between fields is refused, or it means what it meant."""
    raw = b"".join(broken) + written(fields)
    try:
        found = read(raw)
    except ValueError:
        return
    assert found == read_by_mail(raw)


@given(FIELDS, st.binary(max_size=30))
def test_what_follows_a_head_is_left_alone(fields: list[tuple[str, str]], body: bytes) -> None:
    """The body, or the next request."""
    lines = io.BytesIO(written(fields) + body)
    Head(lines)
    assert lines.read() == body


@given(FIELDS, st.integers(min_value=1, max_value=40))
def test_however_it_arrives_it_is_read_alike(fields: list[tuple[str, str]], size: int) -> None:
    """A head comes in as many pieces as a network likes."""
    raw = written(fields)
    ours, theirs = socket.socketpair()
    with ours, theirs, ours.makefile("rb", buffering=size) as lines:
        theirs.sendall(raw)
        head = Head(lines)
    assert dict(head.environ()) == dict(Head(io.BytesIO(raw)).environ())


@pytest.mark.parametrize("raw", BROKEN.values(), ids=BROKEN)
def test_what_can_be_taken_for_two_things_is_refused(raw: bytes) -> None:
    """A proxy in front may have taken it for the other."""
    with pytest.raises(ValueError, match=" "):
        Head(io.BytesIO(raw))


@pytest.mark.parametrize("name", sorted(ONCE))
def test_what_there_is_one_of_comes_once(name: str) -> None:
    """However it is spelled."""
    with pytest.raises(ValueError, match=name):
        Head(io.BytesIO(f"{name}: chunked\r\n{name.title()}: 3\r\n\r\n".encode()))


def test_a_name_in_utf_8_is_no_end_of_a_line() -> None:
    """The parser of mail ended lines at some bytes of "Å" and of dots."""
    raw = "Cookie: name=\u00c5sa\u2026\r\nHost: x\r\n\r\n".encode()
    assert read(raw)["HTTP_COOKIE"].encode("latin-1").decode() == "name=\u00c5sa\u2026"
    assert read(raw)["HTTP_HOST"] == "x"


def test_a_field_is_found_however_it_is_spelled() -> None:
    """As gevent's handler asks for them."""
    head = Head(io.BytesIO(b"CONNECTION:\tclose \r\nA_B: c\r\n\r\n"))
    assert (head.get("Connection"), head.getheader("x"), head.get("x", "y")) == ("close", None, "y")
    assert dict(head.environ()) == {"HTTP_CONNECTION": "close"}
    del head["connection"]
    with pytest.raises(KeyError):
        del head["connection"]
