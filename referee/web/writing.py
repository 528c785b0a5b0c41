"""How a template is written as Python: what is known of ours is settled when it is compiled.

jinja cannot know what a name will be, so it asks at every drawing: whether it is there, whether it
is a mapping, whether what it gives is safe. Here messages become text, pictures become their marks,
and attributes are Python's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle
from typing import TYPE_CHECKING, Any, Final

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.idtracking import VAR_LOAD_PARAMETER, VAR_LOAD_RESOLVE
from jinja2.visitor import NodeTransformer
from markupsafe import escape

if TYPE_CHECKING:
    from .compiling import OneLanguage

_MESSAGES: Final = frozenset({"_", "gettext", "ngettext", "pgettext", "npgettext"})
"""What wants the context: nothing else that our templates call does."""


_OBJECTS: Final = frozenset({"s", "p"})
"""What is an object in every template, and never a mapping."""
_MACROS: Final = "words"
"""What is a mapping in every template: each game's macros."""
_MAY_LACK: Final = frozenset({"defined", "undefined", "default", "d"})
"""Tests and filters of what may not be there: only jinja's own way tells them so."""


class Code(CodeGenerator):
    """Writes templates as Python, with our own escaping and macros."""

    environment: OneLanguage
    _may_lack: nodes.Expr | None = None

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("(" if self._is_safe(node, frame) else "environment.text(")

    def _is_safe(self, node: nodes.Expr | None, frame: Frame) -> bool:
        """Say whether what an expression gives is text that needs no escaping."""
        match node:
            case None:  # a condition that does not hold puts out nothing
                return True
            case nodes.Const(value=str(text)):
                return escape(text) == text
            case nodes.CondExpr(expr1=one, expr2=other):
                return self._is_safe(one, frame) and self._is_safe(other, frame)
            case nodes.Call(node=nodes.Name(name=name)):
                # Not one of that name which the template has made itself.
                load = frame.symbols.find_load(frame.symbols.ref(name))
                return load == (VAR_LOAD_RESOLVE, name) and bool(self.environment.drawing(name))
            case _:
                return False

    def write_commons(self) -> None:
        """Write what each function of a template begins with."""
        super().write_commons()
        self.writeline("own, shared = context.vars, context.parent")

    def enter_frame(self, frame: Frame) -> None:
        """Write where names come from: looked up there and then, without a call for each."""
        found = [
            (target, name)
            for target, (load, name) in frame.symbols.loads.items()
            if load == VAR_LOAD_RESOLVE and self.get_resolve_func() == "resolve"
        ]
        for target, name in found:
            look_up = f"own[{name!r}] if {name!r} in own else shared.get({name!r}, missing)"
            self.writeline(f"{target} = {look_up}")
            frame.symbols.loads[target] = VAR_LOAD_PARAMETER, None
        super().enter_frame(frame)
        for target, name in found:
            frame.symbols.loads[target] = VAR_LOAD_RESOLVE, name

    def visit_CondExpr(self, node: nodes.CondExpr, frame: Frame) -> None:  # noqa: N802  # the visitor's naming
        """Write a condition; without an else it is nothing, where jinja makes an object for it."""
        super().visit_CondExpr(nodes.CondExpr(node.test, node.expr1, node.expr2 or _NOTHING), frame)

    def visit_Test(self, node: nodes.Test, frame: Frame) -> None:  # noqa: N802  # likewise
        """Write a test; of some the value may not be there."""
        self._may_lack = node.node if node.name in _MAY_LACK else None
        super().visit_Test(node, frame)

    def visit_Filter(self, node: nodes.Filter, frame: Frame) -> None:  # noqa: N802  # likewise
        """Write a filter; of some the value may not be there."""
        self._may_lack = node.node if node.name in _MAY_LACK else None
        super().visit_Filter(node, frame)

    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:  # noqa: N802  # likewise
        """Write a place in a tuple as Python's own."""
        if node is not self._may_lack and isinstance(node.arg, nodes.Const):
            self.visit(node.node, frame)
            self.write(f"[{node.arg.value!r}]")
        else:
            super().visit_Getitem(node, frame)

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
        """Write an attribute as Python's own, unless it is a mapping that is asked for it."""
        is_object = isinstance(node.node, nodes.Name) and node.node.name in _OBJECTS
        if is_object:
            self.visit(node.node, frame)
            self.write(f".{node.attr}")
        elif isinstance(node.node, nodes.Name) and node.node.name == _MACROS:
            self.visit(node.node, frame)
            self.write(f"[{node.attr!r}]")
        elif node is self._may_lack:
            super().visit_Getattr(node, frame)
        else:
            # What is asked for its attribute is written once, first, inside of the condition.
            self.write(f"(environment.getattr(of, {node.attr!r}) if isinstance(of := ")
            self.visit(node.node, frame)
            self.write(f", dict) else of.{node.attr})")

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Frame) -> None:  # noqa: N802  # likewise
        """Draw a macro around something: what it calls takes nothing, so it is no macro itself."""
        if node.args:
            super().visit_CallBlock(node, frame)
            return
        self.macro_body(node, frame)
        self.writeline("caller = lambda: Markup(macro())")
        self.start_write(frame, node)
        self.visit_Call(node.call, frame, forward_caller=True)
        self.end_write(frame)

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


_NOTHING: Final = nodes.Const("")
_FILLED: Final = re.compile(r"%\((\w+)\)s")


class Fold(NodeTransformer):
    """Puts what is known in place of a call: a translation, or a mark that is always the same.

    A translation comes in pieces, with what is filled in between.
    """

    def __init__(self, template: nodes.Template) -> None:
        self._made_here = frozenset(_made_in(template))

    def visit_Call(self, node: nodes.Call, environment: OneLanguage) -> nodes.Node:  # noqa: N802  # the visitor's naming
        """Fold `icon('star')`, `_('text', name=...)`, and what `{% trans %}` compiles to."""
        match self.generic_visit(node, environment):
            case nodes.Call(
                node=nodes.Name(name="_" | "gettext"),
                args=[nodes.Const(value=str(message))],
                kwargs=filled,
                dyn_args=None,
                dyn_kwargs=None,
            ):
                return _folded(environment.translations.gettext(message), filled, node.lineno)
            case nodes.Call(node=nodes.Name(name=name), args=[_, *_] as given, kwargs=[]) if (
                name not in self._made_here
                and (draw := environment.drawing(name))
                and all(isinstance(each, nodes.Const) for each in given)
            ):
                drawn = draw(*(each.as_const() for each in given))
                return nodes.MarkSafe(nodes.Const(str(drawn)), lineno=node.lineno)
            case other:
                return other

    def visit_Output(self, node: nodes.Output, environment: OneLanguage) -> nodes.Node:  # noqa: N802  # likewise
        """Put a message's pieces out one by one, where it is put out as it is."""
        output: nodes.Output = self.generic_visit(node, environment)  # type: ignore[assignment]  # the same kind
        output.nodes = [piece for child in output.nodes for piece in _pieces(child)]
        return output


def _made_in(template: nodes.Template) -> Iterator[str]:
    """Name what a template makes itself or imports: it goes before what is shared."""
    for each in template.find_all((nodes.Name, nodes.Macro, nodes.FromImport)):
        match each:
            case nodes.Name(name=name, ctx=use) if use != "load":
                yield name
            case nodes.Macro(name=name):
                yield name
            case nodes.FromImport(names=names):
                yield from (name if isinstance(name, str) else name[1] for name in names)
            case _:
                pass


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
