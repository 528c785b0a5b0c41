"""Rendering: one template environment a language, money as people write it.

Not the app's own `jinja_env` with a gettext that looks every sentence up at every drawing, in the
language of a request: measured, that takes fifteen times as long as a sentence that
became text when its template was compiled, a part has a dozen of them, and at a change each open
page draws its parts anew, outside of any request.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache, partial
from gettext import NullTranslations
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    Template,
    TemplateNotFound,
    select_autoescape,
)
from jinja2.environment import TemplateModule
from jinja2.runtime import Macro
from markupsafe import Markup

from referee.games import GAMES, folder
from referee.names import LONGEST

from .assets import Assets
from .compiling import Drawing, OneLanguage, compiled, safe
from .elision import elided
from .folding import folded
from .frame import tag_of
from .meaning import acts, signs

LANGUAGES: Final = {"en": "English", "de": "Deutsch", "fr": "Français"}
_ASIDE: Final = frozenset({"unboxing", "words"})
"""Folders of a game's templates that are needed before the first part is drawn, or hardly ever."""
_GROUPS: Final = {"en": ",", "de": ".", "fr": "\u202f"}
"""What parts thousands, as the Unicode consortium has it."""
_MONEY: Final = {
    "en": "{sign}${number}",
    "de": "{sign}{number}\u00a0$",
    "fr": "{sign}{number}\u00a0$",
}


def here(name: str) -> Path:
    """Find templates or static files: inside the wheel, or at the top of a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


def money(amount: int, lang: str) -> str:
    """Write dollars as the language does: $7,000, 7.000 $, 7 000 $."""
    sign = "-" if amount < 0 else ""
    return _MONEY[lang].format(sign=sign, number=whole(abs(amount), lang))


def whole(amount: int, lang: str) -> str:
    """Write a whole number as the language does.

    Not by babel, which holds 4 MB for each language once it is asked for one sign of it.
    """
    return f"{amount:,}".replace(",", _GROUPS[lang])


def number(amount: float, lang: str) -> str:
    """Write any number as the language does."""
    if isinstance(amount, int):
        return whole(amount, lang)
    from babel.numbers import format_decimal  # noqa: PLC0415  # like dates: only a few pages do

    written: str = format_decimal(amount, locale=lang)
    return written


def day(stamp: str, lang: str) -> str:
    """Write the day of an ISO time, here and not in UTC, as the language does; "" for none."""
    # With the time zones it is a sixth of all that a start would have to read.
    from babel.dates import format_date  # noqa: PLC0415

    try:
        return format_date(datetime.fromisoformat(stamp).astimezone(), "medium", locale=lang)
    except ValueError:
        return ""


def when(stamp: str, lang: str) -> str:
    """Write day and minute of an ISO time, by which tables of one evening are told apart."""
    from babel.dates import format_time  # noqa: PLC0415  # as above

    try:
        at = datetime.fromisoformat(stamp).astimezone()
    except ValueError:
        return ""
    return f"{day(stamp, lang)}, {format_time(at, 'short', locale=lang)}"


def _macros(module: TemplateModule) -> dict[str, Any]:
    """Give a template's macros; what one made of the same values is not made again."""
    return {
        name: found if _draws_anew(found) else Drawing(found)
        for name, found in vars(module).items()
        if isinstance(found, Macro)
    }


def _draws_anew(macro: Macro) -> bool:
    """Say whether nobody asks for the same again.

    What is called around something is called around something else each time, and what is sent is
    sent with the version that it was asked at.
    """
    return macro.caller or "fresh" in macro.arguments


class _Words(dict[str, SimpleNamespace]):
    """Each game's macros, loaded when somebody first plays it: its words, and its refusals."""

    def __init__(self, environment: Environment) -> None:
        super().__init__()
        self._environment = environment

    def __missing__(self, game: str) -> SimpleNamespace:
        found: dict[str, Any] = {}
        names = self._environment.list_templates(
            filter_func=lambda name: (
                name in {f"{game}/_words.html", f"{game}/_refusals.html"}
                or name.startswith(f"{game}/words/")
            )
        )
        # Before they are loaded: a game's own macros call each other through `words`.
        self[game] = namespace = SimpleNamespace()
        for name in names:
            found |= _macros(self._environment.get_template(name).module)
        vars(namespace).update(found)
        return namespace


def _own_folders(name: str) -> list[tuple[str, Path]]:
    """Find what games from elsewhere bring beside their rules, by their keys."""
    folders = [(key, folder(GAMES.package(key)) / name) for key in GAMES]
    return [(key, path) for key, path in folders if path.is_dir()]


def _loader() -> BaseLoader:
    """Look for templates in the common folder, and beside the rules of games from elsewhere."""
    own = {key: FileSystemLoader(path) for key, path in _own_folders("templates")}
    return ChoiceLoader([FileSystemLoader(here("templates")), PrefixLoader(dict(own))])


class Renderer:
    """Templates in every language. No rule and no secrecy test lives in a template.

    Attributes:
        ahead: how the server at hand does something in the background; None where nothing does.
    """

    def __init__(
        self,
        translations: Callable[[str], NullTranslations],
        catalogues: Callable[[], Iterable[bytes]] = tuple,
    ) -> None:
        """Draw by what `translations` gives for a language; `catalogues` reads all it gives."""
        self.ahead: Callable[[Callable[[], None]], object] | None = None
        self.assets = Assets(here("static"), *_own_folders("static"))
        self._catalogues = catalogues
        self._translations = translations
        self._loader = _loader()
        self._environments: dict[str, tuple[OneLanguage, dict[str, Any]]] = {}
        self._templates: dict[tuple[str, str], Template] = {}
        self._looked_ahead: set[tuple[str, str]] = set()

    def _of(self, lang: str) -> tuple[OneLanguage, dict[str, Any]]:
        """Give a language's environment and globals, made when somebody first reads it."""
        if lang not in self._environments:
            made = self._environment(lang, self._loader, self._translations(lang))
            self._environments[lang] = (made, dict(made.globals))
        return self._environments[lang]

    def _environment(
        self, lang: str, loader: BaseLoader, translations: NullTranslations
    ) -> OneLanguage:
        environment = OneLanguage(
            translations,
            loader=loader,
            autoescape=select_autoescape(),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            bytecode_cache=compiled(lang, self._made_of()),
        )
        environment.globals.update(
            lang=lang,
            languages=LANGUAGES,
            longest_name=LONGEST,
            asset=self.assets.url,
            icons=self.assets.icons,
            tag_of=tag_of,
            money=cache(partial(money, lang=lang)),
            number=lambda amount: number(amount, lang),
            day=lambda stamp: day(stamp, lang),
            when=lambda stamp: when(stamp, lang),
            folded=folded,
            elided=elided,
            signs=signs,
            acts=acts,
        )
        self._share_macros(environment)
        return environment

    def _made_of(self) -> Iterator[bytes]:
        """Read what compiled templates are made of, beside themselves."""
        yield Path(__file__).read_bytes()
        yield from self._catalogues()
        # Marks stand in other templates once they are compiled, with addresses of their pictures.
        yield (here("templates") / "_ui.html").read_bytes()
        yield self.assets.tag.encode()

    @staticmethod
    def _share_macros(environment: Environment) -> None:
        """Make macros global: small marks are drawn once, and no template pays for an import."""
        environment.globals.update(_macros(environment.get_template("_ui.html").module))
        environment.globals["words"] = _Words(environment)

    def words(self, game: str, lang: str) -> SimpleNamespace:
        """Give a game's macros in a language, for what is no page."""
        _, shared = self._of(lang)
        found: SimpleNamespace = shared["words"][game]
        return found

    def render(self, template: str, lang: str, context: Mapping[str, Any]) -> Markup:
        """Render a template in a language.

        The context is made here and not by `Template.render`, and templates are found here: half of
        a small part's time.
        """
        environment, shared = self._of(lang)
        found = self._templates.get((lang, template)) or self._load(lang, template)
        inner = environment.context_class.over(found, shared, context)
        return safe("".join(found.root_render_func(inner)))

    def _load(self, lang: str, template: str) -> Template:
        # By language: sentences are text in a compiled template, not looked up when it is drawn.
        found = self._of(lang)[0].get_template(template)
        self._templates[lang, template] = found
        return found

    def has(self, template: str, lang: str) -> bool:
        """Say whether there is such a template: a game may have it or not."""
        try:
            self._load(lang, template)
        except TemplateNotFound:
            return False
        return True

    def look_ahead(self, game: str, lang: str) -> None:
        """Load what a game's pages are drawn with, soon and in the background, once a language.

        Else the first of each kind of question waits for its templates in the middle of the game: a
        tenth of a second on a board computer, and longer where they are still to be compiled.
        """
        if self.ahead is not None and (game, lang) not in self._looked_ahead:
            self._looked_ahead.add((game, lang))
            self.ahead(partial(self._load_all, game, lang))

    def _load_all(self, game: str, lang: str) -> None:
        self.words(game, lang)
        for name in self._of(lang)[0].list_templates(filter_func=partial(_is_in_play, game)):
            if (lang, name) not in self._templates:
                self._load(lang, name)
                # Whoever taps meanwhile goes before.
                time.sleep(0)


def _is_in_play(game: str, name: str) -> bool:
    """Say whether a template draws parts that change while a game goes on; pages are asked for."""
    folder, _, file = name.rpartition("/")
    if folder in {game, "table"}:
        return file.startswith("_")
    return folder.startswith(f"{game}/") and folder.removeprefix(f"{game}/") not in _ASIDE
