"""How templates become Python: one language at a time, and nothing asked twice while people wait.

jinja serves templates of strangers in any language. Ours are known when they are compiled, so what
it asks at every call, at every message and of every piece of text is settled then.
"""

from __future__ import annotations

import hashlib
import pickle
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from gettext import NullTranslations
from pathlib import Path
from typing import Any, Final

import jinja2
from jinja2 import Environment, FileSystemBytecodeCache, nodes
from jinja2.bccache import Bucket
from jinja2.environment import TemplateModule
from jinja2.nodes import EvalContext
from jinja2.runtime import Context, Macro
from jinja2.utils import missing
from markupsafe import Markup, escape
from platformdirs import user_cache_path

from . import writing
from .writing import Code, Fold

CACHES: Final = 4
"""Caches of compiled templates that are kept: of this referee, and of others on the machine."""

UNREADABLE: Final = (
    *(pickle.UnpicklingError, AttributeError, EOFError, ImportError, IndexError),
    *(KeyError, TypeError, ValueError),
)
"""What unpickling raises where a file was cut short, or is none of ours."""


_BREAK: Final = re.compile(r"[ \t]*\n[ \t\n]*")
"""Where a template goes on in another line: to a browser a space, and in a stream seven bytes."""
safe: Final[Callable[[str], Markup]] = partial(str.__new__, Markup)
"""Makes a Markup of a text that was escaped: its own way asks first whether it is a text."""
_NONE: Final[set[str]] = set()
"""Names of a context that none of ours has; jinja only reads them."""


class _Context(Context):
    """Calls what a template calls as it is, where it asks for nothing to be handed to it.

    jinja looks at every callable in five ways at every call; marks are called ten times a part.
    """

    globals_keys = _NONE

    def call(self, called: Callable[..., Any], /, *args: Any, **named: Any) -> Any:
        """Call a function; messages alone want the context."""
        if hasattr(called, "jinja_pass_arg"):
            return super().call(called, *args, **named)
        named.pop("_loop_vars", None)
        named.pop("_block_vars", None)
        return called(*args, **named)

    @classmethod
    def over(
        cls, template: jinja2.Template, shared: dict[str, Any], own: Mapping[str, Any]
    ) -> _Context:
        """Lay a drawing's own few names over the many that all drawings share.

        jinja copies all of them, and asks how the template escapes, each time.
        """
        context = cls.__new__(cls)
        context.parent = shared
        context.vars = {**own}
        environment: OneLanguage = template.environment  # type: ignore[assignment]  # ours alone
        context.environment = environment
        context.eval_ctx = environment.ways
        context.exported_vars = set()
        context.name = template.name
        blocks = template.blocks
        context.blocks = {name: [block] for name, block in blocks.items()} if blocks else {}
        return context


class Drawing:
    """A macro that remembers; called with something that has no hash it just draws.

    Drawn from its arguments alone, it gives no viewer what another one's page was made of.
    """

    def __init__(self, macro: Macro) -> None:
        self._macro = macro
        self._remembered = lru_cache(maxsize=256)(macro)

    def __call__(self, *args: Any, **named: Any) -> str:
        """Draw it, or give what was drawn of the same."""
        try:
            return self._remembered(*args, **named)
        except TypeError:
            drawn: str = self._macro(*args, **named)
            return drawn


class _Macro(Macro):
    """A macro that is called as it was written, where it takes nothing but what it names.

    jinja's asks at every call how it escapes and who else may want to be handed something.
    """

    def __init__(
        self,
        environment: Environment,
        func: Callable[..., str],
        name: str,
        arguments: list[str],
        catch_kwargs: bool,  # noqa: FBT001  # as jinja's code hands them over
        catch_varargs: bool,  # noqa: FBT001
        caller: bool,  # noqa: FBT001
        default_autoescape: bool | None = None,  # noqa: FBT001
    ) -> None:
        catches = catch_kwargs, catch_varargs
        super().__init__(environment, func, name, arguments, *catches, caller, default_autoescape)
        self._draw = func
        # What it is called around comes last, as jinja writes it.
        self._names = (*arguments, "caller") if caller else tuple(arguments)
        self._takes = -1 if any(catches) else len(self._names)

    def __call__(self, *args: Any, **named: Any) -> str:
        """Draw the macro."""
        lacking = self._takes - len(args)
        if lacking < 0:
            return super().__call__(*args, **named)
        given = args
        if lacking:
            given += tuple([named.pop(name, missing) for name in self._names[len(args) :]])
        # What it does not know is left: jinja says so.
        return super().__call__(*args, **named) if named else safe(self._draw(*given))


_escaped = lru_cache(maxsize=2048)(escape)


def _text(value: Any) -> str:
    """Escape what a template puts out.

    jinja makes a Markup of each piece, only to join them all: a third of a page's time.
    """
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]  # that is what was asked
    if kind is str:
        return _escaped(value)
    return str(value) if kind is int else escape(value)


class OneLanguage(Environment):
    """An environment of one language: messages become text when a template is compiled."""

    context_class: type[_Context] = _Context
    code_generator_class = Code
    Macro = _Macro
    text = staticmethod(_text)

    def __init__(self, translations: NullTranslations, **settings: Any) -> None:
        super().__init__(extensions=["jinja2.ext.i18n"], **settings)
        self.translations = translations
        self._others: dict[str, jinja2.Template] = {}
        # All of ours are pages or parts of pages, and none changes midway how it escapes.
        self.ways = EvalContext(self, "part.html")
        self.install_gettext_translations(  # type: ignore[attr-defined]  # set by the extension
            translations, newstyle=True
        )

    def _found(self, name: str) -> jinja2.Template:
        """Give a template that others are made of; none changes while a referee runs."""
        found = self._others.get(name)
        if found is None:
            found = self._others[name] = self.get_template(name)
        return found

    def imported(self, name: str) -> TemplateModule:
        """Give the macros of a template.

        jinja asks each time whether the names around them are others by now.
        """
        return self._found(name)._get_default_module()  # noqa: SLF001  # what its own code calls

    def included(self, name: str, around: Context, own: Mapping[str, Any]) -> Iterator[str]:
        """Draw a template over the names of the one that it stands in.

        jinja copies all names that drawings share for it.
        """
        found = self._found(name)
        given = {key: value for key, value in own.items() if value is not missing}
        context = _Context.over(found, around.parent, {**around.vars, **given})
        return found.root_render_func(context)

    def drawing(self, name: str) -> Drawing | None:
        """Give what a name draws that all templates share: the same of the same values."""
        found = self.globals.get(name)
        return found if isinstance(found, Drawing) else None

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        template = super()._parse(source, name, filename)
        if "<textarea" not in source:
            for text in template.find_all(nodes.TemplateData):
                text.data = _BREAK.sub(" ", text.data)
        found: nodes.Template = Fold(template).visit(template, self)
        return found


class Compiled(FileSystemBytecodeCache):
    """What was compiled before, in the user's cache as Python keeps its own modules'.

    Compiling all that a game shows takes a small board computer seconds, in the middle of the first
    taps. A cache that cannot be read or written is as good as none. It is not in the data folder:
    that one travels, and nothing in it is ever run.
    """

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what is there, if it is whole."""
        try:
            super().load_bytecode(bucket)
        except (*UNREADABLE, OSError):
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it for the next start."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def compiled(lang: str, made_of: Iterable[bytes]) -> Compiled | None:
    """Open the cache of a language; where it is made of anything else, another one begins."""
    tag = hashlib.blake2s(jinja2.__version__.encode(), digest_size=8)
    ours = (Path(each).read_bytes() for each in (__file__, writing.__file__))
    for each in (*ours, *made_of):
        tag.update(each)
    top = user_cache_path("referee")
    folder = top / f"templates-{tag.hexdigest()}"
    try:
        if not folder.is_dir():
            _make_room(top)
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return Compiled(str(folder), f"%s.{lang}")


def _make_room(top: Path) -> None:
    """Let go of the caches of older referees; a few stay, for several may be in use."""
    found = sorted(top.glob("templates-*"), key=lambda folder: folder.stat().st_mtime)
    for folder in found[: -CACHES + 1]:
        shutil.rmtree(folder, ignore_errors=True)
