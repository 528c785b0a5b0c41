"""Catalogues are compiled when the package is built or installed, so no binary is kept in git."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

PLURALS: Final = {
    "de": "nplurals=2; plural=(n != 1);",
    "fr": "nplurals=2; plural=(n > 1);",
}


def compile_catalogues(root: Path) -> None:
    """Write messages.mo beside every messages.po of the checkout at root."""
    for source in _sources(root):
        with source.open("rb") as stream:
            catalogue = read_po(stream, locale=_language(source))
        with source.with_suffix(".mo").open("wb") as stream:
            write_mo(stream, catalogue)


def put_headers(root: Path) -> None:
    """Give every messages.po its header: pybabel writes none, lest its dates change each time."""
    for source in _sources(root):
        lang = _language(source)
        text = source.read_text(encoding="utf-8").lstrip()
        if text.startswith('msgid ""\nmsgstr ""\n'):
            continue
        header = (
            'msgid ""\nmsgstr ""\n'
            f'"Language: {lang}\\n"\n'
            '"Content-Type: text/plain; charset=utf-8\\n"\n'
            f'"Plural-Forms: {PLURALS[lang]}\\n"\n\n'
        )
        source.write_text(header + text, encoding="utf-8", newline="\n")


def _sources(root: Path) -> list[Path]:
    return sorted(root.glob("referee/translations/*/LC_MESSAGES/messages.po"))


def _language(source: Path) -> str:
    return source.parent.parent.name


if __name__ == "__main__":
    put_headers(Path())
    compile_catalogues(Path())
