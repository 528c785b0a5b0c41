"""The benchmarks' load client still speaks as the pages do, whatever it costs."""

from __future__ import annotations

import contextlib
import selectors
import socket
from collections import Counter

import pytest
from flask import Flask

from benchmarks import goals, harness, lanes
from benchmarks.scripts import SEATS, Move, script
from referee.games import GAMES
from tests.forms import Form, forms_of
from tests.ports import free_port
from tests.table import Evening

PATIENCE_S = 60
KINDS = {
    "winchester": {"draw_plot", "bid", "pass", "activate", "look", "claim"},
    "desperados": {"lay_card", "declare"},
    "moon_river": {"place_rancher", "form_domino", "lay_domino"},
}


@pytest.mark.server
def test_the_load_client_plays_a_whole_game_of_each() -> None:
    """Every kind of action is taken, and all pages that may notice each see it."""
    with harness.server(core=None, port=free_port()) as (port, _):
        for game in SEATS:
            play_a_whole_game(port, game)


def play_a_whole_game(port: int, game: str) -> None:
    """Play it at a table of a server."""
    with (
        selectors.DefaultSelector() as selector,
        contextlib.closing(lanes.Lane(port, selector, "lane 0", game)) as lane,
    ):
        lane.open(0)
        while lane.act():
            while not lane.has_arrived():
                heard = selector.select(PATIENCE_S)
                assert heard, (game, lane.moves[lane.at - 1])
                for key, _ in heard:
                    lane.read(key.fileobj, key.data[1])  # type: ignore[arg-type]  # a socket

    assert lane.done == len(lane.moves), game
    assert {move.action["type"] for move in lane.moves} >= KINDS[game], game


@pytest.mark.parametrize("game", GAMES)
def test_what_is_sent_is_what_the_pages_post(app: Flask, game: str) -> None:
    """Each action is a form of its seat's own page, filled in; two of each kind are looked at."""
    evening = Evening(app, game=game, seats=SEATS[game])
    evening.table.seed, evening.table.ledger.is_seeded = "lane 0 0", True
    evening.start()
    looked: Counter[str] = Counter()
    for number, move in enumerate(script(game, "lane 0 0").moves):
        phone, kind = evening.phones[move.seat], move.form["type"]
        looked[kind] += 1
        if looked[kind] <= 2:
            forms = forms_of(phone.get(evening.seat(move.seat)).text)
            assert any(gives(form, move.form) for form in forms), move
        version = evening.table.ledger.version(move.seat)
        fields = move.form | {"version": str(version), "id": str(number)}
        answer = phone.post(evening.seat(move.seat, "/act"), fields, **{"HX-Request": "true"})
        assert answer.status_code == 204, (move, answer.text)


def gives(form: Form, fields: dict[str, str]) -> bool:
    """Say whether a browser could send just these fields, and its version, from a form."""
    fixed = {name: {value} for name, value in form.fixed if name != "version"}
    offered: dict[str, set[str]] = {one.name: {*one.values} for one in form.choices}
    for name, value in filter(None, form.buttons):
        offered.setdefault(name, set()).add(value)
    # What is typed, such as an amount, is anything.
    could = fixed | offered | {name: {fields.get(name, "")} for name in form.typed}
    return fields.keys() == could.keys() and all(fields[name] in could[name] for name in fields)


def test_a_version_split_between_two_reads_is_noticed() -> None:
    """A page's line ends a read wherever the system likes."""
    told = b"id: 7\nevent: ask\ndata: <p>\n\nid: 7\nevent: version\ndata: 17\n\n"
    for cut in range(1, len(told)):
        ours, theirs = socket.socketpair()
        with ours, theirs, selectors.DefaultSelector() as selector:
            lane = lanes.Lane(0, selector, "lane 0", versions=[0])
            for part in (told[:cut], told[cut:]):
                theirs.sendall(part)
                lane.read(ours, 0)
            assert lane.versions == [17], cut


def test_an_action_that_an_idle_connection_loses_is_sent_again() -> None:
    """A server hangs up on who is silent, and may do so while the next action is on its way."""
    move = Move(0, {"type": "pass"}, {"type": "pass"}, 1, (2,))
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        selectors.DefaultSelector() as selector,
        contextlib.closing(
            lanes.Lane(listener.getsockname()[1], selector, "lane 0", keys=["k"], moves=(move,))
        ) as lane,
    ):
        assert lane.act()
        first, _ = listener.accept()
        sent = first.recv(4096)
        first.close()
        for key, _ in selector.select(PATIENCE_S):
            lane.read(key.fileobj, key.data[1])  # type: ignore[arg-type]  # a socket
        second, _ = listener.accept()
        with second:
            assert second.recv(4096) == sent


def test_every_game_is_measured() -> None:
    """None is left out because it is slow."""
    assert {*SEATS} == {*GAMES}


def test_a_goal_finds_its_figure_and_judges_it() -> None:
    """Less is better where it is said; what was not measured is not taken for reached."""
    memory = next(goal for goal in goals.GOALS if goal.name == "memory, 1 table")
    saturated = goals.GOALS[0]
    rows = [
        {"bench": "tables", "game": "winchester", "tables": 1, "load": "light", "server_pss_mb": 44}
    ]

    assert memory.figure(rows) == 44
    assert [memory.verdict(mb) for mb in (46, 44, 30)] == ["open", "reached", "dream"]
    assert [saturated.verdict(x) for x in (1.1, 1.3, 3)] == ["open", "reached", "dream"]
    assert saturated.verdict(saturated.figure(rows)) == "not measured"


def test_other_games_are_held_against_winchester() -> None:
    """In the same run, since machines differ and so do their days."""
    rows = [
        {"bench": "tables", "load": "saturated", "tables": 1, "game": game, "actions_per_s": speed}
        for game, speed in (("winchester", 200.0), ("moon_river", 50.0))
    ]

    assert "| moon_river: saturated, 1 tables / winchester | 0.25 x |" in goals.table(rows)
