"""Who may import whom, and what no file of ours contains.

A test goes through all files and says what is wrong in which: thousands of tests, one a file, took
longer to begin and to end than to run.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from referee.games import GAMES
from tests.sources import (
    MODULES,
    ROOT,
    attributes,
    called,
    functions,
    imports,
    inside,
    is_in,
    name_of,
    needed,
    nodes_of,
    ours,
    wrong,
)

# Files are read here, and nothing of ours runs that could be counted.
pytestmark = pytest.mark.no_cover

LONGEST_FILE = 400
LONGEST_FUNCTION = 60

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


RULES = [path for path in inside("referee.games") if path != ROOT / "games" / "__init__.py"]
"""All of the games; the registry beside them loads what is asked for."""


def is_pure(name: str) -> bool:
    """Say whether a module has no I/O, clock or chance in it, as far as games may use it."""
    top = name.partition(".")[0]
    if top == "referee":
        return is_in(name, "referee.errors", "referee.games")
    return top == "msgspec" or top in sys.stdlib_module_names - IMPURE


def test_rules_are_pure() -> None:
    """Games know the standard library without I/O, clock or chance, msgspec, errors and games."""
    assert wrong(lambda path: [n for n in imports(path) if not is_pure(n)], RULES) == {}


def test_rules_do_no_input_or_output() -> None:
    """Not through built-ins either."""
    assert wrong(lambda path: called(path) & IMPURE_CALLS, inside("referee.games")) == {}


SHARED = (
    "referee.games.again",
    "referee.games.answering",
    "referee.games.base",
    "referee.games.once",
    "referee.games.protocol",
    "referee.games.reading",
    "referee.games.sides",
    "referee.games.tuples",
)


def of_other_games(path: Path) -> list[str]:
    """Name what a file of a game imports of games, but for its own and what all share."""
    own = ".".join(name_of(path).split(".")[:3])
    return [n for n in ours(path) if is_in(n, "referee.games") and not is_in(n, own, *SHARED)]


def test_games_do_not_know_each_other() -> None:
    """A game uses the protocol, what reads forms, and itself; only the registry knows them all."""
    assert wrong(of_other_games, RULES) == {}


ROOMS = (
    *("seal", "loglines", "noticed", "answered", "seating", "proposals"),
    *("steps", "course", "retelling", "undoing"),
)
PROTOCOL = tuple(f"referee.games.{name}" for name in ("base", "protocol", "sides", "answering"))
BELOW = ("referee.entries", "referee.errors", *PROTOCOL)
JOURNAL = (
    *PROTOCOL,
    "referee.errors",
    "referee.entries",
    *(f"referee.{room}" for room in ROOMS),
)
"""What the journal is made of: the protocol and its own rooms, and nothing with a clock or disk."""


@pytest.mark.parametrize(
    ("module", "allowed"),
    [
        ("referee.errors", ()),
        ("referee.entries", ("referee.games.base",)),
        ("referee.seal", ("referee.entries",)),
        ("referee.loglines", ("referee.entries",)),
        ("referee.noticed", ("referee.entries", "referee.seal")),
        ("referee.answered", ("referee.entries", "referee.noticed")),
        ("referee.proposals", ("referee.entries",)),
        ("referee.seating", ("referee.entries", "referee.steps", "referee.games.base")),
        ("referee.steps", ("referee.entries", "referee.errors", *PROTOCOL)),
        ("referee.course", (*BELOW, "referee.steps")),
        ("referee.retelling", (*BELOW, "referee.course")),
        ("referee.undoing", (*BELOW, "referee.steps", "referee.course", "referee.retelling")),
        ("referee.journal", (*JOURNAL, "referee.options")),
        ("referee.deciding", (*JOURNAL, "referee.journal", "referee.options")),
        ("referee.telling", (*JOURNAL, "referee.journal")),
        ("referee.chance", ("referee.games.base",)),
        ("referee.lan", ()),
        ("referee.saying", ()),
        ("referee.terminal", ("referee.lan", "referee.saying")),
    ],
)
def test_lower_layers_know_only_what_is_below(module: str, allowed: tuple[str, ...]) -> None:
    """The journal knows the protocol and not the games; helpers know nothing of the rest."""
    for path in inside(module):
        assert {name for name in ours(path) if not is_in(name, *allowed)} == set()


def test_profiles_know_the_registry_and_none_of_its_games() -> None:
    """A shipped board lies beside its game's rules, wherever that package is."""
    assert ours(ROOT / "profiles.py") == {"referee.errors", "referee.games"}


def test_nothing_imports_the_web_but_the_web() -> None:
    """Pages and the API are one face of the use cases; the command line starts them."""
    starts = ("referee.cli", "referee.serving", "referee.service", "referee.__main__")
    others = {*MODULES} - {*inside("referee.web", *starts)}

    assert wrong(lambda path: [n for n in ours(path) if is_in(n, "referee.web")], others) == {}


CORE = (
    *("games", "errors", "entries", *ROOMS, "journal", "deciding", "telling", "options", "chance"),
    *("desk", "lobby", "play", "consent", "seats", "tables", "db", "live", "profiles", "lan"),
)


def test_the_core_does_not_know_flask() -> None:
    """Flask and its extensions stay at the edges."""
    flask = ("flask", "werkzeug", "jinja2", "flask_htmx")
    core = inside(*(f"referee.{name}" for name in CORE))

    assert wrong(lambda path: [n for n in imports(path) if is_in(n, *flask)], core) == {}


CATCHES_EVERYTHING = {
    ("referee.jobs", "run"): "a job keeps its error for its maker; the writer goes on for the rest",
    ("referee.web.faults", "parts"): "logged, and said in the part's place; the others have none",
    ("referee.web.parts", "_on_phone"): "likewise",
    ("referee.web.publisher", "_reaches"): "logged; that page begins anew, the others have none",
    ("referee.web.publisher", "_write"): "what led here is stored; each page meets it by itself",
    ("referee.web.stream", "_owed"): "logged once, and not at every time that the page asks again",
    ("referee.web.taps", "_played"): "Flask is asked the same next, meets it too and says it",
}
"""Functions that may catch whatever there is, each with the reason."""


def catches_everything(nodes: Iterable[ast.AST]) -> bool:
    """Say whether something catches what nobody thought of, or a class swallows it on leaving."""
    everything = {"Exception", "BaseException"}
    for node in nodes:
        match node:
            case ast.ExceptHandler(type=None):
                return True
            case ast.ExceptHandler(type=caught) if caught is not None:
                if everything & {n.id for n in ast.walk(caught) if isinstance(n, ast.Name)}:
                    return True
            case ast.Call(func=ast.Attribute(attr="suppress") | ast.Name(id="suppress"), args=args):
                if everything & {
                    n.id for a in args for n in ast.walk(a) if isinstance(n, ast.Name)
                }:
                    return True
            case ast.FunctionDef(name="__exit__"):
                if any(isinstance(n, ast.Return) and n.value for n in ast.walk(node)):
                    return True
            case _:
                pass
    return False


def swallowing(path: Path) -> list[tuple[str, str]]:
    """Name the functions of a file that catch everything, "" for what is outside of any."""
    if not catches_everything(nodes_of(path)):
        return []
    found = [(name_of(path), f.name) for f in functions(path) if catches_everything(ast.walk(f))]
    return found or [(name_of(path), "")]


def test_nobody_catches_everything() -> None:
    """A bug must not be swallowed: no bare `except`, no `except Exception`, nor by a side door."""
    found = wrong(swallowing, MODULES)

    assert sorted(CATCHES_EVERYTHING) == sorted(each for some in found.values() for each in some)


def test_nobody_writes_outside_the_one_helper() -> None:
    """Every write is one BEGIN IMMEDIATE: no deferred `.atomic(`, no check-then-write `.upsert`."""
    others = {"atomic", "upsert", "upsert_all"}

    assert wrong(lambda path: attributes(path) & others, MODULES) == {}


def test_no_modules_need_each_other() -> None:
    """There is no circle of imports, not even one that a function's own import hides."""
    left = {name_of(path): needed(path) - {name_of(path)} for path in MODULES}
    while free := {name for name, needs in left.items() if not needs & left.keys()}:
        left = {name: needs for name, needs in left.items() if name not in free}

    assert left == {}


def too_long(path: Path) -> dict[str, int]:
    """Give the lines of a file, and of each of its functions, that has too many."""
    lengths = {f.name: (f.end_lineno or 0) - f.lineno + 1 for f in functions(path)}
    found = {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION}
    whole = len(path.read_text(encoding="utf-8").splitlines())
    return found | ({"the file": whole} if whole > LONGEST_FILE else {})


def test_no_file_and_no_function_is_too_long_to_take_in() -> None:
    """Past 400 lines a file has a seam somewhere, past 60 a function has; in tests as well."""
    beside = [
        path for name in ("tests", "benchmarks") for path in (ROOT.parent / name).rglob("*.py")
    ]
    assert wrong(too_long, [*MODULES, *beside]) == {}


def common_files() -> Iterator[Path]:
    """Give everything that serves all games: the core, the pages' frame, scripts, stylesheets."""
    top = ROOT.parent
    yield from ROOT.glob("*.py")
    yield from (ROOT / "web").rglob("*.py")
    yield from (top / "templates").glob("*.html")
    yield from (top / "templates" / "table").rglob("*.html")
    for folder, kind in (("js", "*.js"), ("css", "*.css")):
        yield from (top / "static").glob(kind)
        yield from (top / "static" / folder).glob(kind)


OF_A_GAME = (
    *("stars?", "plots?", "cash", "routes?", "auctions?", "marshals?", "sheriffs?"),
    *("objectives?", "duels?", "rumou?rs?", "desperado(?:e?s)?", "gangs?", "poker"),
    *("ranch(?:es|ers?)?", "cattle", "domino(?:e?s)?", "saloons?", "bids?", "terrains?"),
    *("cit(?:y|ies)", "tokens[0-9]"),
    *(part for key in GAMES for part in (key, *GAMES.meta(key).titles.values())),
)
WORD_OF_A_GAME = re.compile(
    rf"(?<![a-z])(?:{'|'.join(word.replace(' ', '.') for word in OF_A_GAME)})(?![a-z])",
    re.IGNORECASE,
)
DRAWING = re.compile(r"icon\('[a-z]+'\)")
"""An icon is named for what is drawn: the star on it is the referee's own badge."""
THIRD_PARTY = re.compile(r"^htmx")


def words_of_a_game(path: Path) -> list[str]:
    """Find what belongs to a game in a file."""
    return WORD_OF_A_GAME.findall(DRAWING.sub("", path.read_text(encoding="utf-8")))


def test_what_serves_all_games_has_no_word_of_one() -> None:
    """What a game calls its things stays in its package, its templates and its own files."""
    ours = (path for path in common_files() if not THIRD_PARTY.match(path.name))

    assert wrong(words_of_a_game, ours) == {}


LOBBY = """
import sys, tempfile
from referee.web import create_app

def rules():
    return [n for n in sys.modules if n.startswith("referee.games.") and n.endswith(".rules")]

with tempfile.TemporaryDirectory() as folder:
    app = create_app({"DATA": folder, "URL": "http://192.168.1.50:8000"})
    client = app.test_client()
    assert client.get("/").status_code == 200
    print(rules())
    client.set_cookie("referee_tried", "1")
    opened = client.post("/tables", data={"game": "winchester"})
    assert opened.status_code == 303
    print(rules())
    seats = opened.location.replace("/t/", "/api/v1/tables/") + "/seats"
    for name in ("Zoë", "Zoë 🐺"):
        assert client.post(seats, json={"name": name}).status_code == 201
        print("grapheme" in sys.modules)
    app.extensions["referee"].tables.store.close()
"""


def test_a_lobby_loads_no_rules() -> None:
    """A start page of many games costs none of them; a game is loaded when somebody opens it.

    So are the tables of what is one sign, when a name is more than letters.
    """
    command = (sys.executable, "-W", "error", "-c", LOBBY)
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT.parent)

    rules = ["[]", "['referee.games.winchester.rules']"]
    assert ran.stdout.splitlines() == [*rules, "False", "True"], ran.stderr


def test_this_file_reads_relative_imports() -> None:
    """The checks above see through `from . import x` and `from .x import y`."""
    seen = ours(ROOT / "games" / "winchester" / "auction.py")

    assert "referee.games.winchester.purchase" in seen
    assert "referee.games.winchester.actions" in seen
    assert "referee.games.base" in seen


RAW = re.compile(r"(?<!node)\.(?:tap|click)\(\)")
"""A touch that does not look first whether the page shows what other screens just did."""


def test_browser_tests_look_before_they_touch() -> None:
    """They touch pages through the bench, which waits until a page is settled."""
    tests = (ROOT.parent / "tests" / "browser").glob("test_*.py")

    assert wrong(lambda path: RAW.findall(path.read_text(encoding="utf-8")), tests) == {}
