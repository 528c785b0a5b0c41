"""Static files as they are sent: joined with what they import, without comments, packed, versioned.

Scripts and stylesheets are written one file a concern. Sent so, each would cost a request of its
own and be packed alone: a third more bytes for the first visit of a phone.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Final

from msgspec import Struct

COMMENTS: Final = {".js": ("//",), ".css": ("/*", "*/")}
_SENT: Final = {".css", ".js", ".svg", ".png", ".ico", ".webmanifest"}
_SHEET: Final = re.compile(r'^@import "(?P<file>[^"]+)";\n', re.MULTILINE)
_SCRIPT: Final = re.compile(
    r'^import (?:(?P<names>.+) from )?"(?P<file>\.[^"]+)";(?: //.*)?\n', re.MULTILINE
)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.MULTILINE)
_LEFT: Final = re.compile(r"^(?:import|export|@import)\b.*", re.MULTILINE)


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

    def url(self, name: str, game: str = "") -> str:
        """Give the immutable address of a file, or of a common one with what a game adds to it."""
        path = PurePosixPath(name)
        if f"{game}/game{path.suffix}" in self._files:
            name = f"{game}/{path.name}"
        elif name not in self._files:
            raise KeyError(name)
        return f"/static/{self.tag}/{name}"

    def find(self, name: str) -> Asset | None:
        """Give a file by its name without the tag, as it is sent; made when first asked for."""
        found = self._made.get(name)
        if found is None and (body := self._body(name)) is not None:
            found = self._made[name] = _packed(name, body)
        return found

    def _body(self, name: str) -> bytes | None:
        """Give what is sent under a name: of scripts and stylesheets all they import.

        `KEY/phone.css` is `css/phone.css`, then `KEY/game.css`, then what stands there itself.
        """
        path = PurePosixPath(name)
        if path.suffix not in COMMENTS or path.parts[0] == "vendor":
            return self._files.get(name)
        kind = path.suffix[1:]
        common, added = f"{kind}/{path.name}", f"{path.parent}/game{path.suffix}"
        before = [common, added] if {common, added} <= self._files.keys() else []
        names = [*before, *([name] if name in self._files else [])]
        if not names:
            return None
        joined: dict[str, str] = {}
        for each in names:
            self._join(each, joined)
        exports = _EXPORT.findall(self._files[names[-1]].decode())
        # Who imports the whole is given what its last file exports.
        last = f"export const {{ {', '.join(exports)} }} = ${len(joined) - 1};\n" if exports else ""
        return ("".join(joined.values()) + last).encode()

    def _join(self, name: str, joined: dict[str, str]) -> None:
        """Put a file behind all it imports, each once; imports go in one direction."""
        if name in joined:
            return
        path = PurePosixPath(name)
        text = lean(self._files[name].decode(), *COMMENTS[path.suffix])
        pattern = _SCRIPT if path.suffix == ".js" else _SHEET
        imports = {
            each["file"]: normpath(path.parent / each["file"]) for each in pattern.finditer(text)
        }
        for other in imports.values():
            self._join(other, joined)
        if path.suffix == ".js":
            # Every file's number is its place, so the same files give the same bytes.
            numbers = {file: [*joined].index(other) for file, other in imports.items()}
            text = _scoped(text, numbers, len(joined))
        else:
            text = pattern.sub("", text).lstrip()
        if left := _LEFT.search(text):
            raise ValueError(f"{name}: {left.group()}")
        joined[name] = text


def _scoped(text: str, numbers: dict[str, int], number: int) -> str:
    """Write a script's module as a function of its own that gives what it exports."""

    def taken(found: re.Match[str]) -> str:
        names = found["names"]
        if names is None:
            return ""
        names = names.removeprefix("* as ").replace(" as ", ": ")
        return f"const {names} = ${numbers[found['file']]};\n"

    given = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _SCRIPT.sub(taken, text)).lstrip()
    return f"const ${number} = (() => {{\n{body}return {{ {given} }};\n}})();\n"


def _read_folder(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in _SENT
    }


def lean(text: str, comment: str, end: str = "") -> str:
    """Leave out lines that are a comment, and what indents: phones need neither.

    A text that goes on over the end of a line keeps everything: there it would mean something.
    """
    lines = [line.strip() for line in text.splitlines()]
    if any(line.count("`") % 2 or line.endswith("\\") for line in lines):
        return text
    kept = (one for one in lines if one and not (one.startswith(comment) and one.endswith(end)))
    return "\n".join(kept) + "\n"


def _packed(name: str, body: bytes) -> Asset:
    # Without a time in it: the same file is the same bytes on every start.
    packed = gzip.compress(body, 9, mtime=0)
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Asset(body, packed if len(packed) < len(body) else None, kind)


def _tag(files: dict[str, bytes]) -> str:
    # By content, not by version: an address that may be kept for ever must change with any byte.
    whole = hashlib.sha256(Path(__file__).read_bytes())
    for name, body in sorted(files.items()):
        whole.update(f"{name}\0{len(body)}\0".encode() + body)
    return whole.hexdigest()[:10]
