"""The benchmarks' load client still speaks as the pages do, whatever it costs."""

from __future__ import annotations

import contextlib
import selectors
import socket

import pytest

from benchmarks import goals, harness
from benchmarks.scripts import SEATS, Move
from referee.games import GAMES
from tests.ports import free_port

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
        contextlib.closing(harness.Lane(port, selector, "lane 0", game)) as lane,
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


def test_a_version_split_between_two_reads_is_noticed() -> None:
    """A page's line ends a read wherever the system likes."""
    told = b"id: 7\nevent: ask\ndata: <p>\n\nid: 7\nevent: version\ndata: 17\n\n"
    for cut in range(1, len(told)):
        ours, theirs = socket.socketpair()
        with ours, theirs, selectors.DefaultSelector() as selector:
            lane = harness.Lane(0, selector, "lane 0", versions=[0])
            for part in (told[:cut], told[cut:]):
                theirs.sendall(part)
                lane.read(ours, 0)
            assert lane.versions == [17], cut


def test_an_action_that_an_idle_connection_loses_is_sent_again() -> None:
    """A server hangs up on who is silent, and may do so while the next action is on its way."""
    move = Move(0, {"type": "pass"}, 1, (2,))
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        selectors.DefaultSelector() as selector,
        contextlib.closing(
            harness.Lane(listener.getsockname()[1], selector, "lane 0", keys=["k"], moves=(move,))
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
