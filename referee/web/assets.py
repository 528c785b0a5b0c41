"""Static files as they are sent: joined with what they import, packed, at a versioned address."""

from __future__ import annotations

import hashlib
import mimetypes
from pathlib import Path, PurePosixPath
from typing import Final

import deflate
from msgspec import Struct

from . import joining

_SENT: Final = {".css", ".js", ".svg", ".png", ".ico", ".webmanifest"}
_JOINED: Final = {".css", ".js"}
LEVEL: Final = 10
"""How hard files are packed: libdeflate's strongest levels cost twice the time for ten bytes."""
SHORT: Final = 6
"""Letters of the tag by which a page says what it is made of: every page is longer by them."""


class Asset(Struct, frozen=True):
    """A static file as it is sent: plain, gzipped where that is smaller, and its type."""

    body: bytes
    packed: bytes | None
    mimetype: str


class Assets:
    """Static files in memory, all under one address that changes with any of them.

    One address for all, so that what they say of each other, a stylesheet's pictures, is relative
    and may be kept for ever too.
    """

    def __init__(self, folder: Path, *further: tuple[str, Path]) -> None:
        """Read a folder, and further ones, each under the name that goes before its files'."""
        self._files = _read_folder(folder)
        for prefix, path in further:
            self._files |= {f"{prefix}/{name}": body for name, body in _read_folder(path).items()}
        self._made: dict[str, Asset] = {}
        self.tag: Final = _tag(self._files)
        self.short_tag: Final = self.tag[:SHORT]

    def url(self, name: str, game: str = "") -> str:
        """Give the immutable address of a file, or of a common one with what a game adds to it."""
        path = PurePosixPath(name)
        if f"{game}/game{path.suffix}" in self._files:
            name = f"{game}/{path.name}"
        elif name not in self._files:
            raise KeyError(name)
        return f"/static/{self.tag}/{name}"

    def icons(self, game: str) -> str:
        """Give where a game's own pictures lie, each under its name; "" for a game without any."""
        name = f"{game}/icons.svg"
        return f"{self.url(name)}#" if name in self._files else ""

    def find(self, name: str) -> Asset | None:
        """Give a file by its name without the tag, as it is sent; made when first asked for."""
        found = self._made.get(name)
        if found is None and (body := self._body(name)) is not None:
            found = self._made[name] = _packed(name, body)
        return found

    def _body(self, name: str) -> bytes | None:
        """Give what is sent under a name: of scripts and stylesheets all they import."""
        path = PurePosixPath(name)
        if path.suffix not in _JOINED or path.parts[0] == "vendor":
            return self._files.get(name)
        text = joining.joined(self._files, name)
        return None if text is None else text.encode()


def _read_folder(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in _SENT
    }


def _packed(name: str, body: bytes) -> Asset:
    # No time is in it: the same file is the same bytes on every start.
    packed = bytes(deflate.gzip_compress(body, LEVEL))
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Asset(body, packed if len(packed) < len(body) else None, kind)


def _tag(files: dict[str, bytes]) -> str:
    # By content, not by version: an address that may be kept for ever must change with any byte.
    whole = hashlib.sha256(Path(__file__).read_bytes() + Path(joining.__file__).read_bytes())
    for name, body in sorted(files.items()):
        whole.update(f"{name}\0{len(body)}\0".encode() + body)
    return whole.hexdigest()[:10]
