"""The `referee` command, by click: what can be said, and what is answered to what cannot."""

from __future__ import annotations

import io
import os
import sqlite3
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from referee import __version__, saying
from referee.asking import Choice, GameKey, with_data, with_port, with_serving
from referee.errors import NewerData
from referee.saying import gettext as _
from referee.saying import system_language
from referee.service.commands import service
from referee.where import data_folder

if TYPE_CHECKING:
    from referee.tables import Tables

USAGE = 2
"""The exit code of what was said wrongly."""


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line; without a command it serves."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A name in signs that this terminal cannot show must not end the command.
            stream.reconfigure(errors="replace")
    words = sys.argv[1:] if arguments is None else [*arguments]
    try:
        code = _run(words)
        # Here, where a reader that went away is still answered; at its end Python would print a
        # trace.
        sys.stdout.flush()
    except BrokenPipeError:
        code = _unread()
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        code = _complain(f"{named}{error.strerror or error}")
    except sqlite3.OperationalError as error:
        code = _complain(_refused(error))
    except NewerData as error:
        code = _complain(saying.refusal(error.code, error.facts))
    sys.exit(code)


def _run(words: list[str]) -> int:
    try:
        with commands.make_context("referee", words) as context:
            done = commands.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as asked:
        click.echo(asked.format_message())
        return USAGE
    except click.UsageError as error:
        _complain(error.format_message())
        if error.ctx is not None:
            usage = _("usage: %(command)s --help tells what can be said.")
            print(usage % {"command": error.ctx.command_path}, file=sys.stderr)
        return USAGE
    except click.ClickException as error:
        return _complain(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        # As shells have it for what Ctrl-C ended.
        return 130
    return int(done or 0)


def _complain(sentence: str) -> int:
    print(f"referee: {sentence}", file=sys.stderr)
    return 1


def _refused(error: sqlite3.OperationalError) -> str:
    if "locked" not in str(error):
        return f"referee.db: {error}"
    return _("Another program holds the database. Close it, then try again.")


def _unread() -> int:
    """End well when whoever read what is written has gone: nothing is left to be flushed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _complain(_("Whoever was reading this has stopped."))


class Commands(click.Group):
    """All commands; without one the table is opened."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take what begins with an option, or says nothing, for `serve`."""
        if not args or (args[0].startswith("-") and args[0] not in {"--help", "--version"}):
            args = ["serve", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=Commands,
    help=_("The companion for your game table."),
    context_settings={"show_default": True},
)
@click.version_option(__version__, message="referee %(version)s")
def commands() -> None:
    """Do nothing by itself: every command does one thing."""


@commands.command("serve", help=_("Open the table. This is done without a command, too."))
@with_serving
def serve(**said: Any) -> int:
    """Serve until stopped."""
    return _serve(said)


@commands.command("demo", help=_("A whole table played by bots at human pace, to look at."))
@click.argument("game", type=GameKey(), required=False)
@click.option(
    "--pace",
    type=click.FloatRange(0),
    default=1.5,
    help=_("Seconds between two actions."),
)
@with_serving
def demo(game: str | None, pace: float, **said: Any) -> int:
    """Serve a table that plays itself."""
    from referee.games import GAMES  # noqa: PLC0415

    return _serve(said, bots=game or next(iter(GAMES)), pace=pace)


def _serve(said: dict[str, Any], *, bots: str = "", pace: float = 0.0) -> int:
    from referee.serving import Serving  # noqa: PLC0415
    from referee.serving import serve as go  # noqa: PLC0415

    lang = said["lang"] or system_language()
    saying.use(lang)
    return go(
        Serving(
            host=said["host"],
            port=said["port"],
            url=said["url"] or "",
            proxies=said["proxy"],
            captive=said["captive"],
            is_browser_wanted=not said["no_browser"],
            lang=lang,
            data=said["data"],
            bots=bots,
            pace=pace,
        )
    )


@commands.command("simulate", help=_("Random games, checked for violations of the rules."))
@click.argument("game", type=GameKey())
@click.option("--seats", type=click.IntRange(1), help=_("Players; default: every number there is."))
@click.option("--games", type=click.IntRange(1), default=100, help=_("Games for each number."))
@click.option("--seed", default="referee", help=_("The same seed plays the same games."))
@click.option(
    "--preset",
    type=click.Choice(("app", "boxed")),
    default="app",
    help=_("Who deals: the referee, or the box of an owner."),
)
@click.option(
    "--option", type=Choice(), multiple=True, help=_("An option of the game; several can be given.")
)
@click.option("--json", "is_json", is_flag=True, help=_("Print one JSON object."))
def simulate(
    game: str,
    seats: int | None,
    games: int,
    seed: str,
    preset: str,
    option: tuple[tuple[str, str], ...],
    is_json: bool,  # noqa: FBT001  # click's flag
) -> int:
    """Play random games and count violations."""
    import msgspec  # noqa: PLC0415

    from referee.errors import RefereeError  # noqa: PLC0415
    from referee.simulate import simulate as play  # noqa: PLC0415

    try:
        report = play(
            game, games=games, seats=seats, seed=seed, options=dict(option), preset=preset
        )
    except RefereeError as error:
        raise click.UsageError(saying.refusal(error.code, error.facts)) from error
    if is_json:
        print(msgspec.json.encode(report).decode())
    else:
        for name, value in msgspec.to_builtins(report).items():
            print(f"{name:14} {value}")
    # A violation fails whatever build runs this.
    return 1 if report.violations else 0


def _tables(data: Path | None) -> Tables:
    from referee.db import Store  # noqa: PLC0415
    from referee.live import Live  # noqa: PLC0415
    from referee.tables import Tables  # noqa: PLC0415

    path = data_folder(data) / "referee.db"
    # Looked for first: to open it would leave an empty one in a folder that was mistyped.
    if not path.is_file():
        raise click.ClickException(_("There is no database at %(path)s") % {"path": path})
    return Tables(Store(path), Live())


@commands.command("export", help=_("A table's journal or result, to standard output."))
@click.argument("code")
@click.option(
    "--format",
    "form",
    type=click.Choice(("journal", "csv", "bgstats")),
    default="journal",
    help=_("The whole journal, a spreadsheet, or a play for BG Stats."),
)
@with_data
def export(code: str, form: str, data: Path | None) -> int:
    """Write a table's journal or result to standard output."""
    from referee import export as files  # noqa: PLC0415
    from referee import playlog  # noqa: PLC0415
    from referee.errors import RefereeError  # noqa: PLC0415

    tables = _tables(data)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A sign lost would break the journal's chain; the lines of a spreadsheet end as written.
        sys.stdout.reconfigure(encoding="utf-8", newline="")
    try:
        table = tables.find(code.upper())
        entries = tables.store.entries(table.code)
        if form == "journal":
            if table.ledger.status != "over":
                print(f"referee: {saying.still_sealed(table.code)}", file=sys.stderr)
            sys.stdout.writelines(files.journal(table, entries, None))
            return 0
        # In English whatever language is spoken here: a file for programs does not change with it.
        play = playlog.play_of(table, entries, "en")
    except RefereeError as error:
        raise click.ClickException(
            saying.refusal(error.code, {"table": code, **error.facts})
        ) from error
    if form == "csv":
        sys.stdout.write(playlog.as_csv(play))
    else:
        print(playlog.bgstats_file(play))
    return 0


@commands.command("verify", help=_("Check an exported journal: its chain, its draws, its score."))
@click.argument("file", type=click.Path(path_type=Path))
def verify(file: Path) -> int:
    """Check an exported journal."""
    from referee.errors import CorruptJournal  # noqa: PLC0415
    from referee.export import verify as check  # noqa: PLC0415
    from referee.seal import words  # noqa: PLC0415

    try:
        # What is no UTF-8 breaks the chain at its entry, and is told as that.
        found = check(file.read_text(encoding="utf-8", errors="replace"))
    except CorruptJournal as error:
        raise click.ClickException(saying.refusal(error.code, error.facts)) from error
    told = _("%(entries)s entries, %(draws)s draws: all in order. Chain: %(chain)s")
    print(told % {"entries": found.entries, "draws": found.draws, "chain": words(found.head)})
    if found.result is not None:
        totals = ", ".join(f"{score.seat}: {score.total}" for score in found.result.scores)
        winners = ", ".join(map(str, found.result.winners))
        told = _("Totals by seat: %(totals)s. Winners: %(winners)s")
        print(told % {"totals": totals, "winners": winners})
    return 0


@commands.command("backup", help=_("Copy the database, also while it is in use."))
@click.argument("target", type=click.Path(path_type=Path))
@with_data
def backup(target: Path, data: Path | None) -> None:
    """Copy the database to a file or into a folder."""
    print(_tables(data).store.backup(target))


@commands.command("doctor", help=_("Look for what keeps phones from joining."))
@with_port
@with_data
def doctor(port: int, data: Path | None) -> int:
    """Say what this machine looks like to phones."""
    from referee.doctor import examine  # noqa: PLC0415

    return examine(data_folder(data), port, sys.stdout)


commands.add_command(service)
