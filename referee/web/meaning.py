"""What a finger that rests on something asks for: which term a sign or an action stands for.

It is the same on every page of a game, and says nothing of what is shown there.
"""

from __future__ import annotations

from functools import cache

from referee.games import GAMES


@cache
def signs(game: str) -> str:
    """Give each sign that is drawn for a term, as `sign:term sign:term`."""
    return " ".join(f"{name}:{term}" for name, term in GAMES[game].screens.SIGNS.items())


@cache
def acts(game: str) -> str:
    """Give each type of action and its term in the same way; a "?" says that others fit as well."""
    screens = GAMES[game].screens
    found: dict[str, list[str]] = {}
    for term, kinds in screens.TERMS.items():
        for action in {action for kind in kinds for action in screens.HINTS[kind]}:
            found.setdefault(action, []).append(term)
    pairs = ((each, terms[0], "?" if len(terms) > 1 else "") for each, terms in found.items())
    return " ".join(f"{each}:{term}{others}" for each, term, others in sorted(pairs))
