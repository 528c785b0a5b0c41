"""Addresses, and the machine that shows them."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest
from ifaddr import IP, Adapter

from referee import lan

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


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
