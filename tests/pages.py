"""Pages taken apart: what is true of every page of ours."""

from __future__ import annotations

from html.parser import HTMLParser

from tests.table import (
    BASE,
    Browser,
    Evening,
)

VOID = {"meta", "link", "input", "br", "hr", "img", "use"}


class Page(HTMLParser):
    """A page taken apart: it fails on what must not be in any of ours."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.forms: list[tuple[str, str]] = []
        self.refers: list[str] = []
        self.drawn: list[str] = []
        self.words = ""
        self.feed(text)
        self.close()
        assert self.open == []
        assert {*self.drawn} <= {*self.ids}, "what is drawn is nowhere on the page"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at an element."""
        found = {name: value or "" for name, value in attrs}
        assert len(found) == len(attrs), f"an attribute twice in <{tag}>"
        for name, value in found.items():
            assert not name.startswith("on"), f"{name} in <{tag}>"
            assert name != "style"
            assert not name.startswith("hx-on")
            assert name != "hx-disable-elt"
            assert not value.startswith(("js:", "javascript:"))
            if name in {"href", "src", "action", "hx-post", "hx-get", "data-stream"}:
                # An empty link leads to the page itself.
                is_itself = name == "href" and not value
                assert is_itself or value.startswith(("/", "#", BASE)), value
                assert not value.startswith("//"), value
        if tag == "script":
            assert found.get("src"), "a script of its own in the page"
        assert tag not in {"style", "iframe", "object", "embed", "base"}
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "a":
            self.links.append(found["href"])
        if tag == "use" and found["href"].startswith("#"):
            self.drawn.append(found["href"][1:])
        if tag == "form":
            self.forms.append((found.get("method", "get"), found.get("action", "")))
        if tag == "label" and "for" in found:
            self.refers.append(found["for"])
        if tag not in VOID and not (self.open and self.open[-1] in {"svg", "g"} and tag == "path"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at an element that is closed at once."""
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        """Close an element; elements are closed in order."""
        if tag in VOID or tag == "path":
            return
        while self.open and self.open[-1] in {"li", "p", "option"} and self.open[-1] != tag:
            self.open.pop()
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Gather the text."""
        self.words += data


def pages_of(evening: Evening) -> list[tuple[Browser, str]]:
    """Name every page that can be looked at now, and by whom."""
    code = evening.code
    found = [(evening.laptop, p) for p in ("/", "/help", f"/t/{code}", f"/t/{code}/host")]
    stranger = Browser(evening.app, lang=evening.laptop.headers["Accept-Language"])
    found += [(evening.laptop, f"/j/{code}?more=1"), (stranger, f"/t/{code}")]
    found += [(stranger, f"/j/{code}")]
    for seat, phone in enumerate(evening.phones):
        found += [(phone, evening.seat(seat, rest)) for rest in ("", "/menu", "/rules")]
    return found
