"""The forms of a page, read as a browser reads them, and filled in at random."""

from __future__ import annotations

import random
from html.parser import HTMLParser
from typing import Final

from msgspec import Struct

TYPED: Final = ("0", "1", "2", "1000", "3000", "8000", "9000", "24000", "110000", "7 000", "x", "")
"""What people type into a field."""


class Choice(Struct):
    """Values of one name, of which one is sent, or none: a list, radio buttons."""

    name: str
    values: list[str]


class Form(Struct):
    """Where a form is sent, and what can be in it.

    `fixed` are its hidden fields, `typed` the names of its text fields, `boxes` its check boxes,
    `buttons` the fields that each of its buttons adds.
    """

    action: str
    fixed: list[tuple[str, str]]
    typed: list[str]
    boxes: list[tuple[str, str]]
    choices: list[Choice]
    buttons: list[tuple[str, str] | None]

    def filled(self, rng: random.Random) -> dict[str, list[str]]:
        """Fill it in and press one of its buttons."""
        pairs = list(self.fixed)
        pairs += [(name, rng.choice(TYPED)) for name in self.typed]
        pairs += [box for box in self.boxes if rng.random() < 0.4]  # some
        pairs += [(one.name, rng.choice(one.values)) for one in self.choices if one.values]
        if self.buttons and (pressed := rng.choice(self.buttons)):
            pairs.append(pressed)
        fields: dict[str, list[str]] = {}
        for name, value in pairs:
            fields.setdefault(name, []).append(value)
        return fields


def forms_of(html: str) -> list[Form]:
    """Read all forms of a page that change something."""
    reader = _Reader()
    reader.feed(html)
    return reader.found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._form: Form | None = None
        self._by_id: dict[str, Form] = {}
        self._list: Choice | None = None
        self._text: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        have = {name: value or "" for name, value in attrs}
        if tag == "form" and have.get("method") == "post":
            self._form = Form(have.get("action", ""), [], [], [], [], [])
            self.found.append(self._form)
            self._by_id[have.get("id", "")] = self._form
        elif tag == "input" and "form" in have:
            # It stands elsewhere, after the form or where there is none of that name.
            if have["form"] in self._by_id:
                self._field(self._by_id[have["form"]], have)
        elif self._form is None or "disabled" in have:
            return
        elif tag == "input":
            self._field(self._form, have)
        elif tag == "button" and have.get("type", "submit") == "submit":
            name = have.get("name")
            self._form.buttons.append((name, have.get("value", "")) if name else None)
        elif tag == "select" and "name" in have:
            self._list = Choice(have["name"], [])
            self._form.choices.append(self._list)
        elif tag == "option" and self._list is not None:
            if "value" in have:
                self._list.values.append(have["value"])
            else:
                self._text = []

    @staticmethod
    def _field(form: Form, have: dict[str, str]) -> None:
        name, kind, value = have.get("name"), have.get("type", "text"), have.get("value", "on")
        if not name:
            return
        if kind == "hidden":
            form.fixed.append((name, have.get("value", "")))
        elif kind == "checkbox":
            form.boxes.append((name, value))
        elif kind == "radio":
            known = next((c for c in form.choices if c.name == name), None)
            if known is None:
                form.choices.append(Choice(name, [value]))
            else:
                known.values.append(value)
        else:
            form.typed.append(name)

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in {"option", "select"} and self._text is not None and self._list is not None:
            self._list.values.append("".join(self._text).strip())
            self._text = None
        if tag == "select":
            self._list = None
        elif tag == "form":
            self._form = None
