"""Moon River on real screens: tiles told, dominoes laid and ranches painted by tapping."""

from __future__ import annotations

import re
import time
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from referee.games.moon_river.state import State
from tests.moon_river.ranches import CLARA

from .bench import NAMES, Api, Bench, fits, follow, form, jab, settled, shown, tap, touch
from .ranchers import first_of, jump, tapped
from .touching import Finger, middle

pytestmark = pytest.mark.browser

SMALLEST_TARGET = 24

POINTS_OF_CLARA = 89
AN_UNKNOWN_TILE, A_KNOWN_TILE, A_DOMINO = 4, 1, 4
"""Taps that these may take at most."""
MIDDLES = """([ranch, cells]) => cells.map((at) => {
  const spot = document.querySelector(`#strip [data-ranch="${ranch}"] .spot[data-at="${at}"]`);
  const box = spot.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})"""
LOOKS_ASIDE = "document.querySelector('#strip .strip').scrollLeft > 0"


class Taps:
    """Counts what a thumb does, and says so at the end."""

    def __init__(self) -> None:
        self.count = 0

    def on(self, place: Locator) -> None:
        """Touch something."""
        self.count += 1
        touch(place)

    def send(self, button: Locator) -> None:
        """Touch a button that sends a form."""
        self.count += 1
        tap(button.page, button)


def tool(page: Page, value: str) -> None:
    """Take up a tool: it sends nothing, so it may follow a stroke at once."""
    shown(page)
    jab(page.locator(f"#ask .tool:has(input[value='{value}'])"))


def paint(page: Page, ranch: int, cells: list[int]) -> None:
    """Draw a finger over cells in one stroke, and wait until it has arrived."""
    shown(page)
    # In one go: the ranch may be drawn anew between two questions about it.
    middles = page.evaluate(MIDDLES, [ranch, cells])
    with page.expect_response("**/act") as answer:
        page.mouse.move(*middles[0])
        page.mouse.down()
        for spot in middles[1:]:
            page.mouse.move(*spot, steps=2)
        page.mouse.up()
    assert answer.value.status == 204


def runs(cells: list[int]) -> list[list[int]]:
    """Cut cells into strokes that go from neighbour to neighbour along a row."""
    found: list[list[int]] = []
    for at in cells:
        if found and found[-1][-1] + 1 == at and at % 5:
            found[-1].append(at)
        else:
            found.append([at])
    return found


def paint_clara(page: Page, ranch: int) -> None:
    """Paint the rulebook's example: landscapes by dragging, symbols, cattle, her farmer."""
    wanted: dict[str, list[int]] = {}
    for at, cell in enumerate(CLARA):
        if cell is None:
            continue
        wanted.setdefault(f"land:{cell.tile.landscape}", []).append(at)
    for at, cell in enumerate(CLARA):
        if cell is None:
            continue
        tile = cell.tile
        for name, count in (("gold", tile.gold), ("beaver", tile.beaver), ("corn", tile.corn)):
            if count:
                wanted.setdefault(f"{name}:{count}", []).append(at)
        if cell.cattle:
            wanted.setdefault("cattle:1", []).append(at)
        if cell.partner:
            wanted.setdefault(f"partner:{cell.partner}", []).append(at)
    for value, cells in wanted.items():
        tool(page, value)
        for stroke in runs(cells):
            paint(page, ranch, stroke)


def test_somebody_alone_counts_the_score_in_two_taps(bench: Bench) -> None:
    """From the start page to Clara's 89, undo and redo, and the winner, on one phone."""
    phone = bench.phone("/")
    taps = Taps()
    with phone.expect_navigation():
        taps.on(phone.locator("form.alone button[value='2']"))
    assert taps.count <= 2
    fits(phone)
    paint_clara(phone, 0)
    total = phone.locator("#ranch-0 .total .sum")
    expect(total).to_have_text(str(POINTS_OF_CLARA))
    undo = phone.locator("#ranch-0 .brush button").first
    tap(phone, undo)
    expect(total).not_to_have_text(str(POINTS_OF_CLARA))
    tap(phone, phone.locator("#ranch-0 .brush button").nth(1))
    expect(total).to_have_text(str(POINTS_OF_CLARA))
    touch(phone.locator("#ranch-0 .total summary"))
    expect(phone.locator("#ranch-0 .sums")).to_contain_text("7×3=21")
    expect(phone.locator("#ranch-0 .sums")).to_contain_text("4×4=16")
    fits(phone)
    tap(phone, phone.locator("#ranch-0 form:has(input[value=hand_in]) button"))
    touch(phone.locator(".tabs a").nth(1))
    tool(phone, "land:forest")
    paint(phone, 1, [0, 1])
    tool(phone, "gold:1")
    paint(phone, 1, [0])
    expect(phone.locator("#ranch-1 .oddities")).to_contain_text("Gold on this landscape?")
    tap(phone, phone.locator("#ranch-1 form:has(input[value=hand_in]) button"))
    touch(phone.locator("#ask details.sure > summary"))
    follow(phone, phone.locator("#ask form:has(input[value=count_up]) button"))
    expect(phone.locator(".winner")).to_contain_text("A wins")


def go_on(api: Api, phones: list[Page]) -> tuple[str, int]:
    """Let whoever is asked tap the first thing that moves the game on; give what, and the taps."""
    seat = api.public()["waiting_for"][0]
    action = first_of(api.see(api.tokens[seat])["legal"])
    return action["type"], tapped(phones[seat], action)


def test_rounds_by_tapping_on_the_practice_set(bench: Bench) -> None:
    """A display and three phones: ranchers placed, dominoes laid, whatever they set off chosen.

    The third round and the fourth are tapped, in which all of that comes up.
    """
    api = bench.open(3, "moon_river", seed="four rounds", tracking="full")
    api.start()
    while (public := api.public())["round"] < 3:
        key = api.tokens[public["waiting_for"][0]]
        api.act(key, first_of(api.see(key)["legal"]))
    display = bench.screen(api)
    phones = [bench.seat(api, seat) for seat in range(3)]
    taps: Counter[str] = Counter()
    while api.public()["round"] < 5:
        kind, count = go_on(api, phones)
        taps[kind] = max(taps[kind], count)
    print(f"Taps at most: {dict(taps)}")  # noqa: T201  # for who reads
    assert {*taps} == {"place_rancher", "form_domino", "lay_domino", "hire"}
    assert taps["form_domino"] + taps["lay_domino"] <= A_DOMINO
    expect(settled(display).locator("#table .ranches figure")).to_have_count(3)
    expect(display.locator("#question")).to_contain_text("Round 5 of 24")
    fits(display, is_phone=False)
    for page in phones:
        fits(settled(page))


def is_the_last(state: State) -> bool:
    """Say whether the last round has begun."""
    return state.is_last_round and state.turn is not None


def test_the_last_round_by_tapping_and_the_count_of_it(bench: Bench) -> None:
    """Dominoes as long as any fits, a skull, circles, a theft; then the count, step by step."""
    api = jump(bench, 3, "last 156", is_the_last)
    display = bench.screen(api)
    phones = [bench.seat(api, seat) for seat in range(3)]
    expect(display.locator("#question")).to_contain_text("The last round")
    done: Counter[str] = Counter()
    scenes: set[str] = set()
    while api.see()["status"] == "playing":
        kind, count = go_on(api, phones)
        done[kind] += 1
        assert count <= A_DOMINO
        if api.see()["status"] == "playing":  # at the end the display is another page
            scenes.update(settled(display).locator("#moment h2").all_text_contents())
    print(f"Tapped in the last round: {dict(done)}")  # noqa: T201  # for who reads
    assert {"form_domino", "lay_domino", "hire", "remove_cattle", "rustle"} <= {*done}
    assert any("Cattle stolen!" in scene for scene in scenes)
    result = api.result()
    counted(display, result)
    for phone in phones:
        touch(phone.locator("details:has-text('Show my result') summary"))
        assert [int(text) for text in phone.locator("tfoot .num").all_inner_texts()] == [
            score["total"] for score in result["scores"]
        ]


def counted(display: Page, result: dict[str, Any]) -> None:
    """Go through the closing ceremony, and hold its end against the result."""
    root = display.locator("[data-ceremony]")
    for _ in range(int(root.get_attribute("data-ceremony") or 0)):
        touch(display.locator("[data-next]"))
    expect(display.locator("[data-next]")).to_be_hidden()
    totals = display.locator(".ranches .points:visible")
    for score, said in zip(result["scores"], totals.all_inner_texts(), strict=True):
        assert said.strip() == str(score["total"])
    winner = NAMES[result["winners"][0]]
    expect(display.locator(".winner:visible")).to_contain_text(f"{winner} wins")


def test_a_game_of_two_ends_with_a_bonus_tile(bench: Bench) -> None:
    """Wild West legends: the tenth row is reached in the very last turn, all of it tapped."""
    wild = {"boards": "wild_west", "scenario": "random"}
    api = jump(bench, 2, "bonus 185", is_the_last, **wild)
    display = bench.screen(api)
    phones = [bench.seat(api, seat) for seat in range(2)]
    done = set()
    while api.see()["status"] == "playing":
        kind, _ = go_on(api, phones)
        done.add(kind)
    assert {"lay_bonus", "hire", "rustle"} <= done
    counted(display, api.result())


def test_a_neighbour_countersigns_what_was_painted(bench: Bench) -> None:
    """One paints and hands in; the other goes on looking meanwhile, and says so on an own phone."""
    api = bench.open(2, "moon_river", tracking="score")
    api.start()
    painter, neighbour = (bench.seat(api, seat) for seat in range(2))
    touch(neighbour.locator(".tabs a").nth(1))
    neighbour.wait_for_function(LOOKS_ASIDE)
    tool(painter, "land:forest")
    paint(painter, 0, [0, 1])
    tap(painter, painter.locator("#ranch-0 form:has(input[value=hand_in]) button"))
    assert settled(neighbour).evaluate(LOOKS_ASIDE), "drawn anew where it was looked at"
    tap(neighbour, neighbour.locator("#ranch-0 form:has(input[value=countersign]) button"))
    expect(settled(painter).locator("#ranch-0 .total summary")).to_contain_text(NAMES[1])
    assert api.public()["ranches"][0]["signed_by"] == 1


@pytest.mark.parametrize("window", [(740, 360), (360, 740), (320, 640)], ids=str)
def test_ten_rows_are_painted_beside_what_paints_them(
    bench: Bench, window: tuple[int, int]
) -> None:
    """A finger hits each cell, and the first row and all landscapes are in the window."""
    api = bench.open(2, "moon_river", tracking="score")
    api.start()
    width, height = window
    page = settled(bench.seat(api, 0, viewport={"width": width, "height": height}))
    cell = page.locator("#cell-0-0").bounding_box()
    assert cell
    assert min(cell["width"], cell["height"]) >= SMALLEST_TARGET
    assert cell["y"] + cell["height"] < height
    land = page.locator(".tools.lands .tool").last.bounding_box()
    assert land
    assert land["y"] + land["height"] <= height


def test_a_finger_that_rests_while_it_paints_paints(bench: Bench) -> None:
    """Elsewhere a rest explains; a stroke may begin as slowly as it likes and is one."""
    api = bench.open(2, "moon_river", tracking="score")
    api.start()
    page = bench.seat(api, 0)
    tool(page, "land:forest")
    finger, down = Finger(page), time.time()
    with page.expect_response("**/act") as answered:
        finger.down(middle(settled(page).locator("#cell-0-0")), down)
        finger.up(down + 1)
    assert answered.value.status == 204
    settled(page)
    assert page.locator("dialog[open]").count() == 0
    assert api.public()["ranches"][0]["cells"][0]["tile"]["landscape"] == "forest"


def test_the_tool_in_hand_outlives_that_the_page_is_left(bench: Bench) -> None:
    """And what it painted; another seat in the same browser begins with its own."""
    api = bench.open(2, "moon_river", tracking="score")
    api.start()
    page = bench.seat(api, 0)
    tool(page, "land:forest")
    paint(page, 0, [0, 1])
    tool(page, "beaver:1")
    for again in (page.reload, lambda: page.goto(page.url)):
        again()
        expect(settled(page).locator("#ask .tool :checked")).to_have_value("beaver:1")
    paint(page, 0, [1])
    assert api.public()["ranches"][0]["cells"][1]["tile"]["beaver"] == 1
    bench.give(page.context, f"{api.code}_1", api.tokens[1])
    page.goto(f"{bench.base}/s/{api.code}/1")
    expect(settled(page).locator("#ask .tool :checked")).to_have_value("land:desert")


def test_a_tile_is_told_in_a_few_taps(bench: Bench) -> None:
    """Unknown in four taps at most, known in one: landscape and number are one tap together."""
    api = bench.open(3, "moon_river", preset="boxed", board="owned")
    api.start()
    while (public := api.public())["phase"] == "refilling":
        api.act(api.tokens[0], api.see(api.tokens[0])["legal"][0])
    assert public["phase"] == "turning_up"
    page, taps = bench.seat(api, 0), Taps()
    for number in range(4):
        taps.count = 0
        expect(page.locator("#ask")).to_contain_text(f"Tile {number + 1} of 4")
        teller = page.locator("#ask .teller")
        taps.on(teller.locator(f"input[value='{number + 1}:canyon']"))
        taps.on(teller.locator(".for-gold:visible").first)
        taps.on(teller.locator("label:has(input[name=skull])"))
        taps.send(teller.locator(".btn-primary"))
        print(f"A tile told in {taps.count} taps")  # noqa: T201  # for who reads
        assert taps.count <= AN_UNKNOWN_TILE
    expect(page.locator("#ask")).not_to_contain_text("of 4")
    told = api.public()["current"]
    assert [spot["tile"]["number"] for spot in told] == [1, 2, 3, 4]
    assert all(spot["tile"]["gold"] and spot["tile"]["skull"] for spot in told)


def test_a_known_tile_is_told_in_one_tap(bench: Bench) -> None:
    """Of a box whose tiles are all known every one is a picture to tap."""
    api = bench.open(3, "moon_river", preset="boxed", board="practice")
    api.start()
    while api.public()["phase"] == "refilling":
        api.act(api.tokens[0], api.see(api.tokens[0])["legal"][0])
    page, taps = bench.seat(api, 0), Taps()
    taps.send(page.locator("#ask .known button").first)
    expect(page.locator("#ask")).to_contain_text("Tile 2 of 4")
    print(f"A known tile told in {taps.count} tap")  # noqa: T201  # for who reads
    assert taps.count == A_KNOWN_TILE
    fits(page)


def test_a_table_that_tracks_only_turns(bench: Bench) -> None:
    """At `draft` a domino is one tap, and a display says who is next: here in the third round."""
    api = bench.open(3, "moon_river", preset="boxed", board="owned", tracking="draft")
    api.start()
    while (public := api.public())["round"] < 3:
        key = api.tokens[public["waiting_for"][0]]
        legal = api.see(key)["legal"]
        api.act(key, next((a for a in legal if a["type"] != "pass"), legal[0]))
    display = bench.screen(api)
    phones = [bench.seat(api, seat) for seat in range(3)]
    while (public := api.public())["round"] < 4:
        seat = public["waiting_for"][0]
        page = phones[seat]
        kind = "place_rancher" if public["phase"] in {"placing", "choosing"} else "report_domino"
        wanted = form(page, kind)
        if kind == "report_domino" and not any(
            a["type"] == kind for a in api.see(api.tokens[seat])["legal"]
        ):
            wanted = form(page, "pass")
        wanted.first.wait_for()
        tap(page, wanted.first.locator("button").first)
    expect(display.locator("#question")).to_contain_text(re.compile("Round 4 of 24"))
    fits(display, is_phone=False)


def test_folds_of_points_stay_as_they_were_left(bench: Bench) -> None:
    """One is opened by keys, and its total changes: it is still open, and still has the focus."""
    api = bench.open(2, "moon_river", seed="folds")
    api.start()
    page = settled(bench.seat(api, 0))
    fold = page.locator("#ranch-0 .total")
    fold.locator("summary").press("Enter")
    before = fold.locator(".sum").inner_text()
    while settled(page).locator("#ranch-0 .total .sum").inner_text() == before:
        (seat,) = api.public()["waiting_for"]
        api.act(api.tokens[seat], first_of(api.see(api.tokens[seat])["legal"]))
    expect(fold).to_have_attribute("open", "")
    expect(fold.locator("summary")).to_be_focused()
