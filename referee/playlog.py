"""A finished game as people keep it: in a play log, in a spreadsheet, in a message to friends."""

from __future__ import annotations

import csv
import io
import operator
import urllib.parse
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from msgspec import Struct

from referee.entries import Entry
from referee.errors import TableError
from referee.games.base import ScoreLine, SeatIndex
from referee.tables import Table

SOURCE: Final = "referee"
BG_STATS: Final = "https://app.bgstatsapp.com/createPlay.html"
MOVES: Final = frozenset({"action", "chance", "answer", "correction"})
"""The kinds of entries by which a game goes on; what is noted after its end is none of it."""
BOM: Final = "\ufeff"
"""By this a spreadsheet knows that accents are UTF-8."""


class Player(Struct, frozen=True):
    """One seat of a finished game. `rank` counts from 1; equal ranks are a shared one."""

    number: int
    name: str
    key: str
    total: int
    lines: tuple[ScoreLine, ...]
    is_winner: bool
    rank: int
    begins: bool
    role: str


class Play(Struct, frozen=True):
    """A finished game. `ended` is the time of its last move, `minutes` how long it took.

    `location` is where it was played, "" if nobody said.
    """

    code: str
    game: str
    title: str
    bgg_id: int
    ended: datetime
    minutes: int
    players: tuple[Player, ...]
    location: str = ""


def play_of(table: Table, entries: Sequence[Entry], lang: str, *, location: str = "") -> Play:
    """Give what a play log asks for. Raises TableError while the game goes on.

    `entries` are the table's, oldest first. A winner by a tie-breaker ranks before whoever it beat.
    """
    ledger, meta = table.ledger, table.game.META
    final = None if ledger.state is None else table.game.score(ledger.state)
    if final is None:
        raise TableError("not_over")
    began, ended = _span(entries)
    # Once the game runs, the option names a seat by its place.
    named = int(ledger.options[meta.starter]) if meta.starter else None
    standing = {s.seat: (s.seat in final.winners, s.total) for s in final.scores}
    players = []
    for score in final.scores:
        info = ledger.seating.seats[ledger.seating.at(SeatIndex(score.seat))]
        is_named = score.seat == named
        player = Player(
            number=score.seat + 1,
            name=info.name,
            # By the name alone: a log is to know a person again at another table, on another seat.
            key=info.name.casefold(),
            total=score.total,
            lines=score.lines,
            is_winner=score.seat in final.winners,
            rank=1 + sum(other > standing[score.seat] for other in standing.values()),
            begins=is_named and not meta.roles,
            role=(meta.roles[0] if is_named else meta.roles[1]) if meta.roles else "",
        )
        players.append(player)
    return Play(
        code=table.code,
        game=meta.key,
        title=meta.title(ledger.chosen(), lang),
        bgg_id=meta.bgg_id,
        ended=ended,
        # A clock that was set back in mid-game makes it short, and not less than nothing.
        minutes=max(0, round((ended - began).total_seconds() / 60)),
        players=tuple(players),
        location=location,
    )


def _span(entries: Sequence[Entry]) -> tuple[datetime, datetime]:
    """Give when the game began, and its last move. Clocks are for people: they may be wrong."""
    began = next(entry.at for entry in entries if entry.kind == "setup")
    ended = next((entry.at for entry in reversed(entries) if entry.kind in MOVES), began)
    return datetime.fromisoformat(began), datetime.fromisoformat(ended)


def bgstats_link(play: Play) -> str:
    """Give the link that hands the play to the app BG Stats on the phone that follows it.

    Its `createPlay` format, as BG Stats tells those who push plays to it: the date is in UTC, and
    the app shows it in the phone's own time; `location` is a name; every player says whether they
    won and whether they began, for the app refuses a play that leaves either out.
    """
    data = {
        "sourceName": SOURCE,
        "sourcePlayId": _id(play),
        "playDate": f"{play.ended.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
        "durationMin": play.minutes,
        **({"location": play.location} if play.location else {}),
        "game": {
            "sourceGameId": play.game,
            "name": play.title,
            "highestWins": True,
            "noPoints": False,
            **_bgg_id(play),
        },
        "players": [
            {
                "sourcePlayerId": player.key,
                "name": player.name,
                "score": player.total,
                "winner": player.is_winner,
                "rank": player.rank,
                "startPlayer": player.begins,
                **({"role": player.role, "team": player.role} if player.role else {}),
            }
            for player in play.players
        ],
    }
    body = msgspec.json.encode(data).decode()
    return f"{BG_STATS}?data={urllib.parse.quote(body, safe='')}"


def bgstats_file(play: Play) -> str:
    """Give the play in the file format of the app BG Stats; its dates are local ones."""
    players = [{"id": p.number, "uuid": p.key, "name": p.name} for p in play.players]
    scores = [
        {
            "playerRefId": player.number,
            "score": str(player.total),
            "winner": player.is_winner,
            "rank": player.rank,
            "seatOrder": player.number,
            "newPlayer": False,
            "startPlayer": player.begins,
            **({"role": player.role, "team": player.role} if player.role else {}),
        }
        for player in play.players
    ]
    found = {
        "uuid": _id(play),
        "playDate": f"{play.ended.astimezone():%Y-%m-%d %H:%M:%S}",
        "durationMin": play.minutes,
        **({"locationRefId": 1} if play.location else {}),
        "gameRefId": 1,
        "usesTeams": any(player.role for player in play.players),
        "playerScores": scores,
        "ignored": False,
    }
    game = {
        "id": 1,
        "uuid": f"{SOURCE}-{play.game}",
        "name": play.title,
        **_bgg_id(play),
        "highestWins": True,
        "noPoints": False,
    }
    places = [{"id": 1, "uuid": play.location.casefold(), "name": play.location}]
    known = {"locations": places} if play.location else {}
    whole = {"games": [game], **known, "players": players, "plays": [found]}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode()


class Columns(Struct, frozen=True):
    """What a spreadsheet's columns are called, and the row that adds a seat's lines up.

    `name_of` gives a line's name. For programs these are keys, for people they are words.
    """

    heads: tuple[str, ...] = ("table", "game", "seat", "name", "line", "amount", "winner")
    total: str = "total"
    name_of: Callable[[ScoreLine], str] = operator.attrgetter("name")


KEYS: Final = Columns()


def as_csv(play: Play, *, separator: str = ",", columns: Columns = KEYS) -> str:
    """Give the result as a spreadsheet: a row for each named line of each seat.

    `separator` is what spreadsheets of the reader's language expect. Amounts are whole numbers, so
    no decimal sign can be wrong.
    """
    out = io.StringIO()
    # As the format has it (RFC 4180), whatever machine this is.
    writer = csv.writer(out, delimiter=separator, lineterminator="\r\n")
    writer.writerow(columns.heads)
    for player in play.players:
        fixed = (play.code, play.title, player.number, _plain(player.name))
        rows = [(columns.name_of(line), line.amount) for line in player.lines]
        for name, amount in (*rows, (columns.total, player.total)):
            writer.writerow((*fixed, _plain(name), amount, int(player.is_winner)))
    return BOM + out.getvalue()


def _plain(text: str) -> str:
    """Keep a spreadsheet from taking a name for a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text


def _id(play: Play) -> str:
    # The same each time: a play that is sent twice stays one in the log.
    return f"{SOURCE}-{play.code}"


def _bgg_id(play: Play) -> dict[str, Any]:
    return {"bggId": play.bgg_id} if play.bgg_id else {}
