# ruff: noqa: E501  # the table of paths reads better unbroken
"""The OpenAPI 3.1 description of the HTTP interface, made from the very types that decode it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from inspect import cleandoc
from typing import Any, Final

import msgspec

from referee import __version__
from referee.games import GAMES

from .bodies import BODIES

_REF: Final = "#/components/schemas/{name}"

# method, path, summary, who may, body, status and what comes back
_PATHS: Final = (
    ("get", "/healthz", "Say that the server runs.", "anyone", None, 200, "Health"),
    ("get", "/api/v1/openapi.json", "Give this document.", "anyone", None, 200, "Any"),
    ("get", "/api/v1/games", "List games, seats and options.", "anyone", None, 200, "Games"),
    ("post", "/api/v1/tables", "Open a table.", "anyone", "NewTable", 201, "Opened"),
    ("get", "/api/v1/tables/{table}", "Show a table to a viewer.", "anyone", None, 200, "Table"),
    ("post", "/api/v1/tables/{table}/seats", "Take a seat.", "anyone", "NewSeat", 201, "Seated"),
    ("post", "/api/v1/tables/{table}/options", "Set options.", "host", "Options", 200, "Version"),
    ("post", "/api/v1/tables/{table}/start", "Begin.", "host", None, 200, "Version"),
    ("post", "/api/v1/tables/{table}/actions", "Play.", "seat", "NewAction", 200, "Version"),
    ("post", "/api/v1/tables/{table}/act-for", "Play for another.", "host", "ActFor", 200, "Version"),
    ("post", "/api/v1/tables/{table}/undo", "Take back.", "seat", "Undo", 200, "Outcome"),
    ("post", "/api/v1/tables/{table}/corrections", "Set right.", "seat or host", "NewCorrection", 200, "Outcome"),
    ("get", "/api/v1/tables/{table}/told", "List what can be told anew.", "anyone", None, 200, "ToldLines"),
    ("post", "/api/v1/tables/{table}/reopen", "Open a finished game again.", "seat or host", None, 200, "Outcome"),
    ("post", "/api/v1/tables/{table}/ask", "Agree or refuse.", "seat or host", "AskAnswer", 200, "Version"),
    ("post", "/api/v1/tables/{table}/answers", "Answer about the board.", "seat or host", "BoardAnswer", 200, "Version"),
    ("post", "/api/v1/tables/{table}/release", "Free a seat.", "host", "ReleasedSeat", 200, "Version"),
    ("post", "/api/v1/tables/{table}/give-back", "Give a freed seat back.", "host", "ReleasedSeat", 200, "Version"),
    ("get", "/api/v1/tables/{table}/stream", "Follow a table.", "anyone", None, 200, "Stream"),
    ("get", "/api/v1/tables/{table}/journal", "Read the journal.", "anyone", None, 200, "Lines"),
    ("get", "/api/v1/tables/{table}/result", "Read the result.", "anyone", None, 200, "Result"),
)  # fmt: skip

_ABOUT: Final = (
    "Tables, seats and games of the referee. `legal` lists complete actions; posting any of them "
    "at that version is accepted. `Authorization: Bearer TOKEN` names a seat or the host; without "
    "it one sees what the display shows."
)

_INTEGER: Final = {"type": "integer"}
_TEXT: Final = {"type": "string"}
_OBJECT: Final = {"type": "object"}
_OPTIONS: Final = {"type": "object", "additionalProperties": {"type": "string"}}

_ANSWERS: Final[dict[str, dict[str, Any]]] = {
    "Any": _OBJECT,
    "Health": {"type": "object", "properties": {"status": {"const": "ok"}}},
    "ToldLines": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "to": _INTEGER,
                "part": _INTEGER,
                "seat": {"type": ["integer", "null"]},
                "told": _OBJECT,
            },
            "required": ["to", "part", "seat", "told"],
        },
    },
    "Games": {"type": "array", "items": {"$ref": _REF.format(name="Meta")}},
    "Options": _OPTIONS,
    "Opened": {
        "type": "object",
        "properties": {"table": _TEXT, "host_token": _TEXT, "url": _TEXT},
        "required": ["table", "host_token", "url"],
    },
    "Seated": {
        "type": "object",
        "properties": {"seat": _INTEGER, "token": _TEXT, "color": _TEXT},
        "required": ["seat", "token", "color"],
    },
    "Version": {"type": "object", "properties": {"version": _INTEGER}, "required": ["version"]},
    "Outcome": {
        "type": "object",
        "properties": {"outcome": {"enum": ["done", "asked"]}, "version": _INTEGER},
        "required": ["outcome", "version"],
    },
    "Problem": {
        "type": "object",
        "description": "RFC 9457. `code` is stable; `facts` hold what a sentence needs.",
        "properties": {
            "type": _TEXT,
            "title": _TEXT,
            "status": _INTEGER,
            "code": _TEXT,
            "facts": _OBJECT,
            "section": _TEXT,
        },
        "required": ["type", "title", "status", "code"],
    },
    "Result": {
        "type": "object",
        "properties": {
            "table": _TEXT,
            "game": _TEXT,
            "winners": {"type": "array", "items": _INTEGER},
            "tie_break": {"type": ["string", "null"]},
            "scores": {"type": "array", "items": _OBJECT},
        },
        "required": ["winners", "tie_break", "scores"],
    },
}


@cache
def document() -> dict[str, Any]:
    """Give the whole description."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "referee",
            "version": __version__,
            "description": " ".join((_ABOUT, *_about_games())),
        },
        "paths": _paths(),
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _about_games() -> Iterator[str]:
    """Give what a client's author must know of each game."""
    for meta in GAMES.metas():
        if meta.for_programs:
            yield f"{meta.titles['en']}: {meta.for_programs}"


def _paths() -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for method, path, summary, who, body, status, answer in _PATHS:
        operation: dict[str, Any] = {
            "summary": summary,
            "operationId": f"{method}_{path.rsplit('/', 1)[-1].strip('{}').replace('.', '_')}",
            "description": f"For {who}.",
            "responses": {str(status): _response(answer), "default": _problem()},
        }
        if "{table}" in path:
            operation["parameters"] = [
                {"name": "table", "in": "path", "required": True, "schema": _TEXT}
            ]
        if who != "anyone":
            operation["security"] = [{"token": []}]
        if body:
            content = {"application/json": {"schema": {"$ref": _REF.format(name=body)}}}
            may_be_empty = body in {"Undo", "Options"}
            operation["requestBody"] = {"required": not may_be_empty, "content": content}
        paths.setdefault(path, {})[method] = operation
    return paths


def _response(answer: str) -> dict[str, Any]:
    if answer == "Stream":
        text = "Events `table` (id: version, data: the body of GET for this viewer) and `hb`."
        return {"description": text, "content": {"text/event-stream": {"schema": _TEXT}}}
    if answer == "Lines":
        text = "JSON Lines: a header, then entries; sealed ones without content while playing."
        return {"description": text, "content": {"application/jsonl": {"schema": _TEXT}}}
    schema = {"$ref": _REF.format(name=answer)}
    return {"description": answer, "content": {"application/json": {"schema": schema}}}


def _problem() -> dict[str, Any]:
    schema = {"$ref": _REF.format(name="Problem")}
    content = {"application/problem+json": {"schema": schema}}
    return {"description": "A refusal, with a stable code.", "content": content}


def _schemas() -> dict[str, Any]:
    kinds = [*BODIES, *(type(meta) for meta in GAMES.metas())]
    schemas = _components(kinds)[1]
    for key, game in GAMES.items():
        prefix = "".join(part.title() for part in key.split("_"))
        named = {name: getattr(game, name) for name in ("Action", "Correction", "Event")}
        if game.telling is not None:
            named["Told"] = game.telling.Told
        for name, kind in named.items():
            (schema,), parts = _components([kind], prefix)
            schemas |= {prefix + part: content for part, content in parts.items()}
            schemas.setdefault(prefix + name, schema)
    # One of the two; which of a game's corrections there are is in that game's own schema.
    schemas["NewCorrection"]["oneOf"] = [
        {"required": [name]} for name in ("correction", "retelling")
    ]
    actions = [{"$ref": _REF.format(name=_prefixed(key))} for key in GAMES]
    return schemas | _ANSWERS | {"Table": _table(actions)}


def _components(
    kinds: Sequence[Any], prefix: str = ""
) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    """Describe types, and those they are made of by their names with a prefix."""
    template = _REF.replace("{name}", f"{prefix}{{name}}")
    found, parts = msgspec.json.schema_components(kinds, ref_template=template)
    for part in parts.values():
        # As every Python has it: since 3.13 docstrings come without their indentation.
        if "description" in part:
            part["description"] = cleandoc(part["description"])
    return found, dict(parts)


def main() -> None:
    """Write the description for the repository: `make openapi`."""
    sys.stdout.write(json.dumps(document(), indent=1, ensure_ascii=False) + "\n")


def _prefixed(key: str) -> str:
    return "".join(part.title() for part in key.split("_")) + "Action"


def _table(actions: list[dict[str, str]]) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "table": _TEXT,
        "game": {"enum": [*GAMES]},
        "version": _INTEGER,
        "status": {"enum": ["lobby", "playing", "over"]},
        "you": _OBJECT,
        "seats": {"type": "array", "items": _OBJECT},
        "options": _OPTIONS,
        "seeded": {"type": "boolean"},
        "commitment": _TEXT,
        "chain": _TEXT,
        "to_act": {"type": "array", "items": _INTEGER},
        "ask": {"type": ["object", "null"]},
        "undo": {"type": ["integer", "null"]},
        "view": {"type": ["object", "null"], "description": "public, and own for a seat"},
        "legal": {"type": "array", "items": {"anyOf": actions}},
        "question": {"type": ["object", "null"]},
    }
    return {"type": "object", "properties": properties, "required": [*properties]}
