"""`referee doctor` beside a running referee, and without one."""

from __future__ import annotations

import io
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from referee import doctor, lan
from referee.folder import Folder
from tests.ports import free_port

EVERYWHERE = "0.0.0.0"  # noqa: S104  # as a referee listens
WIFI = lan.Address("127.0.0.2", "wlan0", "wifi")
"""Linux answers at all of 127.0.0.0/8, so that this stands for a second way to this machine."""


class Healthy(BaseHTTPRequestHandler):
    """Answers as a referee that is well."""

    def do_GET(self) -> None:
        """Answer everything."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"status":"ok"}\n')

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@contextmanager
def running(folder: Path, host: str, shown: str = "") -> Iterator[int]:
    """Let something answer at a host, and say so in a folder as a referee does."""
    server = ThreadingHTTPServer((host, 0), Healthy)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    home = Folder(folder)
    port = server.server_address[1]
    home.announce(f"http://127.0.0.1:{port}/", shown=shown)
    try:
        yield port
    finally:
        home.release()
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(autouse=True)
def _one_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "candidates", lambda: [WIFI])
    # What does not answer here refuses at once: a busy machine is waited for.
    monkeypatch.setattr(doctor, "PATIENCE_S", 60.0)


def said(folder: Path, platform: str = "linux", *firewalls: str) -> tuple[int, str]:
    """Let the doctor speak."""
    out = io.StringIO()
    has = firewalls.__contains__
    code = doctor.examine(folder, free_port(), out, platform=platform, has=has)
    return code, out.getvalue()


def test_the_running_one_is_named_and_asked_over_all_its_addresses(tmp_path: Path) -> None:
    """What answers is printed as phones open it, also where --url names something."""
    with running(tmp_path, EVERYWHERE, "http://127.0.0.3:1") as port:
        code, text = said(tmp_path)

    assert code == 0
    assert f"Running    http://127.0.0.1:{port}/" in text
    assert f"Answers    http://127.0.0.2:{port}  wlan0 (wifi)" in text
    assert "Silent     --url" in text
    assert "127.0.0.3" not in text


def test_one_that_answers_here_alone_is_told_so(tmp_path: Path) -> None:
    """No address is printed at which nobody listens."""
    with running(tmp_path, "127.0.0.1"):
        code, text = said(tmp_path)

    assert code == 1
    assert "Silent     wlan0 (wifi)" in text
    assert "--host 127.0.0.1" in text
    assert WIFI.ip not in text


def test_without_one_no_address_is_printed(tmp_path: Path) -> None:
    """Also where one was killed and could not take its word back."""
    Folder(tmp_path).announce(f"http://127.0.0.1:{free_port()}/")
    code, text = said(tmp_path)

    assert code == 0
    assert "http://" not in text
    assert WIFI.ip not in text
    assert "no referee on this data" in text


def test_one_that_speaks_no_http_is_no_referee() -> None:
    """Whatever took the port since then, or is written in the file, nothing is raised."""
    with socket.create_server(("127.0.0.1", 0)) as other:

        def greet() -> None:
            with other.accept()[0] as caller:
                caller.recv(1000)
                caller.sendall(b"220 mail is here\r\n")

        thread = threading.Thread(target=greet, daemon=True)
        thread.start()
        assert not doctor.is_answered(f"http://127.0.0.1:{other.getsockname()[1]}/")
        thread.join()
    assert not doctor.is_answered("")
    assert not doctor.is_answered("http://127.0.0.1:port/")


def test_a_port_that_is_kept_for_root_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other lines are told all the same."""

    def kept(*_: object) -> int:
        raise PermissionError

    monkeypatch.setattr(lan, "free_port", kept)
    _, text = said(tmp_path)
    assert "no referee on this data" in text
    assert "This account may not open port" in text


@pytest.mark.parametrize(
    ("platform", "firewalls", "word"),
    [
        ("win32", (), "netsh advfirewall firewall add rule"),
        ("darwin", (), "incoming connections for Python"),
        ("linux", ("ufw",), "sudo ufw allow"),
        ("linux", ("firewall-cmd",), "sudo firewall-cmd --add-port="),
    ],
)
def test_what_to_try_is_the_platforms_own(
    tmp_path: Path, platform: str, firewalls: tuple[str, ...], word: str
) -> None:
    """With the port that is in use; guest networks and VPNs are named everywhere."""
    with running(tmp_path, EVERYWHERE) as port:
        _, text = said(tmp_path, platform, *firewalls)

    assert word in text
    assert str(port) in text
    for other in ("Guest networks", "VPN", "hotspot"):
        assert other in text


def test_no_network_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And is the exit code."""
    monkeypatch.setattr(lan, "candidates", list)

    code, text = said(tmp_path)

    assert code == 1
    assert "connect this machine to a network" in text
