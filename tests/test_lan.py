"""Addresses, join links, Wi-Fi texts, QR codes and ports."""

from __future__ import annotations

import errno
import re
import shutil
import socket
import subprocess
import sys
from html.parser import HTMLParser
from itertools import takewhile
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ifaddr import IP, Adapter

from referee import lan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

JOIN = "HTTP://192.168.1.50:8000/J/K7QX"
NASTY_NAMES = ("foo;bar\\baz", '"q"', ":)", "a,b", "\\", ";;", "CAFE42", "Gasthof Bär")

needs_zbar = pytest.mark.skipif(
    shutil.which("zbarimg") is None,
    reason="NO QR CODE WAS READ BACK: zbarimg (zbar-tools) is not on the PATH",
)


def nic(name: str, *ips: str) -> Adapter:
    """Build an interface as Linux and macOS report it, under one short name."""
    return Adapter(name, name, [IP(ip, 24, name) for ip in ips])


def device(description: str, connection: str, *ips: str) -> Adapter:
    """Build an interface as Windows reports it: a UUID, a device, a connection's name."""
    uuid = "{846EE342-7039-11DE-9D20-806E6F6E6963}"
    return Adapter(uuid, description, [IP(ip, 24, connection) for ip in ips])


LOOPBACK = nic("lo", "127.0.0.1")
DOCKER = nic("docker0", "172.17.0.1")
VPN = nic("tun0", "10.8.0.6")
INTEL = device("Intel(R) Wi-Fi 6 AX201 160MHz", "WLAN", "192.168.1.50")
REALTEK = device("Realtek PCIe GbE Family Controller", "Ethernet", "192.168.1.20")
HYPER_V = device("Hyper-V Virtual Ethernet Adapter", "vEthernet (WSL)", "172.28.80.1")

TABLES = {
    "vpn and docker first": (
        [LOOPBACK, VPN, DOCKER, nic("eth0", "192.168.1.20"), nic("wlan0", "192.168.1.50")],
        ["192.168.1.50", "192.168.1.20", "10.8.0.6", "172.17.0.1"],
    ),
    "vpn only": ([LOOPBACK, VPN], ["10.8.0.6"]),
    "docker before vpn, nothing else": ([DOCKER, VPN], ["10.8.0.6", "172.17.0.1"]),
    "nothing": ([], []),
    "loopback only": ([LOOPBACK], []),
    "self-assigned only": ([LOOPBACK, nic("eth0", "169.254.7.7")], []),
    "two on one interface keep their order": (
        [nic("wlan0", "192.168.1.50", "169.254.7.7", "192.168.0.9")],
        ["192.168.1.50", "192.168.0.9"],
    ),
    "a pi's hotspot beside its cable": (
        [LOOPBACK, nic("eth0", "192.168.1.20"), nic("wlan0", "10.42.0.1")],
        ["10.42.0.1", "192.168.1.20"],
    ),
    "a home address before a public one": (
        [nic("wlp2s0", "141.20.1.7"), nic("enp3s0", "10.1.2.3")],
        ["10.1.2.3", "141.20.1.7"],
    ),
    "a public address on wi-fi before a vpn": (
        [VPN, nic("wlp2s0", "141.20.1.7")],
        ["141.20.1.7", "10.8.0.6"],
    ),
    "tailscale, zerotier, wireguard and bridges": (
        [
            nic("tailscale0", "100.101.102.103"),
            nic("ztabcdef12", "192.168.191.4"),
            nic("wg0", "10.6.0.2"),
            nic("br-0123456789ab", "172.18.0.1"),
            nic("virbr0", "192.168.122.1"),
            nic("vmnet8", "192.168.56.1"),
            nic("usb0", "192.168.42.129"),
        ],
        [
            *("192.168.42.129", "192.168.191.4", "10.6.0.2", "192.168.122.1", "192.168.56.1"),
            *("172.18.0.1", "100.101.102.103"),
        ],
    ),
    "an iphone's hotspot is not a container": (
        [nic("en0", "172.20.10.2"), nic("bridge100", "192.168.64.1")],
        ["172.20.10.2", "192.168.64.1"],
    ),
    "mac": (
        [nic("lo0", "127.0.0.1"), nic("utun3", "10.9.0.2"), nic("en0", "192.168.1.50")],
        ["192.168.1.50", "10.9.0.2"],
    ),
    "windows": ([HYPER_V, REALTEK, INTEL], ["192.168.1.50", "192.168.1.20", "172.28.80.1"]),
    "windows with vpn and virtualbox": (
        [
            device("TAP-Windows Adapter V9", "Ethernet 2", "10.8.0.6"),
            device("VirtualBox Host-Only Ethernet Adapter", "Ethernet 3", "192.168.56.1"),
            REALTEK,
        ],
        ["192.168.1.20", "10.8.0.6", "192.168.56.1"],
    ),
    "windows' own hotspot is wi-fi": (
        [
            REALTEK,
            device("Microsoft Wi-Fi Direct Virtual Adapter", "LAN-Verbindung* 2", "192.168.137.1"),
        ],
        ["192.168.137.1", "192.168.1.20"],
    ),
    "windows with an outer switch before the inner one": (
        [HYPER_V, device("Hyper-V Virtual Ethernet Adapter #2", "vEthernet (LAN)", "192.168.1.9")],
        ["192.168.1.9", "172.28.80.1"],
    ),
}


@pytest.mark.parametrize(("adapters", "expected"), TABLES.values(), ids=TABLES.keys())
def test_the_address_for_phones_comes_first(
    adapters: Sequence[Adapter], expected: list[str]
) -> None:
    """Real networks come before tunnels, bridges and machines in machines, which stay listed."""
    assert expected == [address.ip for address in lan.candidates(adapters)]


@pytest.mark.parametrize(
    ("adapter", "expected"),
    [
        (nic("wlan0", "10.0.0.2"), lan.Address("10.0.0.2", "wlan0", "wifi")),
        (nic("end0", "10.0.0.2"), lan.Address("10.0.0.2", "end0", "ethernet")),
        (nic("bridge100", "10.0.0.2"), lan.Address("10.0.0.2", "bridge100", "other")),
        (nic("veth12", "10.0.0.2"), lan.Address("10.0.0.2", "veth12", "virtual")),
        (INTEL, lan.Address("192.168.1.50", "WLAN", "wifi")),
        (REALTEK, lan.Address("192.168.1.20", "Ethernet", "ethernet")),
        (HYPER_V, lan.Address("172.28.80.1", "vEthernet (WSL)", "virtual")),
    ],
)
def test_an_address_goes_by_the_name_its_owner_knows(
    adapter: Adapter, expected: lan.Address
) -> None:
    """The picker shows the connection's name, on Windows not the device's UUID."""
    assert [expected] == lan.candidates([adapter])


def test_only_ipv4_is_offered() -> None:
    """An address of version 6 does not fit a small code and is left out."""
    adapter = Adapter("wlan0", "wlan0", [IP(("fe80::1", 0, 3), 64, "wlan0")])
    assert [] == lan.candidates([adapter])


def test_this_machine_lists_no_loopback() -> None:
    """The real interfaces are read when none are given."""
    assert not [address for address in lan.candidates() if address.ip.startswith("127.")]


def test_a_system_that_hides_its_interfaces_has_no_candidates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The start-up goes on without a join code when the system refuses the list."""

    def refuse() -> list[Adapter]:
        raise PermissionError(errno.EACCES, "no")

    monkeypatch.setattr("ifaddr.get_adapters", refuse)
    assert [] == lan.candidates()


HOME = lan.Address("192.168.1.50", "wlan0", "wifi")
CABLE = lan.Address("192.168.1.20", "eth0", "ethernet")


def watch_over(*readings: list[lan.Address]) -> lan.Watch:
    """Build a watch that sees one reading after the other."""
    return lan.Watch(iter(readings).__next__)


def test_a_watch_reads_at_most_every_five_seconds() -> None:
    """Many pages ask at once, and interfaces are slow to list."""
    watch = watch_over([HOME], [CABLE])
    seen = [watch.addresses(now) for now in (0.0, 0.1, 4.9, 5.0, 9.9)]
    assert [[HOME], [HOME], [HOME], [CABLE], [CABLE]] == seen


def test_a_watch_has_a_clock_of_its_own() -> None:
    """Without a time given it goes by the monotonic clock."""
    watch = watch_over([HOME])
    assert [[HOME], [HOME]] == [watch.addresses(), watch.addresses()]


def test_the_best_address_is_shown_until_one_is_chosen() -> None:
    """A choice holds although a likelier address exists, and can be taken back."""
    watch = watch_over([HOME, CABLE])
    shown = [watch.shown(0.0)]
    for choice in (CABLE.ip, None):
        watch.choose(choice)
        shown.append(watch.shown(0.0))
    assert [HOME, CABLE, HOME] == shown


def test_a_chosen_address_that_vanishes_gives_way_and_comes_back() -> None:
    """The join code never shows an address that is gone; Wi-Fi that returns is shown again."""
    watch = watch_over([HOME, CABLE], [HOME], [], [HOME, CABLE])
    watch.choose(CABLE.ip)
    assert [CABLE, HOME, None, CABLE] == [watch.shown(now) for now in (0.0, 5.0, 10.0, 15.0)]


def test_the_list_of_a_watch_is_the_callers_own() -> None:
    """Whoever sorts or empties the answer changes nothing for the next."""
    watch = watch_over([HOME])
    watch.addresses(0.0).clear()
    assert [HOME] == watch.addresses(1.0)


def test_a_server_at_one_address_is_shown_at_that_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """What listens everywhere, or on the machine alone, is shown as it always was."""
    both = [
        lan.Address("192.168.1.50", "wlan0", "wifi"),
        lan.Address("10.0.0.5", "eth0", "ethernet"),
    ]
    monkeypatch.setattr(lan, "candidates", lambda: both)

    assert [both[1]] == lan.reached("10.0.0.5")
    assert both == lan.reached("0.0.0.0") == lan.reached("127.0.0.1")  # noqa: S104  # only asked
    assert "http://127.0.0.1:8000" == lan.own_url("0.0.0.0", 8000) == lan.own_url("::", 8000)  # noqa: S104
    assert "http://10.0.0.5:8000" == lan.own_url("10.0.0.5", 8000)
    assert "http://[fd00::1]:8000" == lan.own_url("fd00::1", 8000)


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


@pytest.mark.parametrize(
    ("expected", "files"),
    [
        ("plain", {}),
        ("plain", {"proc/version": "Linux version 6.12.25+rpt-rpi-v8 (serge@raspberrypi.com)"}),
        ("wsl", {"proc/version": "Linux version 5.15.167.4-microsoft-standard-WSL2"}),
        ("wsl", {"proc/version": "Linux version 4.4.0-19041-Microsoft"}),
        ("container", {".dockerenv": ""}),
        ("container", {"run/.containerenv": ""}),
        ("container", {".dockerenv": "", "proc/version": "5.15.167.4-microsoft-standard-WSL2"}),
    ],
)
def test_machines_in_machines_are_recognised(
    expected: str, files: dict[str, str], tmp_path: Path
) -> None:
    """The kernel's name gives WSL away, a mark in the file system the container."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert expected == lan.environment(tmp_path)


@pytest.mark.parametrize(
    ("expected", "ip"),
    [
        (False, "172.15.255.255"),
        (True, "172.16.0.0"),
        (True, "172.17.0.2"),
        (True, "172.31.255.255"),
        (False, "172.32.0.0"),
        (False, "192.168.1.50"),
        (False, "10.0.0.2"),
    ],
)
def test_bridges_lie_in_172_16_to_31(expected: bool, ip: str) -> None:  # noqa: FBT001  # a column
    """Only the block that containers and WSL draw from counts."""
    assert expected is lan.is_bridge(ip)


@pytest.fixture
def taken() -> Iterator[int]:
    """Give a port on which another server answers, on loopback only."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1", "localhost"])  # noqa: S104  # the default
def test_a_taken_port_gives_way_to_the_next(host: str, taken: int) -> None:
    """A neighbour on loopback counts too, and the port found can be had."""
    found = lan.free_port(host, taken)
    assert taken < found <= taken + 49
    with socket.create_server((host, found)):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux owns all of 127.0.0.0/8")
def test_a_neighbour_on_loopback_counts_where_both_could_bind(taken: int) -> None:
    """The host's own browser would reach the neighbour, so the port is not ours."""
    assert taken != lan.free_port("127.0.0.2", taken)


def test_a_port_taken_elsewhere_gives_way_too() -> None:
    """A socket that is bound but does not listen yet holds its port as well."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        assert port != lan.free_port("127.0.0.1", port)


def test_a_free_port_is_taken_as_wanted() -> None:
    """Nobody is moved without need, also right after another server closed there."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            server.accept()[0].close()
    assert port == lan.free_port("127.0.0.1", port)


def test_no_free_port_is_said_plainly(taken: int) -> None:
    """The error names the ports that were tried."""
    with pytest.raises(OSError, match=f"no free port from {taken} to {taken} on 127.0.0.1"):
        lan.free_port("127.0.0.1", taken, tries=1)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no ports for root")
def test_a_port_that_is_kept_for_root_is_no_taken_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said at once; above 1023 others may hold a port in the same words."""
    monkeypatch.setattr(lan, "_is_answered", lambda _port: False)
    monkeypatch.setattr(lan, "_bind_error", lambda *_: errno.EACCES)
    with pytest.raises(PermissionError, match="port 80 is kept for root"):
        lan.free_port("127.0.0.1", 80)
    with pytest.raises(OSError, match="no free port from 1024 to 1073"):
        lan.free_port("127.0.0.1", 1024)


def test_there_is_no_port_past_the_last() -> None:
    """The search ends at 65535 instead of asking for what cannot be."""
    with pytest.raises(OSError, match="no free port from 65536 to 65535"):
        lan.free_port("127.0.0.1", 65536)


def test_a_host_that_is_not_ours_is_no_matter_of_ports() -> None:
    """An address of another machine is an error at once, not fifty refusals."""
    with pytest.raises(OSError) as refusal:  # noqa: PT011  # systems word it differently
        lan.free_port("203.0.113.7", 8000)
    assert errno.EADDRNOTAVAIL == refusal.value.errno
