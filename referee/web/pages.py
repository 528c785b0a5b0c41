"""What each whole page shows beside its frame: one small value a page, `p` in its template.

Made from what is already computed: the public view and the drawn parts come from `Parts`, once.
"""

from __future__ import annotations

from typing import Any

from markupsafe import Markup
from msgspec import Struct

from referee.entries import SeatId
from referee.games.base import Known, Meta, Option, Result
from referee.games.protocol import PublicView
from referee.lan import Address
from referee.loglines import LogLine
from referee.tables import SeatRequest
from referee.taught import Lesson

from .ceremony import Chart, Reveal
from .frame import SeatCard
from .notice import Foreseen
from .pieces import Part


class Streamed(Struct, frozen=True):
    """What every page with a stream is born with: drawn parts, their names for it, its version."""

    parts: dict[str, Part]
    have: str
    version: int


class Options(Struct, frozen=True):
    """What a game lets the table choose before the start."""

    options: tuple[Option, ...]


class Lobby(Streamed, frozen=True):
    """The display before the start. `chosen` is the address in the QR code.

    `is_machine`: what belongs to the machine, its address and its Wi-Fi, may be set here.
    """

    addresses: tuple[Address, ...]
    chosen: Address | None
    options: tuple[Option, ...]
    is_machine: bool


class Display(Streamed, frozen=True):
    """The display in the game. `stage` names the part that takes the most room.

    `since_s`: seconds since anything happened. `decks`: something the app dealt is made up.
    `has_box`: something was to be laid out of a box.
    """

    stage: str
    since_s: int
    decks: bool
    has_box: bool


class Seat(Streamed, frozen=True):
    """A phone in the game. `veil_s`: after how many untouched seconds it hides its plans.

    `token` opened its curtain, if the device is shared; `home` is the display that it came from,
    where its plans are hidden until whoever plays there says that nobody else looks: `is_veiled`.
    """

    mood: str
    veil_s: int
    token: str
    home: str
    is_veiled: bool


class Drawn(Struct, frozen=True):
    """A curtain, and the token that opens it once. `is_home`: on the table's own screen."""

    token: str
    is_home: bool


class Ceremony(Streamed, frozen=True):
    """The display at the end. `closing` is what the game tells beside the scores.

    `is_alone`: bots played, and nobody is there to tap through it.
    """

    public: PublicView
    result: Result
    stages: tuple[Reveal, ...]
    chart: Chart | None
    closing: Any
    chain: str
    is_alone: bool


class OwnResult(Streamed, frozen=True):
    """A phone at the end."""

    public: PublicView
    result: Result


class Corrections(Struct, frozen=True):
    """What the forms of a correction need: where it is sent, and what is so now."""

    action: str
    public: PublicView | None
    version: int


class ToldLine(Struct, frozen=True):
    """A line that can be told anew: where it is found, and what it told, as the journal has it.

    `by` is who told it, None for the host or nobody in particular.
    """

    to: int
    part: int
    told: Any
    by: SeatCard | None = None


class ToldChapter(Struct, frozen=True):
    """What people told in one chapter of the game (None: before the first), newest first."""

    number: int | None
    lines: tuple[ToldLine, ...]


class Told(Struct, frozen=True):
    """What people told, the newest chapter first."""

    chapters: tuple[ToldChapter, ...]


class Retell(Struct, frozen=True):
    """One line that is told anew.

    `tag` names the game's form for it; `then` is what everybody saw before the line,
    `choices` what was owed there. Once it is filled in, `raw` is what would be sent, and
    either `owed` what has to be told as well, as JSON and as the action, by the seat `by`, or
    `foreseen` what would be different.
    """

    line: ToldLine
    tag: str
    public: PublicView
    then: PublicView
    choices: tuple[Any, ...] = ()
    raw: str = ""
    by: SeatCard | None = None
    owed: tuple[tuple[str, Any], ...] = ()
    foreseen: Foreseen | None = None
    note: Any = None
    version: int = 0


class Chapter(Struct, frozen=True):
    """Lines of the log that belong together, newest first. None is what came before any such."""

    number: int | None
    lines: tuple[LogLine, ...]


class Menu(Struct, frozen=True):
    """What a phone can do beside playing, and the log, newest chapter first.

    `last` is the number of one's own last action.
    `last_line` is what the log says of it, if it says anything: what is secret has no line.

    `common` are the parts that every phone shows alike, by name, for `KEY/_menu.html`. `has_box`:
    something was to be laid out of a box.
    """

    chapters: tuple[Chapter, ...]
    last: int | None
    last_line: LogLine | None
    chain: str
    corrections: Corrections
    common: dict[str, Any]
    has_box: bool
    is_shown_how: bool


class Host(Struct, frozen=True):
    """What the host can do for the table.

    `stand_ins` are actions to be taken for a seat, few enough for a button each; `many` are those
    to choose from, as JSON and as the action; `recorder` is the seat in whose place the game's own
    form tells. Of the `free` seats those that are `returnable` can go back to the phone that had
    them. `stage` is the display's, for games whose `_stand_in.html` shows what a choice is about.
    `done` is what the host just did, as the log tells it.
    """

    stand_ins: tuple[tuple[SeatCard, tuple[Any, ...]], ...]
    many: tuple[tuple[SeatCard, tuple[tuple[str, Any], ...]], ...]
    recorder: SeatCard | None
    free: frozenset[SeatId]
    returnable: frozenset[SeatId]
    version: int
    corrections: Corrections
    stage: Part
    done: LogLine | None = None


class Join(Struct, frozen=True):
    """A newcomer's form, or which seat a returning phone may be."""

    marks: tuple[SeatCard, ...]
    taken: frozenset[str]
    free: frozenset[SeatId]
    is_open: bool
    nonce: str
    error: str
    name: str
    is_embedded: bool
    is_home: bool


class Waiting(Struct, frozen=True):
    """How a request for a seat stands."""

    asked: SeatRequest | None
    secret: str


class Moving(Struct, frozen=True):
    """A seat that is about to move to this phone."""

    card: SeatCard
    code: str


class Transfer(Struct, frozen=True):
    """The code `move`, which moves a seat to another phone."""

    qr: Markup
    text: str
    move: str


class BoardLesson(Struct, frozen=True):
    """What one game taught of a board, and who played it."""

    lesson: Lesson
    names: tuple[str, ...]


class OwnersBoard(Struct, frozen=True):
    """What is known of an owner's board, and one place of it to be taught.

    `name` is the profile's, `path` the page's own, `code` the table it was opened from, "" for
    none, where this browser holds `seats`. `board` and `place` are the game's own; `at` names the
    place, "" for none. `lessons` tell where it was learnt, `gone` counts what was just forgotten.
    """

    name: str
    path: str
    board: Any
    known: tuple[Known, ...]
    at: str
    place: Any
    drawing: Any
    code: str
    seats: tuple[SeatId, ...]
    is_owner: bool
    lessons: tuple[BoardLesson, ...]
    gone: int
    is_playing: bool


class Rules(Struct, frozen=True):
    """How a table plays."""

    meta: Meta
