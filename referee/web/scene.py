"""What a page shows: one viewer's scene, and its parts as they are sent to open pages.

A scene is made from the ledger and the game's views alone, so it holds nothing that its viewer may
not see. Parts that are the same for several viewers are rendered once a change.
"""

from __future__ import annotations

import hashlib
import time
from collections import defaultdict
from typing import Any, Final

from markupsafe import Markup
from msgspec import Struct

from referee import profiles
from referee.journal import Ask, Line, SeatId, words
from referee.live import Live
from referee.tables import SeatRequest, Table

from .render import Renderer

LOG_LINES: Final = 7

SEAT_PARTS: Final = {
    "lobby": ("seats", "notice"),
    "playing": ("head", "facts", "ask", "own", "notice"),
    "over": ("again",),
}
DISPLAY_PARTS: Final = {
    "lobby": ("seats", "begin", "notice"),
    "playing": ("question", "map", "players", "log", "notice", "foot"),
    "over": ("again",),
}
SHARED_PARTS: Final = frozenset(
    {"seats", "begin", "facts", "question", "map", "players", "log", "foot", "again"}
)
"""Parts with the same bytes for everyone who gets them in a language."""


class SeatCard(Struct, frozen=True):
    """A seat as it is shown: its mark, its name, and what everybody can see of it.

    `is_asked` may act now; `is_awaited` holds up the table.
    """

    seat: SeatId
    index: int
    name: str
    colour: str
    shape: str
    letter: str
    is_present: bool
    is_free: bool
    is_asked: bool
    is_awaited: bool


class Groups(dict[str, tuple[Any, ...]]):
    """Legal actions by type; a type that is not legal now has none."""

    def __missing__(self, key: str) -> tuple[Any, ...]:
        return ()


class Scene(Struct, frozen=True):
    """All that one viewer's page may show.

    `legal` groups the viewer's legal actions by type, `since_s` is how long nothing happened,
    `here` are the seats that this browser holds, `base` is where this page's forms go, `mood`
    whether the viewer is asked, may do something, or waits, `undo_lines` what an undo that is
    asked for would strike out.
    """

    code: str
    game: str
    title: str
    status: str
    version: int
    words: str
    is_seeded: bool
    options: dict[str, str]
    seats: tuple[SeatCard, ...]
    me: SeatCard | None
    is_host: bool
    here: tuple[SeatId, ...]
    public: Any
    own: Any
    legal: Groups
    fresh: int
    asked: tuple[SeatCard, ...]
    since_s: int
    ask: Ask | None
    requests: tuple[SeatRequest, ...]
    lines: tuple[Line, ...]
    drawing: Any
    board: Any
    rematch: str | None
    base: str
    least: int
    most: int
    mood: str
    undo_lines: tuple[Line, ...]

    def by_index(self, index: int) -> SeatCard:
        """Give the seat with this number in the game."""
        return next(card for card in self.seats if card.index == index)

    def by_id(self, seat: SeatId) -> SeatCard:
        """Give the seat with this id."""
        return next(card for card in self.seats if card.seat == seat)


class Memo:
    """What was rendered for one state of a table, shared among its open pages."""

    def __init__(self) -> None:
        self.length = -1
        self.public: Any = None
        self.parts: dict[tuple[str, ...], Markup] = {}


class Scenes:
    """Makes scenes and renders their parts."""

    def __init__(self, renderer: Renderer, live: Live) -> None:
        self.renderer = renderer
        self.live = live
        self._memos: dict[str, Memo] = {}

    def memo(self, table: Table) -> Memo:
        """Give what is already rendered of a table's present state."""
        memo = self._memos.get(table.code)
        if memo is None or memo.length != table.ledger.length:
            memo = Memo()
            memo.length = table.ledger.length
            state = table.ledger.state
            memo.public = None if state is None else table.game.public(state)
            self._memos[table.code] = memo
        return memo

    def cards(self, table: Table) -> tuple[SeatCard, ...]:
        """Give the seats clockwise."""
        ledger = table.ledger
        asked = ledger.to_act()
        public = self.memo(table).public
        awaited = () if public is None else public.waiting_for
        held = set(table.keys.values())
        return tuple(
            SeatCard(
                seat=seat,
                index=index,
                name=info.name,
                colour=info.colour,
                shape=info.shape,
                letter=info.letter,
                is_present=self.live.is_present(table.code, seat),
                is_free=seat not in held,
                is_asked=seat in asked,
                is_awaited=index in awaited,
            )
            for index, seat in enumerate(ledger.order)
            for info in (ledger.seats[seat],)
        )

    def scene(
        self,
        table: Table,
        viewer: SeatId | None,
        lang: str,
        *,
        is_host: bool = False,
        here: tuple[SeatId, ...] = (),
    ) -> Scene:
        """Build one viewer's scene."""
        ledger = table.ledger
        meta = table.game.META
        cards = self.cards(table)
        me = next((card for card in cards if card.seat == viewer), None)
        is_playing = ledger.state is not None
        legal = _by_type(ledger.legal_for(me.seat)) if me and is_playing else Groups()
        profile = profiles.load(meta.key, ledger.chosen()["board"])
        return Scene(
            code=table.code,
            game=meta.key,
            title=meta.titles[lang],
            status=ledger.status,
            version=ledger.version(viewer),
            words=words(ledger.head_for(viewer)),
            is_seeded=ledger.is_seeded,
            options=ledger.chosen(),
            seats=cards,
            me=me,
            is_host=is_host,
            here=here,
            public=self.memo(table).public,
            own=table.game.own(ledger.state, me.index) if me and is_playing else None,
            legal=legal,
            fresh=ledger.asked_since(me.seat) if me else 0,
            asked=tuple(card for card in cards if card.is_awaited),
            since_s=int(time.monotonic() - table.asked_at),
            ask=ledger.ask,
            requests=tuple(r for r in table.requests if r.state == "asked"),
            lines=tuple(ledger.lines[-LOG_LINES:]),
            drawing=profile.get("drawing"),
            board=profile,
            rematch=table.rematch,
            base=f"/t/{table.code}" if me is None else f"/s/{table.code}/{me.seat}",
            least=meta.seats[0],
            most=meta.seats[1],
            mood=_mood(me, legal),
            undo_lines=tuple(
                line
                for line in ledger.lines
                if ledger.ask is not None
                and ledger.ask.what == "undo"
                and line.seq >= ledger.ask.payload["to"]
                and line.events
                and not line.is_undone
            ),
        )

    def part(self, name: str, scene: Scene, lang: str) -> Markup:
        """Render one part of a page; what everybody gets alike is rendered once."""
        memo = self._memos.get(scene.code)
        if name not in SHARED_PARTS or memo is None:
            return self._render(name, scene, lang)
        key = (name, lang, *(c.seat for c in scene.seats if c.is_present), scene.is_host)
        names = tuple(map(str, key))
        if names not in memo.parts:
            memo.parts[names] = self._render(name, scene, lang)
        return memo.parts[names]

    def _render(self, name: str, scene: Scene, lang: str) -> Markup:
        folder = "table" if name in GENERIC_PARTS else scene.game
        return self.renderer.render(f"{folder}/_{name}.html", lang, {"s": scene})

    @staticmethod
    def have(parts: dict[str, Markup]) -> str:
        """Say what a page is born with, so that its stream does not send it again."""
        return ".".join(f"{name}-{tag(html)}" for name, html in parts.items())


GENERIC_PARTS: Final = frozenset({"seats", "begin", "notice", "log", "foot", "again"})


def _mood(me: SeatCard | None, legal: Groups) -> str:
    if me is None:
        return ""
    if me.is_awaited:
        return "asked"
    return "able" if legal else "waiting"


def tag(html: str) -> str:
    """Name a rendered part by its content, so that what a page has is not sent again."""
    return hashlib.blake2s(html.encode(), digest_size=6).hexdigest()


def _by_type(legal: tuple[Any, ...]) -> Groups:
    groups: defaultdict[str, list[Any]] = defaultdict(list)
    for action in legal:
        groups[action.__struct_config__.tag].append(action)
    return Groups({name: tuple(actions) for name, actions in groups.items()})
