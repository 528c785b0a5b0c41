"""Take the README's pictures from a real game: `python docs/screenshots.py`.

Seeded tables are played over the HTTP interface up to the wanted moments; Chromium does the rest.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP))

from benchmarks.harness import call, server  # noqa: E402  # the checkout is not a package here
from tests.browsers import ARGUMENTS, chromium  # noqa: E402

OUT = TOP / "docs" / "screenshots"
NAMES = ("Ann", "Ben", "Cleo", "Dan")
DISPLAY = {"width": 1600, "height": 900}
PHONE = {"width": 360, "height": 740}


class Table:
    """A seeded table, played by a cautious bot."""

    def __init__(self, port: int, game: str = "winchester", **options: str) -> None:
        self.port = port
        options = {"preset": "app", "board": "practice"} | options
        body = {"game": game, "seed": "readme 3", "options": options}
        made = call(port, "/api/v1/tables", body)
        self.code = made["table"]
        self.host = made["host_token"]
        path = f"/api/v1/tables/{self.code}/seats"
        self.tokens = [call(port, path, {"name": name})["token"] for name in NAMES]
        self.rng = random.Random(5)
        self.count = 0

    def start(self) -> None:
        """Begin the game."""
        call(self.port, f"/api/v1/tables/{self.code}/start", {}, self.host)

    def play_until(self, reached: Callable[[dict[str, Any]], bool]) -> None:
        """Act for everybody until the public view is as wanted, or the game is over."""
        while True:
            for token in self.tokens:
                seen = call(self.port, f"/api/v1/tables/{self.code}", token=token)
                if seen["status"] == "over" or reached(seen):
                    return
                if seen["legal"] and seen["you"]["index"] in seen["view"]["public"]["waiting_for"]:
                    self._act(token, seen)

    def _act(self, token: str, seen: dict[str, Any]) -> None:
        self.count += 1
        legal = seen["legal"]
        action = next((a for a in legal if a["type"] == "claim"), None)
        if action is None:
            action = self._chosen(legal)
        body = {"version": seen["version"], "id": str(self.count), "action": action}
        call(self.port, f"/api/v1/tables/{self.code}/actions", body, token)

    def _chosen(self, legal: list[dict[str, Any]]) -> dict[str, Any]:
        """Choose like people: real auctions are won by anybody, objectives are told late."""
        sales = [a for a in legal if a["type"] == "record_sale" and a["price"] <= 4000]
        places = [a for a in legal if a["type"] == "activate" and a["space"].count("-") == 1]
        tokens = [a for a in legal if a["type"] in {"confirm_sale", "draw_plot", "turn_card"}]
        rides = [a for a in legal if a["type"] in {"lay_card", "declare", "next", "place_discs"}]
        found = sales or places or tokens or [a for a in rides if not a.get("confirmed")]
        if found and found[0] != {"type": "draw_plot"}:
            return self.rng.choice(found)
        rest = [a for a in legal if a["type"] not in {"enter_secrets", "forget_secrets"}] or legal
        return self.rng.choice(rest[:3] if self.rng.random() < 0.7 else rest[-1:])


def main() -> None:
    """Take all pictures."""
    OUT.mkdir(exist_ok=True)
    with server() as (port, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        _lobby(browser, Table(port, auction="open"))
        _open_auction(browser, Table(port, auction="open"))
        _sealed_and_end(browser, Table(port, auction="sealed"))
        _boxed(browser, Table(port, auction="spoken", preset="boxed", board="owned"))
        _desperados(browser, Table(port, "desperados"))
        _moon_river(browser, Table(port, "moon_river", scenario="gold_rush"))
        browser.close()


def _page(browser: Browser, table: Table, size: dict[str, int], seat: int | None = None) -> Page:
    context = browser.new_context(viewport=size, locale="en")  # type: ignore[arg-type]
    name = f"referee_{table.port}_{table.code}_{'host' if seat is None else seat}"
    value = table.host if seat is None else table.tokens[seat]
    base = f"http://127.0.0.1:{table.port}"
    context.add_cookies([{"name": name, "value": value, "url": base}])
    page = context.new_page()
    path = f"/t/{table.code}" if seat is None else f"/s/{table.code}/{seat}"
    page.goto(base + path)
    page.wait_for_timeout(400)
    return page


def _shoot(page: Page, name: str) -> None:
    page.screenshot(path=OUT / f"{name}.png")


def _lobby(browser: Browser, table: Table) -> None:
    _shoot(_page(browser, table, DISPLAY), "lobby")


def _open_auction(browser: Browser, table: Table) -> None:
    table.start()
    table.play_until(_is_in_mid_auction)
    asked = call(table.port, f"/api/v1/tables/{table.code}")["view"]["public"]["waiting_for"][0]
    pages = [_page(browser, table, PHONE, seat) for seat in range(len(NAMES))]
    _shoot(_page(browser, table, DISPLAY), "display")
    _shoot(pages[asked], "phone-bid")
    _shoot(pages[(asked + 1) % len(NAMES)], "phone-wait")


def _is_in_mid_auction(seen: dict[str, Any]) -> bool:
    view = seen["view"]["public"]
    is_asked = seen["you"]["index"] in view["waiting_for"]
    bids = [action for action in seen["legal"] if action["type"] == "bid"]
    standing = view["auction"]["standing"] if view["auction"] else 0
    return view["turn"] >= 9 and is_asked and len(bids) >= 4 and standing >= 3000


def _has_two_bids_in(seen: dict[str, Any]) -> bool:
    view = seen["view"]["public"]
    auction = view["auction"]
    return view["turn"] >= 6 and auction is not None and len(auction["submitted"]) == 2


def _sealed_and_end(browser: Browser, table: Table) -> None:
    table.start()
    table.play_until(_has_two_bids_in)
    view = call(table.port, f"/api/v1/tables/{table.code}")["view"]["public"]
    _shoot(_page(browser, table, PHONE, view["waiting_for"][0]), "phone-sealed")
    table.play_until(lambda _: False)
    phone = _page(browser, table, PHONE, 1)
    phone.click("summary")
    _shoot(phone, "phone-result")
    display = _page(browser, table, DISPLAY)
    display.click("[data-all]")
    display.wait_for_timeout(300)
    _shoot(display, "ceremony")


def _boxed(browser: Browser, table: Table) -> None:
    table.start()
    table.play_until(lambda seen: seen["question"] is not None and _turn(seen) >= 8)
    _shoot(_page(browser, table, DISPLAY), "display-box")
    table.play_until(_is_to_record)
    star = call(table.port, f"/api/v1/tables/{table.code}")["view"]["public"]["star"]
    _shoot(_page(browser, table, PHONE, star), "phone-record")
    table.play_until(lambda seen: any(a["type"] == "confirm_sale" for a in seen["legal"]))
    buyer = call(table.port, f"/api/v1/tables/{table.code}")["view"]["public"]["waiting_for"][0]
    _shoot(_page(browser, table, PHONE, buyer), "phone-confirm")


def _desperados(browser: Browser, table: Table) -> None:
    table.start()
    table.play_until(lambda seen: _is_laying(seen) and seen["view"]["public"]["move"] == 3)
    _shoot(_page(browser, table, PHONE, 2), "desperados-phone")
    table.play_until(lambda seen: seen["view"]["public"]["examined"] == 3)
    display = _page(browser, table, DISPLAY)
    display.wait_for_timeout(4000)
    _shoot(display, "desperados-display")


def _moon_river(browser: Browser, table: Table) -> None:
    table.start()
    table.play_until(_is_to_lay_a_domino)
    seat = call(table.port, f"/api/v1/tables/{table.code}")["view"]["public"]["seat"]
    _shoot(_page(browser, table, DISPLAY), "moon-river-display")
    phone = _page(browser, table, PHONE, seat)
    phone.locator("#strip .mine .spot.begins").first.click()
    phone.wait_for_timeout(300)
    _shoot(phone, "moon-river-phone")


def _is_to_lay_a_domino(seen: dict[str, Any]) -> bool:
    public = seen["view"]["public"]
    return public["phase"] == "laying" and public["round"] >= 12  # much lies there


def _is_laying(seen: dict[str, Any]) -> bool:
    public = seen["view"]["public"]
    return public["phase"] == "laying" and public["turn"] == 2 and 2 in public["waiting_for"]


def _turn(seen: dict[str, Any]) -> int:
    return int(seen["view"]["public"]["turn"])


def _is_to_record(seen: dict[str, Any]) -> bool:
    return any(action["type"] == "record_nobody" for action in seen["legal"])


if __name__ == "__main__":
    main()
