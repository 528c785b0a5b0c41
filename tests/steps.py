"""What tests of any game's rules ask of a step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from referee.errors import RuleViolation
from referee.games.base import Step


def find(events: Iterable[Any], kind: type[Any]) -> list[Any]:
    """Give the events of a kind, in order."""
    return [event for event in events if isinstance(event, kind)]


def refusal(call: Callable[[], Step]) -> str:
    """Give the code with which the rules refuse."""
    with pytest.raises(RuleViolation) as caught:
        call()
    return caught.value.code
