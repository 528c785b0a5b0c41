"""The referee as a service: every step said, done in order, and undone; by stand-ins that note."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import cli, wifi
from referee.service import plan, steps
from referee.web.place import Place

ROOT = Path(__file__).parent.parent

STAND_IN = """#!/bin/sh
echo "$(basename "$0") $*" >> "{log}"
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

    def tools(self) -> None:
        """Put the stand-ins in place."""
        for name in ("systemctl", "loginctl", "nmcli", "sudo", "chromium"):
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
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """Give a machine with a desktop and a Wi-Fi device."""
    made = Machine(tmp_path)
    made.tools()
    monkeypatch.setenv("PATH", str(made.bin), prepend=os.pathsep)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(made.config))
    monkeypatch.setenv("REFEREE_DATA", str(made.data))
    monkeypatch.setattr("getpass.getuser", lambda: "pi")
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
            "nmcli connection add type wifi ifname wlan0 con-name referee-hotspot autoconnect yes "
            "ssid Saloon 802-11-wireless.mode ap 802-11-wireless.band bg ipv4.method shared "
            "ipv6.method disabled wifi-sec.key-mgmt wpa-psk wifi-sec.psk sundown99"
        ),
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
    line = next(x for x in capsys.readouterr().out.splitlines() if "ssid" in x)
    words = shlex.split(line.removeprefix("$ "))
    assert words[words.index("ssid") + 1] == "Jo's saloon & bar"
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
