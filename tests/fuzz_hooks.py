"""What schemathesis cannot know by itself: which version a table has, and what is allowed there.

Most of what it makes up would be turned away as old. Half of it is sent with the table's version of
now, and half of those actions are allowed ones, so that games go on under it.
"""

from __future__ import annotations

import json
import os
import random
import urllib.request
from typing import Any

import schemathesis

RANDOM = random.Random(8)


def _now(base: str) -> dict[str, Any]:
    request = urllib.request.Request(f"{base}/api/v1/tables/{os.environ['FUZZED']}")  # noqa: S310
    request.add_header("Authorization", f"Bearer {os.environ['KEY']}")
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  # the server's own
        found: dict[str, Any] = json.load(answer)
    return found


@schemathesis.hook
def before_call(_context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Make some of it fit the table."""
    body = case.body
    if not os.environ["FUZZED"] or not isinstance(body, dict) or RANDOM.random() < 1 / 2:
        return
    now = _now(kwargs.get("base_url") or case.operation.base_url)
    body = dict(body)
    if "version" in body:
        body["version"] = now["version"]
    if "action" in body and now["legal"] and RANDOM.random() < 1 / 2:
        body["action"] = RANDOM.choice(now["legal"])
    case.body = body
