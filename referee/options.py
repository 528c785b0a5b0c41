"""What a table chose before the start: options with their values, and who begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from referee.entries import SeatId
from referee.errors import MalformedAction
from referee.games.base import Meta

LONGEST_NUMBER: Final = 9
"""Digits of a seat's number; a table has fewer seats than that, ever."""


def check_options(meta: Meta, options: Mapping[str, str]) -> dict[str, str]:
    """Give the options if a game knows them all. Raises MalformedAction."""
    known = {option.key: option.values for option in meta.options}
    for key, value in options.items():
        is_seat = bool(meta.starter) and key == meta.starter and _is_number(value)
        if not is_seat and value not in known.get(key, ()):
            raise MalformedAction("bad_option", option=key, value=str(value))
    return dict(options)


def known_options(meta: Meta, wished: Mapping[str, str]) -> dict[str, str]:
    """Give those of some wishes that a game has an option for."""
    return {
        option.key: wished[option.key]
        for option in meta.options
        if wished.get(option.key) in option.values
    }


def all_chosen(meta: Meta, options: Mapping[str, str]) -> dict[str, str]:
    """Give every option with its value: what was chosen, else what is the default beside that."""
    found = {option.key: options.get(option.key, option.default) for option in meta.options}
    for option in meta.options:
        for key, value, default in option.instead:
            if option.key not in options and found.get(key) == value:
                found[option.key] = default
    return found | dict(options)


def changed(shown: Mapping[str, str], sent: Mapping[str, str]) -> dict[str, str]:
    """Give what somebody chose in a form; one of all options sends what only stood there, too."""
    return {key: value for key, value in sent.items() if len(sent) == 1 or shown.get(key) != value}


def _is_number(value: str) -> bool:
    return value.isdecimal() and len(value) <= LONGEST_NUMBER


def settled_options(
    meta: Meta, options: Mapping[str, str], order: Sequence[SeatId]
) -> dict[str, str]:
    """Give the options of a game that begins, its starter named by its place in the game.

    In the lobby it is named by its id, since places change there; nobody chosen is the first.
    """
    if not meta.starter:
        return dict(options)
    # No seat has this id: without a choice the first one starts.
    chosen = SeatId(int(options.get(meta.starter, "-1")))
    return {**options, meta.starter: str(order.index(chosen) if chosen in order else 0)}


def without_starter(meta: Meta, options: Mapping[str, str]) -> dict[str, str]:
    """Give the options for another game, in which who starts is chosen anew."""
    return {key: value for key, value in options.items() if key != meta.starter}
