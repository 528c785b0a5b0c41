"""`referee service`: starting with the machine, filling its screen, opening a Wi-Fi of its own."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from referee import saying
from referee.asking import with_data, with_port
from referee.saying import gettext as _
from referee.where import data_folder

SHORTEST_PASSWORD: Final = 8
"""WPA2's own."""

LONGEST_NAME: Final = 32
"""A Wi-Fi's, in bytes."""

PATIENCE_S: Final = 20.0
"""So long a Pi may take to start."""


@click.group(help=_("Start the referee with this machine, on a Raspberry Pi or any Linux."))
def service() -> None:
    """Do nothing by itself."""


def _password(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not (SHORTEST_PASSWORD <= len(value) <= 63 and _is_plain(value)):  # noqa: PLR2004  # WPA2's
        raise click.BadParameter(_("A Wi-Fi password has 8 to 63 plain letters and digits."))
    return value


def _is_plain(value: str) -> bool:
    return value.isascii() and value.isprintable()


def _name(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not (value.isprintable() and 1 <= len(value.encode()) <= LONGEST_NAME):
        raise click.BadParameter(_("A Wi-Fi's name has 1 to 32 signs, fewer with accents."))
    return value


@service.command("install", help=_("Say what is done, step by step, and do it."))
@click.option(
    "--hotspot",
    callback=_name,
    metavar="NAME",
    help=_("Open a Wi-Fi of this name, for phones at the table."),
)
@click.option("--password", callback=_password, help=_("Of that Wi-Fi; without it one is made up."))
@click.option("--radio", default="wlan0", help=_("The Wi-Fi device of this machine."))
@click.option(
    "--kiosk/--no-kiosk",
    default=None,
    help=_("Fill the screen of this machine with the table; by itself where it has a desktop."),
)
@click.option(
    "--captive",
    is_flag=True,
    help=_("On a hotspot without internet: tell phones that it is there, so they stay."),
)
@click.option("--dry-run", is_flag=True, help=_("Only say it."))
@with_port
@with_data
def install(
    hotspot: str | None,
    password: str | None,
    radio: str,
    kiosk: bool | None,  # noqa: FBT001  # click's flag
    captive: bool,  # noqa: FBT001  # likewise
    dry_run: bool,  # noqa: FBT001  # likewise
    port: int,
    data: Path | None,
) -> None:
    """Install, with every step printed before it is done."""
    from referee.service import plan, steps  # noqa: PLC0415

    _require_systemd(is_needed=not dry_run)
    folder = data_folder(data)
    if steps.read_record(folder) is not None:
        raise click.ClickException(_("It is installed already. First: referee service remove"))
    wish = plan.Wish(
        data=folder,
        port=port,
        lang=saying.system_language(),
        hotspot=hotspot or "",
        password=password or plan.new_password(),
        radio=radio,
        captive=captive,
        kiosk=plan.has_desktop() if kiosk is None else kiosk,
    )
    if dry_run:
        for step in plan.plan(wish):
            print(steps.shown(step.do))
        return
    try:
        steps.carry_out(plan.plan(wish), folder, print)
    except (steps.Failed, OSError) as error:
        sentence = _("This did not work: %(error)s\nWhat was done is undone by: %(command)s")
        undone = "referee service remove"
        raise click.ClickException(sentence % {"error": error, "command": undone}) from error
    if hotspot:
        told = _("Wi-Fi %(name)s, password %(password)s: its code stands beside the table's.")
        print(told % {"name": wish.hotspot, "password": wish.password})
    if not comes_up(folder):
        sentence = _("It is installed, but does not answer yet. This tells why: %(command)s")
        raise click.ClickException(sentence % {"command": f"systemctl --user status {plan.UNIT}"})
    print(_("The referee runs, and will whenever this machine does."))


def comes_up(folder: Path, pause: Callable[[float], object] = time.sleep) -> bool:
    """Wait until the unit's server answers where it said that it would."""
    from referee import doctor  # noqa: PLC0415
    from referee.folder import announced  # noqa: PLC0415
    from referee.service import plan  # noqa: PLC0415

    last = time.monotonic() + PATIENCE_S
    while True:
        if plan.status()[0] == "active" and doctor.is_answered(announced(folder)[0]):
            return True
        if time.monotonic() >= last:
            return False
        pause(0.5)


@service.command("remove", help=_("Undo all that install did; the evenings stay."))
@with_data
def remove(data: Path | None) -> None:
    """Take everything back, and say each step."""
    from referee.service import steps  # noqa: PLC0415

    folder = data_folder(data)
    if steps.read_record(folder) is None:
        raise click.ClickException(_("Nothing is installed."))
    steps.undo(folder, print)
    print(_("The referee starts with this machine no more. Its evenings are where they were."))


@service.command("status", help=_("Say what is installed, and whether it runs."))
@with_data
def status(data: Path | None) -> int:
    """Say how things stand; the exit code is 0 if the referee runs."""
    from referee.folder import ADDRESS, read_small  # noqa: PLC0415
    from referee.service import plan, steps  # noqa: PLC0415

    folder = data_folder(data)
    if steps.read_record(folder) is None:
        print(_("Nothing is installed."))
        return 1
    unit, hotspot = plan.status()
    print(f"{plan.UNIT:18} {unit}")
    print(f"{plan.HOTSPOT:18} {hotspot}")
    address = read_small(folder / ADDRESS)
    if address:
        print(f"{'':18} {address}")
    return 0 if unit == "active" else 1


@service.command("kiosk", help=_("Fill the screen with the table, once the referee answers."))
@with_port
@with_data
def kiosk(port: int, data: Path | None) -> None:
    """Wait for the server, then become the browser. The desktop starts this."""
    from referee import doctor  # noqa: PLC0415
    from referee.service import plan  # noqa: PLC0415

    found = plan.browser()
    if found is None:
        raise click.ClickException(_("There is no browser here that can fill the screen."))
    folder = data_folder(data)
    while not doctor.is_answered(url := _home(folder, port)):
        time.sleep(1)
    os.execv(found, plan.kiosk_words(found, url))  # noqa: S606  # found on the PATH, by fixed names


def _home(folder: Path, port: int) -> str:
    """Give where the server said that it answers: its port may have been taken by another."""
    from referee.folder import announced  # noqa: PLC0415

    return announced(folder)[0] or f"http://127.0.0.1:{port}/"


def _require_systemd(*, is_needed: bool) -> None:
    if is_needed and (sys.platform != "linux" or shutil.which("systemctl") is None):
        raise click.ClickException(
            _("This machine has no systemd, so the referee cannot be installed as its service.")
        )
