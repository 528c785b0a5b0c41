"""A ranch by keyboard alone, and by what a screen reader says of it alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from referee.games.moon_river import rules
from referee.games.moon_river.actions import FormDomino
from referee.games.moon_river.model import Extending
from referee.games.moon_river.state import State

from .bench import NAMES, Api, Bench, form, settled
from .ranchers import jump
from .unseen import Reader, enter, press, reach

pytestmark = pytest.mark.browser

SOME_ROWS = 7
ANSWERS = r"^(Leave it at that|Lay nothing now|.* as a cowboy instead|.*row \d, column \d)$"


def can_join(state: State) -> bool:
    """Say whether somebody with cattle in a ranch may join two tiles."""
    if state.rows < SOME_ROWS or state.turn is None or not isinstance(state.phase, Extending):
        return False
    seat = state.turn.seat
    has_cattle = any(cell and cell.cattle for cell in state.ranches[seat].cells)
    legal = rules.legal_actions(state, seat)
    return has_cattle and any(isinstance(one, FormDomino) for one in legal)


def cells_of(api: Api, seat: int) -> list[dict[str, object] | None]:
    """Give what lies in a ranch."""
    found: list[dict[str, object] | None] = api.public()["ranches"][seat]["cells"]
    return found


def laid(before: list[object], after: list[object]) -> list[int]:
    """Give the cells on which something lies now."""
    return [n for n, (was, now) in enumerate(zip(before, after, strict=True)) if now and not was]


def on_cell(page: Page) -> str:
    """Give the name of the cell that has the focus."""
    return str(page.evaluate("document.activeElement.getAttribute('aria-label')"))


def finish_by_keys(page: Page, api: Api, seat: int) -> None:
    """Answer whatever a domino sets off, and place the rancher, with the keyboard."""
    while (public := api.public())["waiting_for"] == [seat] and public["phase"] != "choosing":
        settled(page)
        gone = form(page, "pass").or_(form(page, "decline"))
        press(page, (gone if gone.count() else page.locator("#ask form")).locator("button").last)
    press(page, form(page, "place_rancher").locator("button").first)


def test_a_turn_by_keyboard_alone(bench: Bench) -> None:
    """Join, choose a cell with the arrows, turn, lay, answer, place; then a cell is set right."""
    api = jump(bench, 3, "unseen 1", can_join)
    seat = api.public()["waiting_for"][0]
    before, page = cells_of(api, seat), bench.seat(api, seat)
    press(page, form(page, "form_domino").locator("button").first)

    spot = page.locator("#strip .mine .spot[tabindex='0']")
    expect(spot).to_have_count(1)
    reach(page, spot)
    assert on_cell(page).endswith("fits here")
    names = [on_cell(page)]
    for key in ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
        names.append(on_cell(page))
    assert names[0] == names[-1]
    assert len({*names}) == 4
    page.keyboard.press("Enter")
    said = page.locator("#ask [data-said]")
    expect(said).to_contain_text(re.compile(r"row \d, column \d, (to|away|towards)"))
    assert on_cell(page).endswith("it goes here")
    one_way = said.inner_text()
    reach(page, page.locator("#ask [data-rotate]"))
    page.keyboard.press("Enter")
    expect(said).not_to_have_text(one_way)
    press(page, form(page, "lay_domino").locator(".btn-primary"))
    assert len(laid(before, cells_of(api, seat))) == 2
    finish_by_keys(page, api, seat)
    assert api.public()["waiting_for"] != [seat]

    at = next(n for n, cell in enumerate(cells_of(api, seat)) if cell)
    enter(page, page.locator("header a.btn"))
    for words in ("The real table looks different", "A ranch looks different"):
        reach(page, page.locator("summary", has_text=words))
        page.keyboard.press("Enter")
    where = page.locator("form:has(input[value=cell]) select")
    reach(page, where.first)
    lies = f"{seat}-{at}-"
    while not where.first.input_value().startswith(lies):
        page.keyboard.press("ArrowDown")
    reach(page, page.locator("form:has(input[value=cell]) select[name=cattle]"))
    page.keyboard.press("3")
    enter(page, page.locator("form:has(input[value=cell]) button"))
    for other in range(3):
        if other != seat:
            own = bench.seat(api, other)
            press(own, own.locator("#notice button[value=yes]"), to="ask")
    assert cells_of(api, seat)[at]["cattle"] == 3  # type: ignore[index]  # it lies there


def test_a_turn_by_what_a_screen_reader_says_alone(bench: Bench) -> None:
    """Every cell says where it is, what lies on it and whether the domino fits there."""
    api = jump(bench, 3, "unseen 1", can_join)
    seat = api.public()["waiting_for"][0]
    before, page = cells_of(api, seat), bench.seat(api, seat)
    reader = Reader(page)
    assert f"{NAMES[seat]}'s ranch" in reader.names("group")
    for n, cell in enumerate(before):
        if cell is not None:
            says = f"row {n // 5 + 1}, column {n % 5 + 1}: {cell['tile']['landscape']}"  # type: ignore[index]  # a tile
            assert any(name.startswith(says) for name in reader.names("image")), says
    assert any("head of cattle" in name for name in reader.names("image"))

    reader.activate("button", r"^(desert|cornfield|buildings|canyon|prairie|forest).*, ", to="act")
    settled(page)
    cells = [name for name in reader.names("button") if name.startswith("row ")]
    assert {name.rsplit(", ", 1)[1] for name in cells} == {"fits here", "does not fit here"}
    where = reader.activate("button", r"^row \d, column \d: nothing, fits here$")
    place = where.split(":", maxsplit=1)[0]
    expect(page.get_by_role("status").filter(has_text=place)).to_have_count(1)
    assert any(name.startswith(f"{place}: nothing, it goes") for name in reader.names("button"))
    reader.activate("button", "^Turn it$")
    reader.activate("button", "^Lay it$", to="act")
    assert len(laid(before, cells_of(api, seat))) == 2
    while (public := api.public())["waiting_for"] == [seat] and public["phase"] != "choosing":
        answers = (
            "^(Leave it at that|Lay nothing now|.* as a cowboy instead|.*row \\d, column \\d)$"
        )
        reader.activate("button", answers, to="act")
    reader.activate("button", "(next to|second from|third from|fourth from) the box$", to="act")
    assert api.public()["waiting_for"] != [seat]


def dab(page: Page) -> None:
    """Paint the cell that has the focus, and wait until it is drawn."""
    settled(page)
    with page.expect_response("**/act") as answered:
        page.keyboard.press("Enter")
    assert answered.value.status == 204
    settled(page)


def test_a_ranch_is_painted_without_a_finger(bench: Bench) -> None:
    """At `score`: by keyboard one cell after the other, and by a screen reader's names."""
    api = bench.open(2, "moon_river", tracking="score")
    api.start()
    page = bench.seat(api, 0)
    spot = page.locator("#strip [data-ranch='0'] .spot[tabindex='0']")
    reach(page, spot)
    assert on_cell(page) == "row 1, column 1: nothing"
    dab(page)
    assert on_cell(page) == "row 1, column 1: desert"
    page.keyboard.press("ArrowRight")
    dab(page)
    assert on_cell(page) == "row 1, column 2: desert"
    reach(page, page.locator("#ask input[name=tool]:checked"))
    while page.evaluate("document.activeElement.value") != "gold:1":
        page.keyboard.press("ArrowRight")
    reach(page, spot)
    dab(page)
    assert on_cell(page) == "row 1, column 2: desert, 1 × gold"
    dab(page)
    assert on_cell(page) == "row 1, column 2: desert"

    reader = Reader(page)
    reader.activate("radio", "^1 head of cattle$")
    reader.activate("button", "^row 1, column 1: desert$", to="act")
    settled(page)
    assert "row 1, column 1: desert, 1 head of cattle" in reader.names("button")
    expect(page.locator("#ranch-0 .total .sum")).to_have_text("2")
    press(page, page.locator("#ranch-0 form:has(input[value=hand_in]) button"))
    assert api.public()["ranches"][0]["is_done"]
