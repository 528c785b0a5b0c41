"""The project's own files, as tests of them read them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import referee

ROOT = Path(referee.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))


def name_of(path: Path) -> str:
    """Give a file's dotted module name."""
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree_of(path: Path) -> ast.Module:
    """Read a file once for all tests; none of them changes what it reads."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Give all nodes of a file; to find them takes longer than what a test asks of them."""
    return tuple(ast.walk(tree_of(path)))


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Give every module that a file imports, relative ones made absolute."""
    return tuple(imports_of(nodes_of(path), path))


def imports_of(nodes: Iterable[ast.AST], path: Path) -> Iterator[str]:
    """Give every module that some nodes of a file import."""
    package = path.relative_to(ROOT.parent).parts[:-1]
    for node in nodes:
        match node:
            case ast.Import(names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module, names, level):
                base = package[: len(package) - level + 1] if level else ()
                source = ".".join((*base, *((module,) if module else ())))
                yield from (
                    inner if _is_module(inner := f"{source}.{alias.name}") else source
                    for alias in names
                )
            case _:
                pass


def _is_module(name: str) -> bool:
    path = ROOT.parent.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def is_in(name: str, *packages: str) -> bool:
    """Say whether a module is one of these, or inside one."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def inside(*packages: str) -> list[Path]:
    """Give the files of these modules and packages."""
    return [path for path in MODULES if is_in(name_of(path), *packages)]


def ours(path: Path) -> set[str]:
    """Give what a file imports of the project's own."""
    return {name for name in imports(path) if is_in(name, "referee")}


def wrong(find: Callable[[Path], Any], paths: Iterable[Path]) -> dict[str, Any]:
    """Give what is found in each file that has any of it, by the file's place in the project."""
    by_file = {path.relative_to(ROOT.parent).as_posix(): find(path) for path in paths}
    assert by_file
    return {name: found for name, found in by_file.items() if found}


def called(path: Path) -> set[str]:
    """Name the functions that a file calls by their own name."""
    return {
        node.func.id
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Give every function and method of a file."""
    for node in nodes_of(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def attributes(path: Path) -> set[str]:
    """Name every attribute that a file uses of anything."""
    return {node.attr for node in nodes_of(path) if isinstance(node, ast.Attribute)}


def needed(path: Path) -> set[str]:
    """Give what a file of ours needs of our own while it runs, wherever in it that is imported."""
    only_typed = {
        inner
        for node in nodes_of(path)
        if isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
        for statement in node.body
        for inner in ast.walk(statement)
    }
    found = imports_of((n for n in nodes_of(path) if n not in only_typed), path)
    return {name for name in found if is_in(name, "referee")}
