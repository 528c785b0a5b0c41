"""The description of the HTTP interface agrees with the interface."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from referee.games import GAMES
from referee.web.openapi import document
from tests.table import Sitting, client_of

KINDS = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


def walk(node: Any) -> Iterator[dict[str, Any]]:
    """Give every object in the document."""
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from walk(value)
    elif isinstance(node, list):
        for value in node:
            yield from walk(value)


def resolve(ref: str) -> Any:
    """Follow a reference."""
    node: Any = document()
    for part in ref.removeprefix("#/").split("/"):
        node = node[part]
    return node


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Say whether a value is what a schema describes: the part of JSON Schema that we use."""
    if "$ref" in schema:
        return fits(value, resolve(schema["$ref"]))
    if "anyOf" in schema:
        return any(fits(value, one) for one in schema["anyOf"])
    if "enum" in schema and value not in schema["enum"]:
        return False
    if "const" in schema and value != schema["const"]:
        return False
    kinds = schema.get("type", [*KINDS])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if not any(isinstance(value, KINDS[kind]) for kind in kinds):  # type: ignore[arg-type]
        return False
    if isinstance(value, bool) and "boolean" not in kinds:
        return False
    if isinstance(value, list):
        return all(fits(one, schema.get("items", {})) for one in value if schema.get("items", {}))
    if isinstance(value, dict):
        known, rest = schema.get("properties", {}), schema.get("additionalProperties", {})
        return {*schema.get("required", ())} <= {*value} and all(
            fits(one, known[name]) if name in known else rest is not False and fits(one, rest or {})
            for name, one in value.items()
        )
    return True


def answer(path: str, method: str = "get") -> dict[str, Any]:
    """Give the schema of a route's good answer."""
    responses = document()["paths"][path][method]["responses"]
    (good,) = [content for status, content in responses.items() if status != "default"]
    (kind,) = good["content"].values()
    schema: dict[str, Any] = kind["schema"]
    return schema


def test_the_document_is_served(app: Flask) -> None:
    """As it is made."""
    served = client_of(app).get("/api/v1/openapi.json").json

    assert served["openapi"] == "3.1.0"
    assert served["paths"].keys() == document()["paths"].keys()
    assert {"info", "paths", "components"} <= {*served}
    assert served["info"]["title"]
    assert served["info"]["version"]


def test_the_document_in_the_repository_is_the_interfaces() -> None:
    """`make openapi` writes it."""
    kept = json.loads((Path(__file__).parent.parent / "docs/openapi.json").read_text("utf-8"))

    assert kept == json.loads(json.dumps(document()))


@pytest.mark.parametrize(
    ("schema", "body", "is_good"),
    [
        ("NewTable", {"game": "winchester"}, True),
        ("NewTable", {"game": "chess"}, False),
        ("NewTable", {"game": "winchester", "lang": "xx"}, False),
        ("NewSeat", {"name": "Ann", "color": "pink"}, False),
        ("NewAction", {"version": 1, "id": "a", "action": "pass"}, False),
        ("NewAction", {"version": 1, "id": "a", "action": {"type": "pass"}}, True),
        ("NewAction", {"version": 1, "id": "a", "action": {}}, False),
    ],
)
def test_what_is_refused_is_not_described_as_good(
    app: Flask, schema: str, body: dict[str, Any], *, is_good: bool
) -> None:
    """And what is described as good is accepted, where the game is there for it."""
    assert fits(body, resolve(f"#/components/schemas/{schema}")) == is_good
    if is_good:
        return
    sitting = Sitting(app).start()
    path = {"NewTable": "", "NewSeat": "/seats", "NewAction": "/actions"}[schema]
    answer = (
        sitting.post(path, body, sitting.tokens[0])
        if path
        else client_of(app).post("/api/v1/tables", json=body)
    )
    assert 400 <= answer.status_code < 500


def test_every_route_is_described_and_the_other_way_round(app: Flask) -> None:
    """Paths, methods and parameters are those of the app."""
    routes = {
        (re.sub(r"<[^>]+>", "{table}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or ())
        if rule.rule.startswith("/api/") and method in {"GET", "POST", "PUT", "DELETE", "PATCH"}
    }
    described = {(path, method) for path, ways in document()["paths"].items() for method in ways}

    assert described - {("/healthz", "get")} == routes
    for path, ways in document()["paths"].items():
        for operation in ways.values():
            named = {p["name"] for p in operation.get("parameters", ()) if p["in"] == "path"}
            assert named == {*re.findall(r"{(\w+)}", path)}
            assert all(p["required"] for p in operation.get("parameters", ()) if p["in"] == "path")


def test_every_operation_is_complete() -> None:
    """An id of its own, a summary, a good answer, and the problem document for all others."""
    ids = []
    for ways in document()["paths"].values():
        for operation in ways.values():
            ids.append(operation["operationId"])
            assert operation["summary"]
            assert "application/problem+json" in operation["responses"]["default"]["content"]
            assert any(status.startswith("2") for status in operation["responses"])
            for scheme in operation.get("security", ()):
                assert {*scheme} <= {*document()["components"]["securitySchemes"]}

    assert len({*ids}) == len(ids)


def test_every_reference_resolves() -> None:
    """Also those of discriminators."""
    refs = [node["$ref"] for node in walk(document()) if isinstance(node.get("$ref"), str)]
    for node in walk(document()):
        mapping = node.get("mapping", {})
        refs += [ref for ref in mapping.values() if isinstance(ref, str)] if mapping else []

    assert len(refs) > 30
    for ref in refs:
        assert isinstance(resolve(ref), dict)


def test_every_schema_is_used() -> None:
    """Nothing is left over from a former interface, save what games offer to readers."""
    used = {n["$ref"].rsplit("/", 1)[1] for n in walk(document()) if isinstance(n.get("$ref"), str)}
    schemas = {*document()["components"]["schemas"]}

    games = tuple(key.replace("_", " ").title().replace(" ", "") for key in GAMES)
    extra = {name for name in schemas - used if not name.startswith(games)}
    assert extra == set()


@pytest.mark.parametrize("key", GAMES)
def test_actions_and_options_have_stable_names(key: str) -> None:
    """Every action's type is in the document."""
    text = str(document())

    for name in ("draw_plot", "bid", "pass", "submit_bid", "call_duel", "activate", "count_up"):
        assert f"'{name}'" in text
    assert f"'{key}'" in text


def test_real_answers_are_what_is_described(app: Flask) -> None:
    """Tables in every phase, seats, versions, results, problems; and a wrong one is noticed."""
    client = client_of(app)
    table = "/api/v1/tables/{table}"
    assert fits(client.get("/healthz").json, answer("/healthz"))
    assert fits(client.get("/api/v1/games").json, answer("/api/v1/games"))
    opened = client.post("/api/v1/tables", json={"game": "winchester"}).json
    assert fits(opened, answer("/api/v1/tables", "post"))
    sitting = Sitting(app, auction="sealed")
    assert fits(sitting.body(), answer(table))
    assert fits(sitting.post("/seats", {"name": "Zed"}).json, answer(f"{table}/seats", "post"))
    sitting = Sitting(app, auction="sealed").start()
    rng = random.Random(1)
    for _ in range(20):
        for viewer in (None, 0, 1, 2):
            assert fits(sitting.body(viewer), answer(table))
        sitting.play(rng, most=4)
    assert fits(
        sitting.post("/undo", token=sitting.tokens[0]).json, answer(f"{table}/undo", "post")
    ) or (sitting.body()["ask"] is None)
    sitting.play(rng)
    assert fits(sitting.get("/result").json, answer(f"{table}/result"))
    problem = document()["components"]["schemas"]["Problem"]
    assert fits(client.get("/api/v1/tables/ZZZZZ").json, problem)
    assert fits(sitting.act(0, {"type": "pass"}).json, problem)
    assert not fits(sitting.body() | {"status": "asleep"}, answer(table))
    assert not fits({}, answer(table))
    assert not fits(sitting.body() | {"legal": [{"type": "fly"}]}, answer(table))


def test_bodies_are_described(app: Flask) -> None:
    """Each request body's fields are those that are read: an unknown one is refused."""
    for path, ways in document()["paths"].items():
        for operation in ways.values():
            if "requestBody" in operation:
                schema = operation["requestBody"]["content"]["application/json"]["schema"]
                found = resolve(schema["$ref"])
                assert found["type"] == "object"
                assert found.get("additionalProperties") is not True
                assert path
