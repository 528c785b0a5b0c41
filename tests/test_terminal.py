"""The start banner on every sort of stream, and the host's browser."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
import webbrowser
from pathlib import Path

import pytest

from referee import lan, terminal
from referee.saying import words

ROOT = Path(__file__).parent.parent
BASE = "http://192.168.1.50:8000"
HOME = lan.Address("192.168.1.50", "wlan0", "wifi")
CABLE = lan.Address("192.168.1.20", "eth0", "ethernet")
OTHERS = "If phones cannot open it, try another address of this computer:"
GLYPHS = set("█▀▄")


class Tty(io.StringIO):
    """A terminal that somebody looks at."""

    def isatty(self) -> bool:
        """Say yes."""
        return True


def said(
    base: str = BASE,
    code: str | None = "K7QX",
    *,
    stream: io.StringIO | None = None,
    addresses: tuple[lan.Address, ...] = (HOME, CABLE),
    lang: str = "en",
    where: lan.Environment = "plain",
) -> list[str]:
    """Print the banner and give its lines."""
    stream = stream or io.StringIO()
    terminal.banner(base, code, stream=stream, addresses=addresses, lang=lang, where=where)
    return stream.getvalue().splitlines()


def test_the_plain_link_is_the_first_line() -> None:
    """Whatever else fails to show, the address is there to be typed."""
    assert "http://192.168.1.50:8000/j/K7QX" == said()[0]


def test_other_addresses_lead_to_the_same_table() -> None:
    """A wrong guess is mended by eye, without a setting."""
    lines = said()
    assert "  http://192.168.1.20:8000/j/K7QX  eth0" in lines
    assert lines.index("  http://192.168.1.20:8000/j/K7QX  eth0") < lines.index(
        "Or scan this code:"
    )


def test_an_only_address_has_no_others() -> None:
    """Nothing is offered as another where there is none."""
    assert OTHERS not in said(addresses=(HOME,))


def test_a_named_base_stands_alone() -> None:
    """Who names a host has a reason, and the machine's own port may not be the one outside."""
    lines = said("https://games.example")
    assert "https://games.example/j/K7QX" == lines[0]
    assert OTHERS not in lines


def test_an_address_without_a_port_moves_without_one() -> None:
    """A link to the web's own port stays as short as it was."""
    assert "  http://192.168.1.20/j/K7QX  eth0" in said("http://192.168.1.50")


def test_the_code_follows_the_words() -> None:
    """The link is drawn last, as the compact form that scans best."""
    drawing = lan.qr_lines("HTTP://192.168.1.50:8000/J/K7QX")
    assert drawing == said()[-len(drawing) :]


def test_without_a_table_the_start_page_is_named_and_drawn() -> None:
    """Before a table exists the way in is the start page."""
    lines = said(code=None)
    drawing = lan.qr_lines("HTTP://192.168.1.50:8000")
    assert BASE == lines[0]
    assert drawing == lines[-len(drawing) :]


def test_a_terminal_is_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a bright theme bare blocks would be an inverted code, so the colours are set."""
    monkeypatch.setenv("TERM", "xterm-256color")
    last = said(stream=Tty())[-1]
    assert last.startswith(terminal.PAINT)
    assert last.endswith(terminal.PLAIN)


@pytest.mark.parametrize("term", ["dumb", None])
def test_a_dumb_terminal_is_not_painted(term: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that knows no colours gets no escape codes."""
    monkeypatch.delenv("TERM", raising=False)
    if term:
        monkeypatch.setenv("TERM", term)
    assert not [line for line in said(stream=Tty()) if "\x1b" in line]


@pytest.mark.parametrize(
    ("lang", "expected"),
    [("en", "en"), ("de", "de"), ("de_AT", "de"), ("fr-CH", "fr"), ("nl", "en"), ("", "en")],
)
def test_the_banner_speaks_the_hosts_language(lang: str, expected: str) -> None:
    """A region does not matter, and who speaks none of ours is told in English."""
    assert words(expected).gettext(terminal.JOIN) == said(lang=lang)[1]


@pytest.mark.parametrize(
    "base", ["http://127.0.0.1:8000", "http://localhost:8000", "http://0.0.0.0:8000"]
)
def test_without_a_network_no_code_is_drawn(base: str) -> None:
    """A phone that scans localhost opens itself, so the way to a network is told instead."""
    lines = said(base, addresses=())
    assert [f"{base}/j/K7QX", terminal.NOWHERE] == lines


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("wsl", terminal.IN_WSL),
        ("container", terminal.IN_CONTAINER),
        ("plain", terminal.JOIN),
    ],
)
def test_an_address_behind_a_bridge_is_not_drawn(where: lan.Environment, expected: str) -> None:
    """Phones cannot get into WSL or a container; an iPhone's hotspot looks alike and works."""
    bridged = lan.Address("172.17.0.2", "eth0", "ethernet")
    lines = said("http://172.17.0.2:8000", addresses=(bridged,), where=where)
    assert expected == lines[1]
    assert (where == "plain") is bool(GLYPHS & set("".join(lines)))


def test_a_named_host_wins_in_a_container() -> None:
    """With --url the outer address is known, and its code is drawn."""
    lines = said("http://192.168.1.9:8000", where="container")
    assert terminal.JOIN == lines[1]
    assert GLYPHS & set(lines[-1])


@pytest.mark.parametrize(
    ("expected", "encoding"),
    [(True, "utf-8"), (True, "cp437"), (False, "cp1252"), (False, "ascii"), (False, "latin-1")],
)
def test_a_code_is_drawn_where_its_blocks_exist(expected: bool, encoding: str) -> None:  # noqa: FBT001  # a column
    """The encoding decides; western Windows and plain ASCII lack the half blocks."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert expected is terminal.can_draw(stream)


def test_a_stream_without_encoding_holds_anything() -> None:
    """Text kept in memory is never encoded."""
    assert terminal.can_draw(io.StringIO())


def piped(encoding: str, lang: str) -> bytes:
    """Print the banner into a pipe from a process whose output is so encoded."""
    program = (
        "import sys; from referee import lan, terminal;"
        f"terminal.banner({BASE!r}, 'K7QX', stream=sys.stdout, lang={lang!r}, addresses=["
        f"lan.Address('192.168.1.50', 'WLAN', 'wifi'),"
        f"lan.Address('192.168.1.20', 'Łącze \\u2192', 'other')])"
    )
    # Not PYTHONUTF8, which would overrule the encoding.
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONUTF8"}
    return subprocess.run(
        [sys.executable, "-c", program],
        env=environ | {"PYTHONIOENCODING": encoding},
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout


@pytest.mark.parametrize("lang", ["en", "de", "fr"])
@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_a_pipe_that_cannot_hold_the_code_gets_the_link(encoding: str, lang: str) -> None:
    """The start on Windows never dies of a character: words are replaced, blocks left out."""
    lines = piped(encoding, lang).decode(encoding).splitlines()
    assert "http://192.168.1.50:8000/j/K7QX" == lines[0]
    assert 4 == len(lines)
    assert lines[3].startswith("  http://192.168.1.20:8000/j/K7QX  ")
    assert "?" in lines[3]


def test_a_pipe_that_can_hold_the_code_gets_it() -> None:
    """A log in UTF-8 shows the whole banner."""
    lines = piped("utf-8", "de").decode().splitlines()
    assert lan.qr_lines("HTTP://192.168.1.50:8000/J/K7QX") == lines[-17:]


class Window(webbrowser.BaseBrowser):
    """A browser with a window, that remembers what it was shown."""

    def __init__(self) -> None:
        super().__init__("window")
        self.shown: list[str] = []
        self.opened = threading.Event()

    def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:  # noqa: FBT001, FBT002  # the library's signature
        """Show the page."""
        self.shown.append(url)
        self.opened.set()
        return bool(new or autoraise)


@pytest.mark.parametrize(
    ("platform", "environ"),
    [
        ("linux", {"DISPLAY": ":0"}),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}),
        ("darwin", {}),
        ("win32", {}),
    ],
)
def test_the_page_opens_on_the_hosts_screen(platform: str, environ: dict[str, str]) -> None:
    """Where there is a desktop its browser shows the page."""
    window = Window()
    assert terminal.open_browser(BASE, platform=platform, environ=environ, find=lambda: window)
    assert window.opened.wait(30)
    assert [BASE] == window.shown


@pytest.mark.parametrize(
    ("platform", "environ"),
    [
        ("linux", {}),
        ("linux", {"DISPLAY": ""}),
        ("linux", {"DISPLAY": ":10", "SSH_CONNECTION": "10.0.0.2 5 10.0.0.3 22"}),
        ("darwin", {"SSH_CONNECTION": "10.0.0.2 5 10.0.0.3 22"}),
    ],
)
def test_no_browser_is_sought_without_a_screen(platform: str, environ: dict[str, str]) -> None:
    """A Pi in the cupboard, or a host far away by ssh, is left alone."""
    sought = threading.Event()

    def find() -> webbrowser.BaseBrowser:
        sought.set()
        return Window()

    assert not terminal.open_browser(BASE, platform=platform, environ=environ, find=find)
    assert not sought.is_set()


def run_out(name: str) -> None:
    """Wait until the threads of that name are done."""
    for thread in threading.enumerate():
        if thread.name == name:
            thread.join(30)


def test_a_text_browser_does_not_take_the_terminal(tmp_path: Path) -> None:
    """A browser that runs in the terminal would hide the banner and block the host."""
    trace = tmp_path / "ran"
    lynx = webbrowser.GenericBrowser(["touch", str(trace)])
    assert terminal.open_browser(BASE, platform="darwin", environ={}, find=lambda: lynx)
    run_out("browser")
    assert not trace.exists()


@pytest.mark.parametrize(
    "trouble", [webbrowser.Error("none"), OSError("gone"), ValueError("No closing quotation")]
)
@pytest.mark.filterwarnings("error")
def test_a_missing_browser_is_no_trouble(trouble: Exception) -> None:
    """The table can be played without a page on the host; nothing is raised in any thread."""

    def find() -> webbrowser.BaseBrowser:
        raise trouble

    assert terminal.open_browser(BASE, platform="darwin", environ={}, find=find)
    run_out("browser")


def test_a_slow_desktop_does_not_hold_the_start() -> None:
    """The search for a browser goes on in the background while the server starts."""
    release = threading.Event()
    window = Window()

    def find() -> webbrowser.BaseBrowser:
        release.wait(30)
        return window

    assert terminal.open_browser(BASE, platform="darwin", environ={}, find=find)
    assert not window.opened.is_set()
    release.set()
    assert window.opened.wait(30)
