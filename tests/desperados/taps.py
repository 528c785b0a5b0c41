"""Taps on a phone: the very forms that its page shows, sent with all that stands in them."""

from __future__ import annotations

from html.parser import HTMLParser

from msgspec import Struct
from werkzeug.test import TestResponse

from tests.table import Browser


class Form(Struct):
    """A form on a page: where it goes, what stands in it, and what can be chosen or pressed."""

    action: str
    fields: dict[str, str]
    choices: dict[str, list[str]]

    def fits(self, wanted: dict[str, str]) -> bool:
        """Say whether all of this stands in it or can be chosen."""
        return all(
            self.fields.get(name) == value or value in self.choices.get(name, ())
            for name, value in wanted.items()
        )


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._by_id: dict[str, Form] = {}
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append(Form(given.get("action", ""), {}, {}))
            self._by_id[given.get("id", "")] = self.found[-1]
        elif "form" in given:
            # It stands elsewhere on the page, for a form that may not be there just now.
            if given["form"] in self._by_id:
                self._by_id[given["form"]].fields[given["name"]] = given["value"]
        elif tag == "select":
            self._select = given["name"]
        elif self.found and tag in {"input", "button", "option"}:
            self._add(tag, given)

    def handle_data(self, data: str) -> None:
        # An option without a value stands for its text.
        if self._select and data.strip() and self.found:
            self.found[-1].choices.setdefault(self._select, []).append(data.strip())

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""

    def _add(self, tag: str, given: dict[str, str]) -> None:
        form, name = self.found[-1], self._select if tag == "option" else given.get("name", "")
        if not name or "value" not in given:
            return
        if given.get("type") == "hidden":
            form.fields[name] = given["value"]
        else:
            form.choices.setdefault(name, []).append(given["value"])


def forms_on(shown: str) -> list[Form]:
    """Read the forms of a page."""
    parser = _Forms()
    parser.feed(shown)
    return parser.found


def tap(browser: Browser, path: str, **wanted: str) -> TestResponse:
    """Open a page, and send the form on it that has all of this, as a browser would."""
    shown = browser.get(path)
    assert shown.status_code == 200, path
    found = [form for form in forms_on(shown.text) if form.fits(wanted)]
    assert found, (path, wanted)
    return browser.post(found[0].action, found[0].fields | wanted)
