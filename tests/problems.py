"""Problem documents, as refusals of the HTTP interface are."""

from __future__ import annotations

from werkzeug.test import TestResponse


def refusal(answer: TestResponse) -> tuple[int, str]:
    """Give a problem document's status and code, checking its shape."""
    assert answer.mimetype == "application/problem+json"
    assert answer.json["status"] == answer.status_code
    assert answer.json["type"] == "about:blank"
    assert answer.json["title"]
    return answer.status_code, answer.json["code"]
