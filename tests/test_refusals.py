"""Refusals: pages and sentences in one's language, without the machine's insides."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from referee import profiles
from referee.errors import MalformedAction
from tests.table import (
    LANGUAGES,
    Evening,
    app_at,
    client_of,
)


def test_deep_and_long_nonsense_is_refused(app: Flask) -> None:
    """Three thousand brackets, five thousand digits: a sentence each, from pages and programs."""
    evening = Evening(app).start()
    deep = "[" * 3000 + "]" * 3000
    for raw in (deep, '{"a":' * 3000 + "1" + "}" * 3000, "9" * 5000):
        form = {"raw": raw, "version": "1", "id": "x"}
        assert evening.phones[0].post(evening.seat(0, "/act"), form).status_code < 500
        body = f'{{"version": 1, "id": "x", "action": {raw}}}'
        path = f"/api/v1/tables/{evening.code}/actions"
        token = evening.phones[0].key(evening.code, 0)
        answer = client_of(app).post(path, data=body, headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code < 500
    for text in ("a = " + "[" * 5000 + "]" * 5000, f"a = {'9' * 5000}"):
        with pytest.raises(MalformedAction):
            profiles.read(text, "winchester", "huch")


# Refusals


REFUSED = (
    ("get", "/t/ZZZZZ", None, 404),
    ("get", "/nothing/here", None, 404),
    ("post", "/tables", {"game": "chess"}, 400),
    ("post", "/look", {"lang": "xx"}, 400),
    ("post", "/look", {"lang": "x" * 70_000}, 413),
    ("delete", "/", None, 405),
    ("get", "/m/ZZZZZZZZ", None, 404),
)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("method", "path", "form", "status"), REFUSED)
def test_refusals_are_pages_in_ones_language(
    app: Flask, lang: str, method: str, path: str, form: dict[str, str] | None, status: int
) -> None:
    """With the right status, a sentence, a way back, and nothing of the machine's insides."""
    client = client_of(app)
    client.set_cookie("referee_tried", "1")
    answer = client.open(path, method=method, data=form, headers={"Accept-Language": lang})

    assert answer.status_code == status
    assert f'<html lang="{lang}"' in answer.text
    assert "Traceback" not in answer.text
    assert 'href="/"' in answer.text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_refusals_of_a_move_are_one_sentence(app: Flask, lang: str) -> None:
    """A script gets the sentence alone, with its status, so that the page can show it."""
    evening = Evening(app, lang=lang).start()
    version = {"version": evening.table.ledger.version(0)}
    phone = evening.phones[0]

    def said(form: dict[str, object], status: int) -> str:
        answer = phone.post(evening.seat(0, "/act"), form, **{"HX-Request": "true"})
        assert answer.status_code == status, answer.text
        assert "<" not in answer.text
        assert answer.text.strip()
        return answer.text.strip()

    phone.post(evening.seat(0, "/act"), {"type": "draw_plot"} | version)
    now = {"version": evening.table.ledger.version(0)}
    sentences = {
        said({"type": "pass"} | version, 409),
        said({"type": "bid", "amount": "9000"} | now, 422),
        said({"type": "bid", "amount": "500"} | now, 422),
        said({"type": "bid", "amount": "0"} | now, 422),
        said({"type": "bid", "amount": "many"} | now, 400),
        said({"type": "draw_plot"} | now, 422),
        said({"type": "pass", "version": "x"}, 400),
    }
    assert len(sentences) == 7


@pytest.mark.parametrize("fault", ["/boom", "/api/v1/boom"])
def test_a_bug_is_told_without_its_insides(tmp_path: Path, fault: str) -> None:
    """Status 500, a sentence or a problem, no traceback; the next request is served."""
    with app_at(tmp_path) as app:
        app.add_url_rule(fault, view_func=_boom)
        answer = app.test_client().get(fault)

        assert answer.status_code == 500
        assert "secret detail" not in answer.text
        assert app.test_client().get("/").status_code == 200


def _boom() -> str:
    raise ZeroDivisionError("secret detail")


@pytest.mark.parametrize("seat", ["x", "", "-1", "9" * 5000, "1.5"])
def test_numbers_that_are_none(app: Flask, seat: str) -> None:
    """A field that holds no number is refused, however long."""
    evening = Evening(app)
    for path in ("order", "remove", "release"):
        assert evening.laptop.post(f"/t/{evening.code}/{path}", {"seat": seat}).status_code == 400
    evening.start()
    for path in ("release", "act-for"):
        assert evening.laptop.post(f"/t/{evening.code}/{path}", {"seat": seat}).status_code == 400
    assert evening.laptop.post(f"/t/{evening.code}/request", {"number": seat}).status_code in {
        400,
        409,
    }
    wrong = {"what": "notes", "source": seat, "target": "bank", "amount": "1000"}
    assert evening.correct(wrong).status_code in {400, 422}
    owner = {"what": "owner", "plot": "1", "seat": seat or "x"}
    assert evening.correct(owner).status_code in {303, 400, 422}
    assert evening.phones[0].get(f"/s/{evening.code}/{seat}").status_code in {303, 404}
    secret = evening.phones[0].get(f"/j/{evening.code}/wait/{seat or 'x'}é")
    assert secret.status_code == 200
