"""The benchmarks' load client still speaks as the pages do, whatever it costs."""

from __future__ import annotations

import selectors

import pytest

from benchmarks import harness

PATIENCE_S = 60


@pytest.mark.server
def test_the_load_client_plays_a_whole_game() -> None:
    """Every kind of action is taken, and all six pages see each."""
    with harness.server(core=None) as (port, _), selectors.DefaultSelector() as selector:
        lane = harness.Lane(port, selector, "lane 0")
        lane.open(0)
        kinds = {action["type"] for _, action in lane.actions}
        assert {"draw_plot", "bid", "pass", "activate", "look", "claim"} <= kinds
        while lane.act():
            while not lane.has_arrived():
                heard = selector.select(PATIENCE_S)
                assert heard, lane.actions[lane.at - 1]
                for key, _ in heard:
                    lane.read(key.fileobj, key.data[1])  # type: ignore[arg-type]  # a socket
        lane.close()

    assert lane.done == len(lane.actions)
