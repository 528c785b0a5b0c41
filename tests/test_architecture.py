"""Who may import whom, and what no file of ours contains."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import referee

ROOT = Path(referee.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

IMPURE = frozenset(
    {
        "_thread",
        "asyncio",
        "ctypes",
        "datetime",
        "glob",
        "http",
        "importlib",
        "io",
        "logging",
        "multiprocessing",
        "os",
        "pathlib",
        "pickle",
        "queue",
        "random",
        "secrets",
        "selectors",
        "shelve",
        "shutil",
        "signal",
        "socket",
        "socketserver",
        "sqlite3",
        "ssl",
        "subprocess",
        "sys",
        "tempfile",
        "threading",
        "time",
        "urllib",
        "uuid",
        "warnings",
    }
)
"""Standard modules with a clock, chance, files, a network or threads in them."""

IMPURE_CALLS = frozenset({"open", "print", "input", "exec", "eval", "__import__", "breakpoint"})


def name_of(path: Path) -> str:
    """Give a file's dotted module name."""
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """Give every module that a file imports, relative ones made absolute."""
    package = path.relative_to(ROOT.parent).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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


def the_file(path: Path) -> str:
    """Name a file in a test's id."""
    return name_of(path)


RULES = [path for path in inside("referee.games") if path != ROOT / "games" / "__init__.py"]
"""All of the games; the registry beside them loads what is asked for."""


@pytest.mark.parametrize("path", RULES, ids=the_file)
def test_rules_are_pure(path: Path) -> None:
    """Games know the standard library without I/O, clock or chance, msgspec, errors and games."""
    for name in imports(path):
        top = name.partition(".")[0]
        if top == "referee":
            assert is_in(name, "referee.errors", "referee.games")
        elif top != "msgspec":
            assert top in sys.stdlib_module_names - IMPURE


@pytest.mark.parametrize("path", inside("referee.games"), ids=the_file)
def test_rules_do_no_input_or_output(path: Path) -> None:
    """Not through built-ins either."""
    calls = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }

    assert calls & IMPURE_CALLS == set()


SHARED = ("referee.games.base", "referee.games.protocol", "referee.games.reading")


@pytest.mark.parametrize("path", inside("referee.games"), ids=the_file)
def test_games_do_not_know_each_other(path: Path) -> None:
    """A game uses the protocol, what reads forms, and itself; only the registry knows them all."""
    parts = name_of(path).split(".")
    if len(parts) < 3:
        return
    own = ".".join(parts[:3])

    others = {n for n in ours(path) if is_in(n, "referee.games")}
    assert all(is_in(n, own, *SHARED) for n in others)


@pytest.mark.parametrize(
    ("module", "allowed"),
    [
        ("referee.errors", ()),
        ("referee.entries", ("referee.games.base",)),
        ("referee.journal", ("referee.games.base", "referee.errors", "referee.entries")),
        ("referee.chance", ("referee.games.base",)),
        ("referee.profiles", ("referee.errors",)),
        ("referee.lan", ()),
        ("referee.terminal", ("referee.lan",)),
    ],
)
def test_lower_layers_know_only_what_is_below(module: str, allowed: tuple[str, ...]) -> None:
    """The journal knows the protocol and not the games; helpers know nothing of the rest."""
    for path in inside(module):
        assert {name for name in ours(path) if not is_in(name, *allowed)} == set()


@pytest.mark.parametrize("path", MODULES, ids=the_file)
def test_nothing_imports_the_web_but_the_web(path: Path) -> None:
    """Pages and the API are one face of the use cases; the command line starts them."""
    if not is_in(name_of(path), "referee.web", "referee.cli", "referee.__main__"):
        assert not any(is_in(name, "referee.web") for name in ours(path))


CORE = (
    "games",
    "errors",
    "entries",
    "journal",
    "chance",
    "tables",
    "db",
    "live",
    "profiles",
    "lan",
)


@pytest.mark.parametrize("path", inside(*(f"referee.{name}" for name in CORE)), ids=the_file)
def test_the_core_does_not_know_flask(path: Path) -> None:
    """Flask and its extensions stay at the edges."""
    flask = ("flask", "werkzeug", "jinja2", "flask_htmx", "flask_babel")

    assert not any(is_in(name, *flask) for name in imports(path))


@pytest.mark.parametrize("path", MODULES, ids=the_file)
def test_nobody_catches_everything(path: Path) -> None:
    """A bug must not be swallowed: no bare `except`, no `except Exception`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None
            caught = {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)}
            assert caught & {"Exception", "BaseException"} == set()


@pytest.mark.parametrize("path", MODULES, ids=the_file)
def test_nobody_writes_outside_the_one_helper(path: Path) -> None:
    """Every write is one BEGIN IMMEDIATE: no deferred `.atomic(`, no check-then-write `.upsert`."""
    called = {
        node.attr
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
    }

    assert called & {"atomic", "upsert", "upsert_all"} == set()


def test_this_file_reads_relative_imports() -> None:
    """The checks above see through `from . import x` and `from .x import y`."""
    seen = ours(ROOT / "games" / "winchester" / "auction.py")

    assert "referee.games.winchester.purchase" in seen
    assert "referee.games.winchester.actions" in seen
    assert "referee.games.base" in seen
