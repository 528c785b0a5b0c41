"""The referee as a service: every step said, done in order, and undone; by stand-ins that note."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest

from referee import cli, doctor, wifi
from referee.folder import Folder
from referee.service import commands, plan, steps
from referee.web.place import Place
from tests import systemd
from tests.ports import free_port

ROOT = Path(__file__).parent.parent

STAND_IN = """#!/bin/sh
echo "$(basename "$0") $*" >> "{log}"
case "$*" in *"/dev/stdin"*) cat >> "{log}.given" ;; esac
case "$(basename "$0") $*" in
  *"{failing}"*) echo "no such thing" >&2; exit 4 ;;
  *Linger*) echo "{lingers}" ;;
  *get-default*) echo graphical.target ;;
  *is-active*) echo active ;;
  *--active*) echo referee-hotspot ;;
esac
"""


class Machine:
    """A machine whose tools write down what they were told."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.log, self.data = folder / "bin", folder / "log", folder / "data"
        self.config = folder / "config"
        self.bin.mkdir()
        self.lingers, self.failing = "no", "nothing fails"
        self.answers = True

    def tools(self) -> None:
        """Put the stand-ins in place."""
        for name in (
            "systemctl",
            "loginctl",
            "nmcli",
            "sudo",
            "chromium",
            "install",
            "sysctl",
            "rm",
        ):
            tool = self.bin / name
            tool.write_text(
                STAND_IN.format(log=self.log, failing=self.failing, lingers=self.lingers),
                encoding="utf-8",
            )
            tool.chmod(0o755)

    def told(self) -> list[str]:
        """Give what was done, without what was only asked; whoever is root needs no sudo."""
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        asked = ("Linger", "get-default", "is-active", "--active")
        return [
            line.removeprefix("sudo ") for line in lines if not any(word in line for word in asked)
        ]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Give a machine with a desktop and a Wi-Fi device."""
    made = Machine(tmp_path)
    made.tools()
    monkeypatch.setenv("PATH", str(made.bin), prepend=os.pathsep)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(made.config))
    monkeypatch.setenv("REFEREE_DATA", str(made.data))
    monkeypatch.setattr("getpass.getuser", lambda: "pi")
    monkeypatch.setattr(commands, "PATIENCE_S", 0.0)
    monkeypatch.setattr(doctor, "is_answered", lambda _url: made.answers)
    return made


def run(*words: str) -> int:
    """Run the command and give its exit code."""
    with pytest.raises(SystemExit) as ended:
        cli.main(["service", *words])
    return int(ended.value.code or 0)


def test_what_is_installed_is_undone(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    """Every command was printed before, in this order, and remove leaves nothing but evenings."""
    assert run("install", "--hotspot", "Saloon", "--password", "sundown99") == 0
    printed = capsys.readouterr().out
    done = machine.told()
    assert done == [
        "loginctl enable-linger pi",
        "systemctl --user daemon-reload",
        "systemctl --user enable --now referee.service",
        (
            "install -m 600 /dev/stdin "
            "/etc/NetworkManager/system-connections/referee-hotspot.nmconnection"
        ),
        "nmcli connection reload",
        "nmcli connection up referee-hotspot",
        "systemctl --user restart referee.service",
    ]
    commands = re.findall(r"^\$ (.*)$", printed, re.MULTILINE)
    assert [command.removeprefix("sudo ") for command in commands] == done
    unit = machine.config / "systemd" / "user" / "referee.service"
    entry = machine.config / "autostart" / "referee-kiosk.desktop"
    assert unit.is_file()
    assert entry.is_file()
    assert Place(machine.data, port=8000, url=None).wifi == ("Saloon", "sundown99")
    assert run("status") == 0
    assert "active" in capsys.readouterr().out

    machine.log.unlink()
    assert run("remove") == 0
    assert machine.told() == [
        "nmcli connection delete referee-hotspot",
        "systemctl --user disable --now referee.service",
        "systemctl --user daemon-reload",
        "loginctl disable-linger pi",
    ]
    assert not unit.exists()
    assert not entry.exists()
    assert wifi.read(machine.data) is None
    assert run("status") == 1
    assert run("remove") == 1


def test_a_dry_run_does_nothing(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    """It says all that would be done, the unit's text included."""
    assert run("install", "--hotspot", "Saloon", "--dry-run") == 0
    said = capsys.readouterr().out
    assert machine.told() == []
    assert not machine.config.exists()
    assert not machine.data.exists()
    for word in ("enable-linger", "ExecStart=", "nmcli connection up", "kiosk", '"Saloon"'):
        assert word in said


def test_what_would_be_done_is_shown_where_nobody_is_root(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Windows has no such id."""
    monkeypatch.delattr(os, "geteuid")
    assert run("install", "--hotspot", "Saloon", "--dry-run") == 0
    assert "enable-linger" in capsys.readouterr().out


def test_a_step_that_fails_is_told_and_undone(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command and what it said; whatever came before it is noted, and remove takes it back."""
    machine.failing = "connection up"
    machine.tools()
    assert run("install", "--hotspot", "Saloon") == 1
    told = capsys.readouterr().err
    assert "no such thing" in told
    assert "referee service remove" in told
    machine.failing = "connection delete"  # even if one of these fails as well
    machine.tools()
    machine.log.unlink()
    assert run("remove") == 0
    assert "systemctl --user disable --now referee.service" in machine.told()
    assert not (machine.config / "systemd" / "user" / "referee.service").exists()


def test_a_second_install_is_refused(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    """Else what the first one did could not be undone any more."""
    assert run("install") == 0
    before = machine.told()
    assert run("install") == 1
    assert "referee service remove" in capsys.readouterr().err
    assert machine.told() == before


def test_whoever_lingers_already_goes_on_lingering(machine: Machine) -> None:
    """What others of one's services live by is not taken away."""
    machine.lingers = "yes"
    machine.tools()
    assert run("install") == 0
    assert run("remove") == 0
    assert not any("linger" in line for line in machine.told())


def test_a_machine_without_systemd_is_told(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a sentence; nothing is begun."""
    monkeypatch.setenv("PATH", "/nonexistent")
    assert run("install") == 1
    assert "no systemd" in capsys.readouterr().err
    assert not machine.data.exists()


@pytest.mark.parametrize("password", ["short", "x" * 64, "Straße und Wagen"])
def test_a_password_that_phones_would_refuse(machine: Machine, password: str) -> None:
    """Is refused before anything is done."""
    assert run("install", "--hotspot", "Saloon", "--password", password) == 2
    assert machine.told() == []


@pytest.mark.parametrize("name", ["", "x" * 33, "é" * 17, "two\nlines"])
def test_a_name_that_no_wifi_can_have(machine: Machine, name: str) -> None:
    """Is refused before anything is done; it is bytes that count."""
    assert run("install", "--hotspot", name) == 2
    assert machine.told() == []


def test_the_password_is_in_no_process_list_and_no_log(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    """NetworkManager's file is given it to read; a step that fails does not tell it either."""
    machine.failing = "/dev/stdin"
    machine.tools()
    assert run("install", "--hotspot", "Saloon", "--password", "sundown99") == 1
    assert "sundown99" not in capsys.readouterr().err
    assert not any("sundown99" in line for line in machine.told())
    given = machine.log.with_name("log.given").read_text(encoding="utf-8")
    assert "\npsk=sundown99\n" in given
    assert "\nssid=83;97;108;111;111;110;\n" in given


def test_a_hotspot_asks_of_a_radio_what_every_pi_can(tmp_path: Path) -> None:
    """A channel that every phone has, and no protected frames: a Pi refuses whoever asks so."""
    told = ConfigParser()
    told.read_string(plan.connection_text(plan.Wish(data=tmp_path, port=80, lang="en")))
    assert dict(told["wifi"]) == {"mode": "ap", "band": "bg", "channel": "6", "ssid": ""}
    assert told["wifi-security"]["pmf"] == "1"


def test_one_that_does_not_come_up_is_told(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    """A unit that starts over and over is not said to run."""
    machine.answers = False
    assert run("install") == 1
    said = capsys.readouterr()
    assert "The referee runs" not in said.out
    assert "systemctl --user status referee.service" in said.err
    assert run("remove") == 0


def test_a_slow_start_is_waited_for(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Pi takes some seconds until its referee answers."""
    machine.answers = False
    monkeypatch.setattr(commands, "PATIENCE_S", 60.0)
    assert commands.comes_up(machine.data, lambda _seconds: setattr(machine, "answers", True))


def test_a_low_port_is_opened_and_closed_again(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Phones ask at port 80 whether there is internet, which Linux keeps for root."""
    monkeypatch.setattr(plan, "first_open_port", lambda: 1024)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert run("install", "--captive", "--port", "80") == 0
    name = "net.ipv4.ip_unprivileged_port_start"
    keep = "install -m 644 /dev/stdin /etc/sysctl.d/60-referee.conf"
    assert machine.told()[:2] == [keep, f"sysctl -w {name}=80"]
    assert machine.log.with_name("log.given").read_text(encoding="utf-8") == f"{name}=80\n"
    unit = machine.config / "systemd" / "user" / "referee.service"
    assert '"--captive"' in unit.read_text(encoding="utf-8")
    machine.log.unlink()
    assert run("remove") == 0
    assert machine.told()[-2:] == [f"sysctl -w {name}=1024", "rm -f /etc/sysctl.d/60-referee.conf"]


def test_the_screen_waits_for_the_port_that_was_really_taken(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that was asked for may be another program's."""
    Folder(machine.data).announce("http://127.0.0.1:8001/")
    became: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda _found, words: became.append(words))
    assert run("kiosk", "--port", "8000") == 0
    assert [words[-1] for words in became] == ["http://127.0.0.1:8001/"]


@pytest.mark.parametrize("folder", ["plain", 'wi"th $HOME % and \\ spaces'])
def test_the_unit_is_one_that_systemd_takes(folder: str, tmp_path: Path) -> None:
    """Whatever the data folder is called; systemd itself says so."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("there is no systemd-analyze here")
    data = tmp_path / folder
    text = plan.unit_text(plan.Wish(data=data, port=8123, lang="de"))
    unit = tmp_path / "referee.service"
    unit.write_text(text, encoding="utf-8")
    environ = os.environ | {"XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)}
    ran = subprocess.run(
        [analyze, "--user", "verify", str(unit)],
        env=environ,
        check=False,
        capture_output=True,
        text=True,
    )

    assert (ran.returncode, ran.stderr) == (0, "")
    assert text.count("ExecStart=") == 1


def test_a_hand_can_do_each_step(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    """What is printed reads back as the very words, quotes and spaces included."""
    assert run("install", "--hotspot", "Jo's saloon & bar", "--dry-run") == 0
    lines = capsys.readouterr().out.splitlines()
    begins = next(at for at, line in enumerate(lines) if "/dev/stdin" in line)
    ssid = next(line for line in lines[begins:] if line.startswith("  < ssid="))
    name = bytes(int(byte) for byte in ssid.partition("=")[2].rstrip(";").split(";")).decode()
    assert name == "Jo's saloon & bar"
    assert steps.shown(steps.Run(("a b", "c"))) == "$ 'a b' c"
    assert steps.shown(steps.Delete("/a b")) == "$ rm -f '/a b'"


@pytest.mark.parametrize("name", ["chromium", "firefox-esr"])
def test_a_browser_fills_the_screen(name: str) -> None:
    """Each in its own words, with the page last."""
    words = plan.kiosk_words(f"/usr/bin/{name}", "http://127.0.0.1:8000/")

    assert words[0].endswith(name)
    assert "--kiosk" in words
    assert words[-1] == "http://127.0.0.1:8000/"


def test_the_container_file_copies_what_there_is() -> None:
    """It runs as nobody special, with a volume, one port, a health check and our own command."""
    text = (ROOT / "docs" / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line and line[0] != "#"]
    said = {word: rest for word, rest in lines if word != "FROM"}
    copied = [rest.split()[:-1] for word, rest in lines if word == "COPY" and "--from" not in rest]

    assert all((ROOT / name).exists() for names in copied for name in names)
    for needed in ("referee", "templates", "static", "pyproject.toml", "hatch_build.py"):
        assert any(needed in names for names in copied)
    assert said["USER"] == "10001"
    assert (said["VOLUME"], said["EXPOSE"]) == ("/data", "8000")
    assert "/healthz" in said["HEALTHCHECK"]
    assert "REFEREE_DATA=/data" in said["ENV"]
    with pytest.raises(SystemExit) as ended:
        cli.main([*re.findall(r'"([^"]+)"', said["CMD"]), "--help"])
    assert ended.value.code == 0


NO_MANAGER = "THE SERVICE WAS NOT TRIED: no systemd, or no namespaces for a manager of its own"
IN_A_ROOM_OF_ITS_OWN = (
    *("unshare", "--mount", "--pid", "--fork", "--mount-proc", "sh", "-c"),
    'mount -t tmpfs none /run && mkdir -p /run/systemd/system && exec "$@"',
)
"""What systemd asks before it manages anything is whether this folder is there."""


def _may_be_tried() -> bool:
    tools = ("unshare", "systemctl", "mount")
    if sys.platform != "linux" or os.geteuid() != 0 or not all(map(shutil.which, tools)):
        return False
    tried = subprocess.run([*IN_A_ROOM_OF_ITS_OWN, "sh", "true"], check=False, capture_output=True)
    may_group = os.access("/sys/fs/cgroup", os.W_OK)
    return tried.returncode == 0 and may_group and Path(systemd.MANAGER).is_file()


@pytest.mark.server
def test_a_real_manager_starts_it_keeps_it_and_forgets_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Installed, killed, started with its manager, removed; only who lingers is left to a login."""
    if not _may_be_tried():
        pytest.skip(NO_MANAGER)
    monkeypatch.setenv("REFEREE_TRY", str(free_port()))
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    command = [*IN_A_ROOM_OF_ITS_OWN, "sh", sys.executable, "-m", "tests.systemd", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    for group in systemd.group():
        for each in sorted(group.rglob("*/"), key=lambda path: -len(path.parts)):
            if each.is_dir():
                each.rmdir()
        group.rmdir()
    if systemd.NONE_RUNS in done.stderr:
        pytest.skip(NO_MANAGER)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)

    assert seen["install"][0] == 0, seen["install"]
    assert "The referee runs, and will whenever this machine does." in seen["install"][1]
    for status in (seen["status"], seen["started anew"]):
        assert (status[0], "active" in status[1]) == (0, True), status
    assert seen["ended with its manager"]
    assert seen["remove"][0] == 0, seen["remove"]
    assert not seen["answers after that"]
    assert (seen["units left"], seen["evenings left"]) == ([], True)
    assert seen["linger"][:2] == ["enable-linger root", "disable-linger root"]
