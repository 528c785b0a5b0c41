"""What commands are told: kinds of values, and options that several of them share.

Nothing of ours is imported before it is needed: the server patches the standard library first.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import click

from referee.saying import gettext as _

Said = TypeVar("Said", bound=Callable[..., Any])
"""What a command does with what it was told."""


class GameKey(click.ParamType[str]):
    """A game by its key; a mistyped one is told which was probably meant."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Give the key."""
        from referee.games import GAMES  # noqa: PLC0415  # not before the server has patched

        if value in GAMES:
            return str(value)
        raise click.BadParameter(self._unknown(str(value), [*GAMES]), ctx, param)

    def _unknown(self, value: str, games: list[str]) -> str:
        meant = get_close_matches(value, games, 1)
        sentence = _("There is no game %(game)s. There are: %(games)s.")
        hint = _("Did you mean %(game)s?") % {"game": meant[0]} if meant else ""
        said = sentence % {"game": value, "games": ", ".join(games)}
        return f"{said} {hint}".strip()


class Url(click.ParamType[str]):
    """An address that phones can open."""

    name = "url"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Give the address with its http:// in front."""
        from referee import lan  # noqa: PLC0415

        try:
            return lan.given_url(str(value)) or ""
        except ValueError:
            sentence = _("%(url)s is no address. One looks like http://192.168.1.20")
            self.fail(sentence % {"url": value}, param, ctx)


class Choice(click.ParamType[tuple[str, str]]):
    """An option of a game with its value."""

    name = _("key=value")

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Give the two."""
        if isinstance(value, tuple):
            return value
        key, equals, chosen = str(value).partition("=")
        if not equals:
            sentence = _("%(said)s is no option. One looks like preset=app")
            self.fail(sentence % {"said": value}, param, ctx)
        return key, chosen


def with_data(command: Said) -> Said:
    """Let a command be told where the data folder is."""
    return click.option(
        "--data",
        type=click.Path(path_type=Path, file_okay=False),
        envvar="REFEREE_DATA",
        metavar="DIR",
        help=_("The data folder, instead of the usual one."),
    )(command)


def with_port(command: Said) -> Said:
    """Let a command be told a port."""
    return click.option(
        "--port",
        type=click.IntRange(1, 65535),
        default=8000,
        envvar="REFEREE_PORT",
        help=_("The port that phones use; if it is taken, the next free one."),
    )(command)


def with_serving(command: Said) -> Said:
    """Let a command be told all about serving."""
    asked = (
        click.option("--host", default="0.0.0.0", help=_("The address to listen at.")),  # noqa: S104  # phones must reach it
        with_port,
        click.option(
            "--url",
            type=Url(),
            envvar="REFEREE_URL",
            help=_("The address to show instead of the one that is found; it may have a path."),
        ),
        click.option(
            "--proxy",
            type=click.IntRange(0),
            default=0,
            envvar="REFEREE_PROXIES",
            metavar="N",
            help=_("How many proxies of your own stand in front of it."),
        ),
        click.option(
            "--captive",
            is_flag=True,
            envvar="REFEREE_CAPTIVE",
            help=_("On a hotspot without internet: tell phones that it is there, so they stay."),
        ),
        click.option("--no-browser", is_flag=True, help=_("Open no browser here.")),
        click.option(
            "--lang",
            type=click.Choice(("en", "de", "fr")),
            envvar="REFEREE_LANG",
            help=_("The language of the terminal, and of browsers that prefer none of these."),
        ),
        with_data,
    )
    for option in reversed(asked):
        command = option(command)
    return command
