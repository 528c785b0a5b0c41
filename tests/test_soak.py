"""A server that dies in the middle of three games, or whose disk is full: the short form."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.soak.__main__ import in_a_namespace, may_mount
from tests.soak.evening import Evening, Report, killed

pytestmark = pytest.mark.server


def test_no_accepted_action_is_lost_or_doubled_by_a_kill(tmp_path: Path) -> None:
    """All three games at once, killed at the first write, in backups and in play: same views."""
    evening = Evening(tmp_path, "short")
    try:
        evening.kill_at_the_first_write(1)
        evening.play(killed(evening, 2), to_the_end=False)
    finally:
        evening.close()

    assert evening.report.faults == []
    assert evening.report.kills == 3
    assert evening.report.actions >= 2


@pytest.mark.skipif(not may_mount(), reason="a disk that fills up: needs root and unshare")
def test_a_disk_that_fills_up_and_empties_loses_nothing() -> None:
    """On a small disk of its own: what is refused is tried again, what is accepted is there."""
    ran = in_a_namespace(["disk", "--fills", "3", "--short"])
    report = msgspec.json.decode(ran.stdout, type=Report)

    assert report.faults == []
    assert report.fills == 3
    assert report.actions >= 3
