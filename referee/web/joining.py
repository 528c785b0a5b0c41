"""Scripts and stylesheets as one file a page: what each imports before it, comments left out.

They are written one file a concern, as any browser reads them. Sent so, each would cost a request
of its own and be packed alone: a third more bytes for the first visit of a phone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Final

_SHEET: Final = re.compile(r'^@import "(?P<file>[^"]+)";\n', re.MULTILINE)
_SCRIPT: Final = re.compile(
    r'^import (?:(?P<names>.+) from )?"(?P<file>\.[^"]+)";(?: //.*)?\n', re.MULTILINE
)
_LATER: Final = re.compile(r'\bimport\("\./(?P<stem>\w+)\.js')
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.MULTILINE)
_LEFT: Final = re.compile(r"^(?:import\b(?!\()|export\b|@import\b).*", re.MULTILINE)
_SPARE: Final = re.compile(
    r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|/\*.*?\*/"""
    r"""|[\s;]*(\})\s*|\s*([{;])\s*|([:,])\s+|(\s)\s+""",
    re.DOTALL,
)

Files = Mapping[str, bytes]


def joined(files: Files, name: str) -> str | None:
    """Give a script or a stylesheet with all it imports; None where nothing goes by that name.

    `KEY/phone.css` is `css/phone.css`, then `KEY/game.css`, then what stands there itself.
    `KEY/phone.late.js` is what `KEY/phone.js` imports while it runs, without what came with that.
    """
    path = PurePosixPath(name)
    first, _, late = path.stem.partition(".")
    entry = path.with_name(first + path.suffix)
    kind = path.suffix[1:]
    common, added = f"{kind}/{entry.name}", f"{path.parent}/game{path.suffix}"
    before = [common, added] if {common, added} <= files.keys() else []
    names = [*before, *([str(entry)] if str(entry) in files else [])]
    if not names:
        return None
    texts: dict[str, str] = {}
    for each in names:
        _join(files, each, texts)
    if kind == "css":
        return None if late else "".join(texts.values())
    if late:
        return _late(files, texts, entry.name, late)
    exports = _EXPORT.findall(files[names[-1]].decode())
    # Who imports the whole is given what its last file exports.
    last = f"export const {{ {', '.join(exports)} }} = ${len(texts) - 1};\n" if exports else ""
    return _early(files, texts, first) + last


def _join(files: Files, name: str, texts: dict[str, str]) -> None:
    """Put a file behind all it imports, each once; imports go in one direction."""
    if name in texts:
        return
    path = PurePosixPath(name)
    is_script = path.suffix == ".js"
    text = files[name].decode()
    if is_script:
        text = _lean(text)
    pattern = _SCRIPT if is_script else _SHEET
    imports = {
        each["file"]: normpath(path.parent / each["file"]) for each in pattern.finditer(text)
    }
    for other in imports.values():
        _join(files, other, texts)
    if is_script:
        # Every file's number is its place, so the same files give the same bytes.
        numbers = {file: [*texts].index(other) for file, other in imports.items()}
        text = _scoped(text, numbers, len(texts))
    else:
        text = pattern.sub("", text)
    if left := _LEFT.search(text):
        raise ValueError(f"{name}: {left.group()}")
    texts[name] = text if is_script else _tight(text)


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


def _early(files: Files, texts: dict[str, str], stem: str) -> str:
    """Write what is there at once, and give what the rest will want of it."""
    text = "".join(texts.values())
    later = _later(texts)
    if later is None:
        return text
    wanted = ", ".join(_wanted(_more(files, texts, later), len(texts)))
    return _LATER.sub(rf'import("./{stem}.\g<stem>.js', text) + f"export {{ {wanted} }};\n"


def _late(files: Files, texts: dict[str, str], early: str, stem: str) -> str | None:
    """Write what comes later: a module that takes what it shares from the one that is there."""
    later = _later(texts)
    if later is None or PurePosixPath(later).stem != stem:
        return None
    text = _more(files, texts, later)
    return f'import {{ {", ".join(_wanted(text, len(texts)))} }} from "./{early}";\n{text}'


def _later(texts: dict[str, str]) -> str | None:
    """Name the file that is imported while scripts run. One, or two would each have their own."""
    found = {
        normpath(PurePosixPath(name).parent / f"{each['stem']}.js")
        for name, text in texts.items()
        for each in _LATER.finditer(text)
    }
    if len(found) > 1:
        raise ValueError(f"come late: {', '.join(sorted(found))}")
    return next(iter(found), None)


def _more(files: Files, texts: dict[str, str], name: str) -> str:
    """Give a file and what it imports, without what is there already."""
    whole = dict(texts)
    _join(files, name, whole)
    return "".join([*whole.values()][len(texts) :])


def _wanted(text: str, count: int) -> list[str]:
    numbers = sorted({int(each) for each in re.findall(r"= \$(\d+);$", text, re.MULTILINE)})
    return [f"${number}" for number in numbers if number < count]


def _lean(text: str) -> str:
    """Leave out a script's lines that are a comment, and what indents: phones need neither.

    A text that goes on over the end of a line keeps everything: there it would mean something.
    """
    lines = [line.strip() for line in text.splitlines()]
    if any(line.count("`") % 2 or line.endswith("\\") for line in lines):
        return text
    return "\n".join(one for one in lines if one and not one.startswith("//")) + "\n"


def _tight(text: str) -> str:
    """Leave out a stylesheet's comments, and blanks that part nothing; what is quoted stays."""
    return _SPARE.sub(lambda found: "".join(filter(None, found.groups())), text).strip()
