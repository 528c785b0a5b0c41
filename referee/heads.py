"""The head of a request: strict, for what two readers could take for two things is refused.

A proxy and a server that disagree about where a request ends let one hide behind another; so there
are no folded lines, no names that are none, no line that ends otherwise than in CR LF, and one
length at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Protocol

LINES: Final = 100
LONGEST: Final = 64 * 1024
"""Bytes of a whole head: a phone that sat at hundreds of tables brings a key to each."""
LINE: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\x00-\x08\x0a-\x1f\x7f]*)\r\n")
ONCE: Final = frozenset({"content-length", "transfer-encoding", "host", "content-type"})


class Lines(Protocol):
    """What a head is read from."""

    def readline(self, size: int, /) -> bytes:
        """Read to the end of a line, or so many bytes."""


class Head:
    """The fields of a request, as gevent's handler asks for them."""

    __slots__ = ("_fields", "status")

    def __init__(self, lines: Lines) -> None:
        """Read a head to its empty line. Raises ValueError."""
        self.status = ""
        fields: dict[str, str] = {}
        left = LONGEST
        for _ in range(LINES + 1):
            line = lines.readline(left + 1)
            left -= len(line)
            if left < 0:
                raise ValueError("a head too long")
            if line == b"\r\n":
                break
            found = LINE.fullmatch(line)
            if found is None:
                raise ValueError("a line that is no field")
            name, value = found[1].decode().lower(), found[2].strip(b" \t").decode("latin-1")
            if name not in fields:
                fields[name] = value
            elif name in ONCE:
                raise ValueError(f"two of {name}")
            else:
                fields[name] += ("; " if name == "cookie" else ",") + value
        else:
            raise ValueError("a head of too many lines")
        self._fields = fields
        self._check_length()

    def _check_length(self) -> None:
        length = self._fields.get("content-length")
        coding = self._fields.get("transfer-encoding")
        if length is not None and not (length.isascii() and length.isdigit()):
            raise ValueError("a length that is no number")
        if coding is not None and (length is not None or coding != "chunked"):
            raise ValueError("a body of two lengths")

    def get(self, name: str, default: str | None = None) -> str | None:
        """Give a field's text."""
        return self._fields.get(name.lower(), default)

    getheader = get

    def __delitem__(self, name: str) -> None:
        """Take a field out. Raises KeyError."""
        del self._fields[name.lower()]

    @property
    def typeheader(self) -> str | None:
        """Give the kind of the body."""
        return self._fields.get("content-type")

    def environ(self) -> Iterator[tuple[str, str]]:
        """Give what WSGI calls the fields, but for those that it names otherwise.

        A name with an underscore would pass for one with a hyphen: it is left out.
        """
        for name, value in self._fields.items():
            if "_" not in name and name not in {"content-type", "content-length"}:
                yield "HTTP_" + name.replace("-", "_").upper(), value
