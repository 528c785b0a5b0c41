"""Which address phones are shown, and what becomes of them when cables and addresses change."""

from __future__ import annotations

import contextlib
import re
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.serving import until
from tests.table import APP

from .lab import CUT_S, HANGS_S, PORT, WIFI, Lab, Stream, Table, inside, ip, may_be_made, run

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(not may_be_made(), reason="network namespaces: need root and iproute2"),
]

NO_ANSWER = r"timed out|unreachable"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Lay one network without a way to the internet, with a referee that all tests share."""
    lab = Lab()
    try:
        lab.serve(tmp_path_factory.mktemp("network"))
        yield lab
    finally:
        lab.close()


def code_of(lab: Lab, table: str, wanted: str) -> tuple[str, str]:
    """Give where a table's QR code leads by its label, and what its display shows as text.

    The referee looks at its addresses now and then: it is waited for until that is `wanted`.
    """
    end = time.monotonic() + HANGS_S
    while True:
        status, svg = lab.get(f"/qr/{table}.svg")
        label = re.findall(r'aria-label="([^"]*)"', svg)[0] if status == 200 else ""
        if label == wanted or time.monotonic() > end:
            return label, lab.get(f"/t/{table}")[1]
        time.sleep(0.05)


def lists(lab: Lab, table: str, *wanted: str) -> str:
    """Give the lobby as the computer itself shows it, once it lists all these addresses.

    By then the referee has looked anew: before, nothing of theirs could have caught the code.
    """
    end = time.monotonic() + HANGS_S
    while True:
        page = lab.get(f"/t/{table}")[1]
        if all(f'value="{address}"' in page for address in wanted):
            return page
        assert time.monotonic() < end, "the addresses were never listed"
        time.sleep(0.05)


def test_without_a_way_out_the_wifi_address_is_shown_and_reached(lab: Lab) -> None:
    """No default route, no internet: the phone opens what the code says, and joins."""
    assert run("ip", "-n", lab.srv, "route", "show", "default") == ""
    table = Table(lab, is_started=False)
    here = f"http://{WIFI}:{PORT}/j/{table.code}"
    label, page = code_of(lab, table.code, here)

    assert label == here
    assert f"{WIFI}:{PORT}/j/{table.code}" in page
    assert lab.get(f"/J/{table.code}", at=WIFI, of=lab.ph)[0] == 200


def test_neither_vpn_nor_containers_catch_the_code(lab: Lab) -> None:
    """Even where the VPN takes all traffic; from the laptop's own network nothing changes."""
    table = Table(lab, is_started=False)
    fakes = {"tun0": "10.8.0.6", "wg0": "10.9.0.2"}
    fakes |= {"docker0": "172.17.0.1", "br-1a2b3c": "172.18.0.1"}
    for nic, address in fakes.items():
        lab.fake(nic, f"{address}/24")
    for half in ("0.0.0.0/1", "128.0.0.0/1"):
        ip(f"-n {lab.srv} route add {half} dev tun0")
    try:
        here = f"http://{WIFI}:{PORT}/j/{table.code}"
        page = lists(lab, table.code, *fakes.values())
        assert code_of(lab, table.code, here)[0] == here
        assert "10.8.0.6" not in page.partition('class="qr"')[2].partition("</p>")[0]
        assert lab.get(f"/j/{table.code}", at=WIFI, of=lab.ph)[0] == 200
    finally:
        for nic in fakes:
            ip(f"-n {lab.srv} link del {nic}")


def test_an_address_that_changes_is_shown_anew_in_mid_game(lab: Lab) -> None:
    """The open display gets the new code by itself, and a phone plays on with the key it has."""
    table = Table(lab)
    stream = _display_at_home(lab, table.code)
    ip(f"-n {lab.srv} addr flush dev wlan0")
    ip(f"-n {lab.srv} addr add 192.168.77.9/24 dev wlan0")
    try:
        _read_until(stream, "192.168.77.9")
        there = f"http://192.168.77.9:{PORT}/j/{table.code}"
        assert code_of(lab, table.code, there)[0] == there
        token = table.tokens[0]
        seen = lab.api(table.path, token=token, at="192.168.77.9", of=lab.ph)
        assert seen["you"]["seat"] == 0
    finally:
        stream.close()
        ip(f"-n {lab.srv} addr flush dev wlan0")
        ip(f"-n {lab.srv} addr add {WIFI}/24 dev wlan0")


def _display_at_home(lab: Lab, code: str) -> socket.socket:
    """Open the display's stream on the computer itself, which keeps its line whatever happens."""
    with inside(lab.srv):
        stream = socket.create_connection(("127.0.0.1", PORT), HANGS_S)
    stream.sendall(f"GET /t/{code}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    _read_until(stream, WIFI)
    return stream


def _read_until(stream: socket.socket, word: str) -> None:
    text, end = b"", time.monotonic() + HANGS_S
    while word.encode() not in text:
        assert time.monotonic() < end, f"{word} never came"
        part = stream.recv(65536)
        assert part
        text += part


def test_without_ipv4_no_code_is_shown_and_with_one_it_is_back(lab: Lab) -> None:
    """Better none than one that leads nowhere; the computer itself goes on meanwhile."""
    table = Table(lab, is_started=False)
    ip(f"-n {lab.srv} addr flush dev wlan0")
    ip(f"-n {lab.srv} addr add fd00:77::1/64 dev wlan0 nodad")
    try:
        label, page = code_of(lab, table.code, "")
        assert label == ""
        assert "This computer is on no network" in page
    finally:
        ip(f"-n {lab.srv} addr add {WIFI}/24 dev wlan0")
    here = f"http://{WIFI}:{PORT}/j/{table.code}"
    assert code_of(lab, table.code, here)[0] == here


def test_isolated_clients_are_told_apart_and_ipv6_alone_serves(lab: Lab, tmp_path: Path) -> None:
    """The computer is well, and says that no phone reached it; once one does, it says so no more.

    This one listens at IPv6 addresses, which its owner named.
    """
    ip(f"-n {lab.srv} addr replace fd00:77::1/64 dev wlan0 nodad")
    ip(f"-n {lab.ph} addr replace fd00:77::2/64 dev wlan0 nodad")
    url = "http://[fd00:77::1]:8001"
    lab.serve(tmp_path, "--host", "::", "--url", url, port=8001, lonely=0.0)
    opened = lab.api("/tables", {"game": "winchester", "options": APP}, port=8001)
    code = opened["table"]
    lonely = "No phone has reached this computer"

    with lab.isolated(), pytest.raises(OSError, match=NO_ANSWER):
        lab.get(f"/j/{code}", at="fd00:77::1", of=lab.ph, port=8001, patience=1.0)
    assert lonely in lab.get(f"/t/{code}", port=8001)[1]
    assert lab.get(f"/j/{code}", at="fd00:77::1", of=lab.ph, port=8001)[0] == 200
    assert lonely not in lab.get(f"/t/{code}", port=8001)[1]
    assert opened["url"] == f"{url}/j/{code}"


def test_a_cable_that_was_cut_loses_and_doubles_nothing(lab: Lab) -> None:
    """Display and phone hear of what happened meanwhile, and the bid sent into the cut is one."""
    table = Table(lab)
    table.draw()
    display = Stream(lab, f"/api/v1{table.path}/stream")
    phone = Stream(lab, f"/api/v1{table.path}/stream", table.tokens[0])
    for stream in (display, phone):
        stream.wait_for('"submitted":[]')
    version = table.see(0)["version"]
    bid = {"type": "submit_bid", "amount": 2000, "version": version, "id": "one"}
    line = table.line(patience=CUT_S)
    with lab.cut():
        table.act(1, type="submit_bid", amount=1000)
        table.tap(line, bid)
        with pytest.raises(TimeoutError):
            line.getresponse()
        waits = [int(found) for found in re.findall(r"rto:(\d+)", _lines_of(lab))]
        # What was sent on it may still arrive when the cable is back, after it was given up.
        line.close()
    for _ in range(2):
        again = table.line()
        table.tap(again, bid)
        assert again.getresponse().status in {204, 303}
        again.close()
    for stream in (display, phone):
        stream.wait_for('"submitted":[0,1]')
        stream.close()
    journal = lab.get(f"/api/v1{table.path}/journal")[1]
    assert len(re.findall(r'"kind":"action"', journal)) == 3
    # Whatever is lost is sent again within a second of the cable's return, where the kernel can.
    assert waits
    assert not _knows_rto() or max(waits) <= 1000


def _lines_of(lab: Lab) -> str:
    return run("ip", "netns", "exec", lab.srv, "ss", "-tin", "sport", "=", f":{PORT}")


def _knows_rto() -> bool:
    with socket.socket() as probe:
        try:
            probe.setsockopt(socket.IPPROTO_TCP, 44, 1000)
        except OSError:
            return False
    return sys.platform == "linux"


def test_a_guest_takes_only_its_share_of_connections(lab: Lab) -> None:
    """Seventy lines that say nothing: the later ones are closed, and everybody else is served.

    The computer's own program may have as many files open as it can.
    """
    table = Table(lab, is_started=False)
    with contextlib.ExitStack() as stack:
        held = []
        for _ in range(70):
            with inside(lab.ph):
                line = socket.create_connection((WIFI, PORT), HANGS_S)
            held.append(stack.enter_context(line))
        last = held[-1]
        assert last.recv(1) == b""
        assert lab.get(f"/t/{table.code}", at=WIFI)[0] == 200

    def is_served() -> bool:
        # Those that were hung up may still be counted when the next one comes.
        with contextlib.suppress(OSError):
            return lab.get(f"/j/{table.code}", at=WIFI, of=lab.ph)[0] == 200
        return False

    until(is_served, within_s=HANGS_S)
    limits = Path(f"/proc/{lab.programs[0].pid}/limits").read_text()
    (found,) = re.findall(r"Max open files +(\d+|unlimited)", limits)
    assert found == "unlimited" or int(found) >= 1024
