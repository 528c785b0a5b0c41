"""The `referee` command."""

from __future__ import annotations

import argparse
import io
import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any, Final

import msgspec

COMMANDS: Final = ("serve", "demo", "simulate", "export", "verify", "backup", "doctor")
DEFAULT_PORT: Final = 8000


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; without a command it serves."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    words = sys.argv[1:] if arguments is None else arguments
    if not words or (words[0] not in COMMANDS and words[0] not in {"-h", "--help", "--version"}):
        words = ["serve", *words]
    options = parser().parse_args(words)
    try:
        code = options.run(options)
    except BrokenPipeError:
        code = 0
    except OSError as error:
        print(f"referee: {error}", file=sys.stderr)
        code = 1
    sys.exit(code)


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    from referee import __version__  # noqa: PLC0415

    top = argparse.ArgumentParser(prog="referee", description="The companion for your game table.")
    top.add_argument("--version", action="version", version=f"referee {__version__}")
    commands = top.add_subparsers(required=True)

    serve = commands.add_parser("serve", help="open the table (also without a command)")
    _serving(serve)
    serve.set_defaults(run=run_serve)

    demo = commands.add_parser("demo", help="a table played by bots at human pace, to look at")
    demo.add_argument("game", nargs="?", help="default: the first there is")
    demo.add_argument("--pace", type=float, default=1.5, help="seconds between two actions")
    _serving(demo)
    demo.set_defaults(run=run_demo)

    simulate = commands.add_parser("simulate", help="random games, checked for rule violations")
    simulate.add_argument("game")
    simulate.add_argument("--seats", type=int, help="default: every number the game allows")
    simulate.add_argument("--games", type=int, default=100)
    simulate.add_argument("--seed", default="referee")
    simulate.add_argument("--preset", choices=("app", "boxed"), default="app")
    simulate.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    simulate.add_argument("--json", action="store_true")
    simulate.set_defaults(run=run_simulate)

    export = commands.add_parser("export", help="a table's journal or result")
    export.add_argument("code")
    export.add_argument("--format", choices=("journal", "csv", "bgstats"), default="journal")
    _data(export)
    export.set_defaults(run=run_export)

    verify = commands.add_parser("verify", help="check an exported journal: chain, draws, score")
    verify.add_argument("file", type=Path)
    verify.set_defaults(run=run_verify)

    backup = commands.add_parser("backup", help="copy the database, also while it is in use")
    backup.add_argument("target", type=Path)
    _data(backup)
    backup.set_defaults(run=run_backup)

    doctor = commands.add_parser("doctor", help="look for what keeps phones from joining")
    _data(doctor)
    doctor.add_argument("--port", type=int, default=DEFAULT_PORT)
    doctor.set_defaults(run=run_doctor)
    return top


def _data(command: argparse.ArgumentParser) -> None:
    command.add_argument("--data", type=Path, default=None, help="the data folder")


def _serving(command: argparse.ArgumentParser) -> None:
    command.add_argument("--host", default="0.0.0.0")  # noqa: S104  # phones must reach it
    command.add_argument("--port", type=int, default=DEFAULT_PORT)
    command.add_argument("--url", help="the address to show instead of the one found")
    command.add_argument(
        "--proxy", type=int, default=0, metavar="N", help="proxies of one's own in front of it"
    )
    command.add_argument("--no-browser", action="store_true")
    command.add_argument("--lang", choices=("en", "de", "fr"), default=None)
    _data(command)


def data_folder(chosen: Path | None) -> Path:
    """Give the data folder: the chosen one, `instance/` in a checkout, else the user's own."""
    if chosen is not None:
        return chosen.expanduser()
    top = Path(__file__).resolve().parent.parent
    if (top / "pyproject.toml").is_file() and (top / "templates").is_dir():
        return top / "instance"
    import platformdirs  # noqa: PLC0415  # only an installed referee asks the platform

    return Path(platformdirs.user_data_dir("referee", appauthor=False))


def run_serve(options: argparse.Namespace) -> int:
    """Serve until stopped."""
    return _serve(options, bots=None)


def run_demo(options: argparse.Namespace) -> int:
    """Serve a table that plays itself."""
    from referee.games import GAMES  # noqa: PLC0415

    game = next(iter(GAMES)) if options.game is None else options.game
    if game not in GAMES:
        print(f"referee: no game {game}, only {', '.join(GAMES)}", file=sys.stderr)
        return 2
    return _serve(options, bots=game)


def _serve(options: argparse.Namespace, *, bots: str | None) -> int:
    if os.environ.get("FLASK_DEBUG", "0") not in {"", "0"} and options.host != "127.0.0.1":
        print("referee: FLASK_DEBUG is refused on an address that others reach", file=sys.stderr)
        return 2
    from referee import server  # noqa: PLC0415

    server.make_cooperative()
    from referee import lan, terminal  # noqa: PLC0415
    from referee.errors import AlreadyRunning  # noqa: PLC0415
    from referee.folder import Folder  # noqa: PLC0415
    from referee.web import create_app  # noqa: PLC0415

    home = Folder(_own_folder(options, bots=bots))
    try:
        home.claim()
    except AlreadyRunning as other:
        return _open_other(str(other.facts["address"]), is_wanted=not options.no_browser)
    port = lan.free_port(options.host, options.port)
    if port != options.port:
        print(f"Port {options.port} is taken, using {port}.", flush=True)
    lang = options.lang or system_language()
    url = _checked_url(options.url)
    app = create_app(
        home.path, port=port, url=url, lang=lang, offload=server.offload, proxies=options.proxy
    )
    here = app.extensions["referee"]
    if here.tables.store.restored is not None:
        print(f"The database was {here.tables.store.restored.why}; brought back: "
              f"{here.tables.store.restored.backup or 'nothing'}.")  # fmt: skip
    start_base = f"http://127.0.0.1:{port}"
    start = f"{start_base}/"
    if bots is not None:
        from referee import demo  # noqa: PLC0415

        start += demo.begin(here.tables, bots, pace=options.pace, lang=lang)

    def ready() -> None:
        base = here.place.base() or f"http://127.0.0.1:{port}"
        terminal.banner(
            base,
            None,
            stream=sys.stdout,
            addresses=here.place.watch.addresses(),
            lang=lang,
            where=lan.environment(),
        )
        print(f"Host rights for a browser here: {start_base}/host/{here.place.host_key}")
        sys.stdout.flush()
        if not options.no_browser:
            terminal.open_browser(start)

    home.announce(f"{start_base}/")
    try:
        server.serve(app, options.host, port, ready=ready)
    finally:
        home.release()
    return 0


def _own_folder(options: argparse.Namespace, *, bots: str | None) -> Path:
    """Give the folder to serve: bots have one of their own, beside people's evenings."""
    folder = data_folder(options.data)
    return folder / "demo" if bots is not None and options.data is None else folder


def _open_other(address: str, *, is_wanted: bool) -> int:
    """Say that another referee serves these tables, and open that one."""
    from referee import terminal  # noqa: PLC0415

    if not address:
        print("referee: it is already running on this data, and just starting", file=sys.stderr)
        return 1
    print(f"The referee is already running at {address}", flush=True)
    if is_wanted:
        terminal.open_browser(address)
    return 0


def _checked_url(url: str | None) -> str | None:
    if url is None:
        return None
    return url.rstrip("/") if "://" in url else f"http://{url.rstrip('/')}"


def system_language() -> str:
    """Give the machine's language if it is one of ours, else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        found = os.environ.get(name, "")[:2].lower()
        if found in {"en", "de", "fr"}:
            return found
    return "en"


def run_simulate(options: argparse.Namespace) -> int:
    """Play random games and count violations."""
    from referee.errors import RefereeError  # noqa: PLC0415
    from referee.simulate import simulate  # noqa: PLC0415

    chosen = dict(pair.partition("=")[::2] for pair in options.option)
    try:
        report = simulate(
            options.game,
            games=options.games,
            seats=options.seats,
            seed=options.seed,
            options=chosen,
            preset=options.preset,
        )
    except RefereeError as error:
        print(f"referee: {error.code} {error.facts}", file=sys.stderr)
        return 2
    if options.json:
        print(msgspec.json.encode(report).decode())
    else:
        for name, value in msgspec.to_builtins(report).items():
            print(f"{name:14} {value}")
    return 1 if report.violations else 0


def _tables(options: argparse.Namespace) -> Any:
    from referee.db import Store  # noqa: PLC0415
    from referee.live import Live  # noqa: PLC0415
    from referee.tables import Tables  # noqa: PLC0415

    path = data_folder(options.data) / "referee.db"
    if not path.is_file():
        raise FileNotFoundError(f"no database at {path}")
    return Tables(Store(path), Live())


def run_export(options: argparse.Namespace) -> int:
    """Write a table's journal or result to standard output."""
    from referee import export, playlog  # noqa: PLC0415
    from referee.errors import RefereeError  # noqa: PLC0415

    tables = _tables(options)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # a sign lost would break the journal's chain
    try:
        table = tables.find(options.code)
        entries = tables.store.entries(table.code)
        if options.format == "journal":
            sys.stdout.writelines(export.journal(table, entries, None))
            return 0
        play = playlog.play_of(table, entries, "en")
        if options.format == "csv":
            sys.stdout.write(playlog.as_csv(play, name_of=None))
        else:
            print(playlog.bgstats_file(play))
    except RefereeError as error:
        print(f"referee: {_why_no_export(error.code, options.code)}", file=sys.stderr)
        return 1
    return 0


def _why_no_export(why: str, code: str) -> str:
    match why:
        case "not_over":
            return (
                f"table {code} is not over yet, so it has no result. "
                "Its journal can be exported at any time: --format journal"
            )
        case _:
            return why


def run_verify(options: argparse.Namespace) -> int:
    """Check an exported journal."""
    from referee.errors import CorruptJournal  # noqa: PLC0415
    from referee.export import verify  # noqa: PLC0415
    from referee.seal import words  # noqa: PLC0415

    try:
        found = verify(options.file.read_text(encoding="utf-8", errors="replace"))
    except CorruptJournal as error:
        print(f"referee: {error.code} {error.facts}", file=sys.stderr)
        return 1
    print(f"{found.entries} entries, {found.draws} draws: all in order. Chain: {words(found.head)}")
    if found.result is not None:
        totals = ", ".join(f"{score.seat}: {score.total}" for score in found.result.scores)
        print(f"Totals by seat: {totals}. Winners: {', '.join(map(str, found.result.winners))}")
    return 0


def run_backup(options: argparse.Namespace) -> int:
    """Copy the database."""
    made = _tables(options).store.backup(options.target)
    print(made)
    return 0


def run_doctor(options: argparse.Namespace) -> int:
    """Say what this machine looks like to phones."""
    from referee import lan  # noqa: PLC0415

    folder = data_folder(options.data)
    free = shutil.disk_usage(folder if folder.exists() else Path.cwd()).free
    print(f"Python     {sys.version.split()[0]}")
    print(f"Machine    {lan.environment()}")
    print(f"Data       {folder} ({free // 2**20} MiB free)")
    port = lan.free_port("0.0.0.0", options.port)  # noqa: S104  # what serve would bind
    print(f"Port       {port}" + ("" if port == options.port else f" ({options.port} is taken)"))
    addresses = lan.candidates()
    for address in addresses:
        print(f"Address    {lan.base_url(address.ip, port)}  {address.nic} ({address.kind})")
    if not addresses:
        print("Address    none: connect this machine to a network")
    began = time.perf_counter()
    lan.qr_svg("HTTP://192.168.1.50:8000/J/K7QXW", label="test")
    print(f"QR         drawn in {1000 * (time.perf_counter() - began):.0f} ms")
    return 0 if addresses else 1
