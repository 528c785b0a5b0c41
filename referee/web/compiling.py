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
from functools import lru_cache
from gettext import NullTranslations
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import jinja2
from jinja2 import Environment, FileSystemBytecodeCache, nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.environment import TemplateModule
from jinja2.nodes import EvalContext
from jinja2.runtime import Context, Macro
from jinja2.utils import missing
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape
from platformdirs import user_cache_path

CACHES: Final = 4
"""Caches of compiled templates that are kept: of this referee, and of others on the machine."""

UNREADABLE: Final = (
    *(pickle.UnpicklingError, AttributeError, EOFError, ImportError, IndexError),
    *(KeyError, TypeError, ValueError),
)
"""What unpickling raises where a file was cut short, or is none of ours."""


class _Context(Context):
    """Calls what a template calls as it is, where it asks for nothing to be handed to it.

    jinja looks at every callable in five ways at every call; marks are called ten times a part.
    """

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
        context.vars = dict(own)
        context.environment = template.environment
        context.eval_ctx = _ways(template.environment, template.name)
        context.exported_vars = set()
        context.name = template.name
        context.globals_keys = set()
        context.blocks = {name: [block] for name, block in template.blocks.items()}
        return context


@lru_cache(maxsize=1024)
def _ways(environment: Environment, name: str | None) -> EvalContext:
    """Give how a template escapes; none of ours changes that midway."""
    return EvalContext(environment, name)


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
        catches = catch_kwargs, catch_varargs, caller
        super().__init__(environment, func, name, arguments, *catches, default_autoescape)
        self._draw = func
        self._takes = -1 if any(catches) else len(arguments)

    def __call__(self, *args: Any, **named: Any) -> str:
        """Draw the macro."""
        lacking = self._takes - len(args)
        if lacking < 0:
            return super().__call__(*args, **named)
        given = args
        if lacking:
            given += tuple([named.pop(name, missing) for name in self.arguments[len(args) :]])
        # What it does not know is left: jinja says so.
        return super().__call__(*args, **named) if named else Markup(self._draw(*given))  # noqa: S704  # escaped


_MESSAGES: Final = frozenset({"_", "gettext", "ngettext", "pgettext", "npgettext"})
"""What wants the context: nothing else that our templates call does."""


_OBJECTS: Final = frozenset({"s", "p"})
"""What is an object in every template, and never a mapping: jinja would try both."""


class _Code(CodeGenerator):
    """Writes templates as Python, with our own escaping and macros."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("environment.text(")

    def visit_Call(  # noqa: N802  # the visitor's naming
        self,
        node: nodes.Call,
        frame: Frame,
        forward_caller: bool = False,  # noqa: FBT001, FBT002  # as jinja hands it over
    ) -> None:
        """Write a call as Python's own, unless it is one that jinja hands something to."""
        is_message = isinstance(node.node, nodes.Name) and node.node.name in _MESSAGES
        if is_message or forward_caller or node.dyn_args or node.dyn_kwargs:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for each in (*node.args, *node.kwargs):
            self.visit(each, frame)
            self.write(", ")
        self.write(")")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802  # likewise
        """Write an attribute of the two values that every part is drawn from as Python's own."""
        if isinstance(node.node, nodes.Name) and node.node.name in _OBJECTS:
            self.visit(node.node, frame)
            self.write(f".{node.attr}")
        else:
            super().visit_Getattr(node, frame)

    def visit_Include(self, node: nodes.Include, frame: Frame) -> None:  # noqa: N802  # likewise
        """Draw a template in the middle of another, over the same names and its own."""
        if node.ignore_missing or not node.with_context:
            super().visit_Include(node, frame)
            return
        self.writeline("for event in environment.included(", node)
        self.visit(node.template, frame)
        self.write(f", context, {self.dump_local_context(frame)}):")
        self.indent()
        self.simple_write("event", frame)
        self.outdent()

    def _import_common(self, node: nodes.Import | nodes.FromImport, frame: Frame) -> None:
        if node.with_context:
            super()._import_common(node, frame)
            return
        self.write("environment.imported(")
        self.visit(node.template, frame)
        self.write(")")

    def macro_def(self, macro_ref: MacroRef, frame: Frame) -> None:
        """Write the macro's making; its class is the environment's."""
        self.write("environment.")
        super().macro_def(macro_ref, frame)


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
    code_generator_class = _Code
    Macro = _Macro
    text = staticmethod(_text)

    def __init__(self, translations: NullTranslations, **settings: Any) -> None:
        super().__init__(extensions=["jinja2.ext.i18n"], **settings)
        self.translations = translations
        self._others: dict[str, jinja2.Template] = {}
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

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        template = super()._parse(source, name, filename)
        found: nodes.Template = _FoldMessages().visit(template, self.translations)
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
    for each in (Path(__file__).read_bytes(), *made_of):
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


_FILLED: Final = re.compile(r"%\((\w+)\)s")


class _FoldMessages(NodeTransformer):
    """Puts the translation in place of a call for it, in pieces with what is filled in between."""

    def visit_Call(  # noqa: N802  # the visitor's naming
        self, node: nodes.Call, translations: NullTranslations
    ) -> nodes.Node:
        """Fold `_('text', name=...)` and what `{% trans %}text{% endtrans %}` compiles to."""
        match self.generic_visit(node, translations):
            case nodes.Call(
                node=nodes.Name(name="_" | "gettext"),
                args=[nodes.Const(value=str(message))],
                kwargs=filled,
                dyn_args=None,
                dyn_kwargs=None,
            ):
                return _folded(translations.gettext(message), filled, node.lineno)
            case other:
                return other

    def visit_Output(  # noqa: N802  # the visitor's naming
        self, node: nodes.Output, translations: NullTranslations
    ) -> nodes.Node:
        """Put a message's pieces out one by one, where it is put out as it is."""
        output: nodes.Output = self.generic_visit(node, translations)  # type: ignore[assignment]  # the same kind
        output.nodes = [piece for child in output.nodes for piece in _pieces(child)]
        return output


def _pieces(child: nodes.Expr) -> list[nodes.Expr]:
    """Take a folded message apart; what is put out is escaped in any case."""
    if not isinstance(child, nodes.Concat) or nodes.MarkSafe not in map(type, child.nodes):
        return [child]
    return [
        piece.node
        if isinstance(piece, nodes.Filter) and piece.name == "e" and piece.node
        else piece
        for piece in child.nodes
    ]


def _folded(said: str, filled: list[nodes.Keyword], at: int) -> nodes.Expr:
    """Give a message as nodes: its own words are safe, what is filled in is escaped."""
    # Words and names in turns: that is how a split with a group comes back.
    pieces = _FILLED.split(said)
    values = {each.key: each.value for each in filled}
    found: list[nodes.Expr] = [
        nodes.Filter(values[piece], "e", [], [], None, None, lineno=at)
        if is_name
        else nodes.MarkSafe(nodes.Const(piece.replace("%%", "%")), lineno=at)
        for is_name, piece in zip(cycle((False, True)), pieces, strict=False)
        if piece
    ]
    return found[0] if len(found) == 1 else nodes.Concat(found, lineno=at)
