"""What the pages of one process share: use cases, rendering, addresses."""

from __future__ import annotations

from typing import Any, Final, cast

from flask import current_app, request
from flask_htmx import HTMX
from markupsafe import Markup

from referee.hints import Hints
from referee.live import Live
from referee.tables import Table, Tables
from referee.unboxing import Unboxing

from . import keys
from .curtain import Curtains
from .frame import Frame
from .having import have
from .pages import Corrections
from .parts import Beside, Parts
from .pieces import Part
from .place import Place
from .publisher import Publisher
from .render import Renderer

htmx: Final = HTMX()
"""True while a request is answered that htmx made."""


class Site:
    """The one object behind all views, made by create_app."""

    def __init__(self, tables: Tables, renderer: Renderer, place: Place) -> None:
        self.tables = tables
        self.live: Live = tables.live
        self.renderer = renderer
        self.place = place
        self.curtains = Curtains()
        self.unboxing = Unboxing(tables.store, tables.live)
        self.hints = Hints(tables.store, tables.live)
        self.beside = Beside(self.unboxing, self.hints)
        self.parts = Parts(renderer, tables.live, place, tables.store.facts, self.beside)
        self.publisher = Publisher(self.parts)
        self.live.publish = self.publisher.publish

    def born(self, table: Table, frame: Frame) -> dict[str, Any]:
        """Give what every page with a stream is born with: parts, and the version they show."""
        drawn = self.parts.draw(table, frame)
        version = table.ledger.version(frame.me.seat if frame.me else None)
        return {"parts": drawn, "have": self.have(drawn), "version": version}

    def have(self, drawn: dict[str, Part]) -> str:
        """Say what a page that is made now has."""
        return have(drawn, self.renderer.assets.short_tag)

    def corrections(self, table: Table, frame: Frame) -> Corrections:
        """Give what the forms of a correction need; their answers count from this version on."""
        version = table.ledger.version(frame.me.seat if frame.me else None)
        return Corrections(f"{frame.base}/correct", self.parts.public(table), version)

    def render(self, template: str, **context: Any) -> Markup:
        """Render a page in the asker's language."""
        return self.renderer.render(
            template,
            keys.language(),
            {"path": request.path, "theme": keys.theme(), "felt": keys.felt(), **context},
        )


def site() -> Site:
    """Give the running process's Site."""
    return cast("Site", current_app.extensions["referee"])
