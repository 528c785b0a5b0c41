"""Join links and Wi-Fi texts as QR codes: what a scanner reads, on a page and in a terminal."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from itertools import takewhile
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import lan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

JOIN = "HTTP://192.168.1.50:8000/J/K7QX"
NASTY_NAMES = ("foo;bar\\baz", '"q"', ":)", "a,b", "\\", ";;", "CAFE42", "Gasthof Bär")

needs_zbar = pytest.mark.skipif(
    shutil.which("zbarimg") is None,
    reason="NO QR CODE WAS READ BACK: zbarimg (zbar-tools) is not on the PATH",
)


def test_join_links_name_the_number_and_the_port() -> None:
    """People read small letters, the code holds capitals: the same place."""
    base = lan.base_url("192.168.1.50", 8000)
    assert "http://192.168.1.50:8000" == base
    assert "http://192.168.1.50:8000/j/K7QX" == lan.join_text(base, "K7QX")
    assert JOIN == lan.join_url(base, "K7QX")


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("http://games.lan:8000/", "HTTP://GAMES.LAN:8000/J/K7QX"),
        ("https://games.example", "HTTPS://GAMES.EXAMPLE/J/K7QX"),
        ("https://example.org/Tables/", "https://example.org/Tables/J/K7QX"),
    ],
)
def test_a_named_base_keeps_a_path_as_it_is(base: str, expected: str) -> None:
    """A proxy may tell capitals apart in its own path, so only a bare host is capitalised."""
    assert expected == lan.join_url(base, "K7QX")


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (1, "HTTP://10.0.0.2"),
        (2, JOIN),
        (2, "HTTP://192.168.100.150:65535/J/K7QX"),
        (3, "http://192.168.100.150:65535/j/K7QX"),
        (3, "https://games.example.org/Tables/J/K7QX"),
        (5, "http://192.168.100.150:65535/j/" + "k" * 43),
    ],
)
def test_join_codes_are_small_enough_for_the_sofa(expected: int, text: str) -> None:
    """Capitals fit version 2, and a long base still version 3 at the price of correction."""
    assert expected == lan.qr_version(text)


class Drawing(HTMLParser):
    """The elements of an inline SVG with their attributes, as a browser reads them."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the element down."""
        self.elements.append((tag, dict(attrs)))


def modules(svg: str) -> list[list[bool]]:
    """Fill the rectangles of the drawing's path into a square of modules; dark is True."""
    (_, root), _, (_, path) = Drawing(svg).elements
    size = int((root["viewbox"] or "").split()[2])
    square = [[False] * size for _ in range(size)]
    outline = path["d"] or ""
    runs = re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", outline)
    assert outline == "".join(f"M{x} {y}h{n}v1h-{n}z" for x, y, n in runs)
    for x, y, n in (map(int, run) for run in runs):
        square[y][x : x + n] = [True] * n
    return square


def terminal_modules(lines: list[str]) -> list[list[bool]]:
    """Take half blocks for modules: ink is light on a dark terminal."""
    dark = {"█": (False, False), "▀": (False, True), "▄": (True, False), " ": (True, True)}
    return [[dark[glyph][half] for glyph in line] for line in lines for half in (0, 1)]


def read_back(square: list[list[bool]], folder: Path) -> str:
    """Photograph the modules as a greymap, four pixels each, and scan it."""
    pixels = b"".join(
        b"".join((b"\x00" if dark else b"\xff") * 4 for dark in row) * 4 for row in square
    )
    picture = folder / "code.pgm"
    picture.write_bytes(b"P5 %d %d 255\n" % (4 * len(square[0]), 4 * len(square)) + pixels)
    # Binary, because zbar guesses at character sets and takes "ä" for Chinese.
    scan = subprocess.run(
        ["zbarimg", "--raw", "--quiet", "-Sbinary", picture],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return scan.stdout.removesuffix("\n")


@needs_zbar
@pytest.mark.parametrize("text", [JOIN, JOIN.lower(), *NASTY_NAMES])
def test_a_scanner_reads_what_was_drawn(text: str, tmp_path: Path) -> None:
    """The drawing for a page holds the text to the letter."""
    assert text == read_back(modules(lan.qr_svg(text, label="")), tmp_path)


@needs_zbar
def test_a_scanner_reads_the_terminal(tmp_path: Path) -> None:
    """The half blocks on a dark terminal hold the text to the letter."""
    assert JOIN == read_back(terminal_modules(lan.qr_lines(JOIN)), tmp_path)


def test_page_and_terminal_show_the_same_code() -> None:
    """Both are drawn from one matrix; the last half line of a terminal is blank."""
    drawn = modules(lan.qr_svg(JOIN, label=""))
    *shown, rest = terminal_modules(lan.qr_lines(JOIN))
    assert drawn == shown
    assert not any(rest)


def test_the_code_has_its_quiet_zone() -> None:
    """Four light modules all round, and the first dark one right behind them."""
    square = modules(lan.qr_svg(JOIN, label=""))
    assert 25 + 2 * 4 == len(square)
    for side in (square, square[::-1], list(zip(*square, strict=True))):
        blank = list(takewhile(lambda row: not any(row), side))
        assert 4 == len(blank)


def test_the_code_is_black_on_white_in_any_theme() -> None:
    """A white ground covers the whole drawing, and no colour comes from the page."""
    root, ground, path = Drawing(lan.qr_svg(JOIN, label="Join")).elements
    assert ("rect", {"width": "33", "height": "33", "fill": "#fff"}) == ground
    assert ("path", "#000") == (path[0], path[1]["fill"])
    assert {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewbox": "0 0 33 33",
        "role": "img",
        "aria-label": "Join",
        "shape-rendering": "crispEdges",
    } == root[1]


def test_a_label_cannot_leave_its_attribute() -> None:
    """A label with quotes and brackets is read out, not run."""
    label = '"><script>alert(1)</script>&'
    svg = lan.qr_svg(JOIN, label=label)
    assert label == Drawing(svg).elements[0][1]["aria-label"]
    assert "<script" not in svg


def fields(payload: str) -> dict[str, str]:
    """Read a Wi-Fi text as a phone does: a backslash makes the next character a plain one."""
    assert payload.startswith("WIFI:")
    assert payload.endswith(";;")
    return dict(parted(payload.removeprefix("WIFI:").removesuffix(";")))


def parted(body: str) -> Iterator[tuple[str, str]]:
    """Yield the fields of a Wi-Fi text, each closed by a semicolon of its own."""
    for field in re.findall(r"((?:\\.|[^\\;])*);", body, re.DOTALL):
        key, _, value = field.partition(":")
        assert not re.search(r'(?<!\\)(?:\\\\)*[,:"]', value)
        yield key, re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL)


@pytest.mark.parametrize("ssid", NASTY_NAMES)
def test_phones_read_the_name_that_was_meant(ssid: str) -> None:
    """A name with the format's own marks in it comes out whole."""
    expected = {"T": "WPA", "S": ssid, "P": ssid[::-1]}
    assert expected == fields(lan.wifi_payload(ssid, ssid[::-1]))


@needs_zbar
@pytest.mark.parametrize("ssid", NASTY_NAMES)
def test_a_camera_joins_the_network_that_was_meant(ssid: str, tmp_path: Path) -> None:
    """The same holds through a drawn code."""
    svg = lan.qr_svg(lan.wifi_payload(ssid, "dice;and\\cards"), label="")
    expected = {"T": "WPA", "S": ssid, "P": "dice;and\\cards"}
    assert expected == fields(read_back(modules(svg), tmp_path))


@given(ssid=st.text(min_size=1), password=st.text(min_size=1))
def test_any_name_and_password_come_out_whole(ssid: str, password: str) -> None:
    """What one side escapes the other gives back."""
    assert {"T": "WPA", "S": ssid, "P": password} == fields(lan.wifi_payload(ssid, password))


def test_an_open_network_asks_for_no_password() -> None:
    """No password means the type 'nopass' and no password field."""
    assert "WIFI:T:nopass;S:Tavern;;" == lan.wifi_payload("Tavern", "")


def test_a_hidden_network_says_so() -> None:
    """A phone must look for a hidden name by itself."""
    assert "WIFI:T:WPA;S:Tavern;P:secret;H:true;;" == lan.wifi_payload(
        "Tavern", "secret", hidden=True
    )
