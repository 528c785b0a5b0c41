"""What all finished games of a machine come to: who won, by how much, and what it took."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec import Struct, structs

from referee.games.base import ScoreLine
from referee.playlog import Play

BEST: Final = 3
MOST_LINES: Final = 12


class Finished(Struct, frozen=True):
    """A finished game; `persons` are who its players are known as, `prices` what was paid in it."""

    play: Play
    persons: tuple[str, ...]
    prices: tuple[int, ...] = ()


class Best(Struct, frozen=True):
    """A high score, who had it, and at which table."""

    total: int
    person: str
    code: str


class Line(Struct, frozen=True):
    """What a line of the score brought on average, to how many, and the table of the most."""

    name: str
    average: float
    count: int
    most: int
    code: str


class OfGame(Struct, frozen=True):
    """The records of one game. `first_role` won `role_wins` of the games that have roles.

    `price` is what was paid on average, with the table of the highest one.
    """

    key: str
    title: str
    games: int
    best: tuple[Best, ...]
    lines: tuple[Line, ...]
    first_role: str
    role_wins: int
    role_codes: tuple[str, ...]
    price: float
    dearest: int
    dearest_code: str


class OfPerson(Struct, frozen=True):
    """How often somebody played and won, in all and by game."""

    person: str
    games: int
    wins: int
    by_game: tuple[tuple[str, int, int], ...]


class Records(Struct, frozen=True):
    """All of it. `longest` is the game that took the most minutes, if any did."""

    games: int
    of_game: tuple[OfGame, ...]
    of_person: tuple[OfPerson, ...]
    longest: Play | None


NameOf = Callable[[str, ScoreLine], str]


def records(finished: Iterable[Finished], name_of: NameOf) -> Records:
    """Add it all up. `name_of` gives a score's line of a game in words."""
    # Games come newest first, so it is the newest spelling that somebody is shown by.
    named: dict[str, str] = {}
    whole = [
        structs.replace(
            one, persons=tuple(named.setdefault(who.casefold(), who) for who in one.persons)
        )
        for one in finished
    ]
    by_key: dict[str, list[Finished]] = defaultdict(list)
    for one in whole:
        by_key[one.play.game].append(one)
    found = tuple(_of_game(games, name_of) for games in by_key.values())
    return Records(
        games=len(whole),
        of_game=tuple(sorted(found, key=lambda game: -game.games)),
        of_person=_people(whole),
        longest=max((one.play for one in whole), key=lambda play: play.minutes, default=None),
    )


def _of_game(games: list[Finished], name_of: NameOf) -> OfGame:
    # By the title of the newest: the box may have been another edition before.
    newest = games[0].play
    scores = [
        Best(player.total, person, one.play.code)
        for one in games
        for player, person in zip(one.play.players, one.persons, strict=True)
    ]
    roles = Counter(player.role for one in games for player in one.play.players if player.role)
    # Whoever is named alone is the rarer one.
    first = min(roles, key=lambda role: roles[role], default="")
    won = [
        one.play.code
        for one in games
        if any(player.is_winner and player.role == first for player in one.play.players)
    ]
    prices = [(price, one.play.code) for one in games for price in one.prices]
    dearest = max(prices, default=(0, ""))
    return OfGame(
        key=newest.game,
        title=newest.title,
        games=len(games),
        best=tuple(sorted(scores, key=lambda best: -best.total)[:BEST]),
        lines=_lines(games, name_of),
        first_role=first,
        role_wins=len(won) if first else 0,
        role_codes=tuple(won) if first else (),
        price=sum(price for price, _ in prices) / len(prices) if prices else 0.0,
        dearest=dearest[0],
        dearest_code=dearest[1],
    )


def _lines(games: list[Finished], name_of: NameOf) -> tuple[Line, ...]:
    """Give what brought the most on average; lines that brought nothing to somebody count as 0."""
    paid: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for one in games:
        for player in one.play.players:
            for line in player.lines:
                paid[name_of(one.play.game, line)].append((line.amount, one.play.code))
    found = []
    for name, amounts in paid.items():
        most, code = max(amounts)
        average = sum(amount for amount, _ in amounts) / len(amounts)
        found.append(Line(name, average, len(amounts), most, code))
    return tuple(sorted(found, key=lambda line: -line.average)[:MOST_LINES])


def _people(games: list[Finished]) -> tuple[OfPerson, ...]:
    titles: Mapping[str, str] = {one.play.game: one.play.title for one in games}
    names: dict[str, str] = {}
    sat: Counter[tuple[str, str]] = Counter()
    won: Counter[tuple[str, str]] = Counter()
    for one in games:
        for player, person in zip(one.play.players, one.persons, strict=True):
            key = (person.casefold(), one.play.game)
            names.setdefault(person.casefold(), person)
            sat[key] += 1
            won[key] += player.is_winner
    found = [
        OfPerson(
            person=name,
            games=sum(count for (who, _), count in sat.items() if who == folded),
            wins=sum(count for (who, _), count in won.items() if who == folded),
            by_game=tuple(
                (titles[game], won[who, game], count)
                for (who, game), count in sat.items()
                if who == folded
            ),
        )
        for folded, name in names.items()
    ]
    return tuple(sorted(found, key=lambda person: (-person.wins, -person.games, person.person)))
