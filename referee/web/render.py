"""Rendering: one template environment a language, versioned assets, money as people write it."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from babel.numbers import format_currency
from babel.support import NullTranslations, Translations
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup
from msgspec import Struct

LANGUAGES: Final = {"en": "English", "de": "Deutsch", "fr": "Français"}
_MONEY: Final = {"en": "¤#,##0", "de": "#,##0 ¤", "fr": "#,##0 ¤"}


def here(name: str) -> Path:
    """Find templates or static files: inside the wheel, or at the top of a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


@cache
def money(amount: int, lang: str) -> str:
    """Write dollars as the language does: $7,000, 7.000 $, 7 000 $."""
    return (
        format_currency(amount, "USD", format=_MONEY[lang], locale=lang, currency_digits=False)
        .replace("US$", "$")
        .replace("$US", "$")
    )


class Asset(Struct, frozen=True):
    """A static file as it is sent: plain, gzipped where that is smaller, and its type."""

    body: bytes
    packed: bytes | None
    mimetype: str
    tag: str


class Assets:
    """Static files in memory, each under a name that changes with its content."""

    def __init__(self, folder: Path) -> None:
        self._by_name = {
            path.relative_to(folder).as_posix(): _read_asset(path)
            for path in sorted(folder.rglob("*"))
            if path.suffix in {".css", ".js", ".svg", ".png", ".ico", ".webmanifest"}
        }

    def url(self, name: str) -> str:
        """Give the immutable address of a file."""
        return f"/static/{self._by_name[name].tag}/{name}"

    def find(self, name: str) -> Asset | None:
        """Give a file by its name without the tag."""
        return self._by_name.get(name)


def _read_asset(path: Path) -> Asset:
    body = path.read_bytes()
    packed = gzip.compress(body, 9, mtime=0)
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    tag = hashlib.sha256(body).hexdigest()[:10]
    return Asset(body, packed if len(packed) < len(body) else None, kind, tag)


class Renderer:
    """Templates in every language. No rule and no secrecy test lives in a template."""

    def __init__(self, translations: Callable[[str], NullTranslations | Translations]) -> None:
        self.assets = Assets(here("static"))
        loader = FileSystemLoader(here("templates"))
        self._environments = {
            lang: self._environment(lang, loader, translations(lang)) for lang in LANGUAGES
        }

    def _environment(
        self, lang: str, loader: FileSystemLoader, translations: NullTranslations | Translations
    ) -> Environment:
        environment = Environment(
            loader=loader,
            autoescape=select_autoescape(),
            extensions=["jinja2.ext.i18n"],
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        environment.install_gettext_translations(  # type: ignore[attr-defined]  # set by the extension
            translations, newstyle=True
        )
        environment.globals.update(
            lang=lang,
            languages=LANGUAGES,
            asset=self.assets.url,
            money=lambda amount: money(amount, lang),
        )
        return environment

    def render(self, template: str, lang: str, context: Mapping[str, Any]) -> Markup:
        """Render a template in a language."""
        page: str = self._environments[lang].get_template(template).render(context)
        return Markup(page)  # noqa: S704  # a template's output is what escaping made of it
