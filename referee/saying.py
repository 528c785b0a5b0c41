"""What the terminal says, in the language of the machine or the one that was asked for.

The catalogues are the pages' own. There is no app here that could look them up, so this is the
standard library's gettext.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations, NullTranslations, bindtextdomain, translation
from pathlib import Path
from typing import Final, Literal

FOLDER: Final = Path(__file__).resolve().parent / "translations"

Lang = Literal["en", "de", "fr"]


def system_language() -> Lang:
    """Give the machine's language if it is one of ours, else English."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    match next((said for name in names if (said := os.environ.get(name, ""))), "")[:2].lower():
        case "de" | "fr" as found:
            return found
        case _:
            return "en"


@cache
def words(lang: str) -> GNUTranslations | NullTranslations:
    """Give a language's catalogue by its first two letters; for others what is written here."""
    return translation("messages", str(FOLDER), [lang[:2]], fallback=True)


class _Voice:
    """The language in which this process speaks to its terminal."""

    lang: str = system_language()


def use(lang: str) -> None:
    """Speak this language from now on."""
    _Voice.lang = lang


def gettext(message: str) -> str:
    """Give a sentence in the language that is spoken."""
    return words(_Voice.lang).gettext(message)


def ngettext(one: str, many: str, number: int) -> str:
    """Give a sentence for so many in the language that is spoken."""
    return words(_Voice.lang).ngettext(one, many, number)


# What click itself says is looked up in the standard library's usual domain.
bindtextdomain("messages", str(FOLDER))


def N_(message: str) -> str:  # noqa: N802  # gettext's name for what is looked up elsewhere
    """Mark a sentence for the catalogues."""
    return message


CLICKS: Final = (
    N_("Usage:"),
    N_("Options"),
    N_("Commands"),
    N_("Positional arguments"),
    N_("Show this message and exit."),
    N_("Show the version and exit."),
    N_("default: {default}"),
    N_("env var: {var}"),
    N_("required"),
    N_("No such option {name!r}."),
    N_("No such command {name!r}."),
    ngettext("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)", 1),
    N_("Missing argument"),
    N_("Invalid value: {message}"),
    N_("Invalid value for {param_hint}: {message}"),
    N_("{value!r} is not a valid {number_type}."),
    N_("{value} is not in the range {range}."),
    N_("{value!r} is not one of {choices}."),
    N_("Option {name!r} requires an argument."),
    N_("Got unexpected extra argument ({args})"),
)
"""Those of click's own sentences that somebody at this command line can come to read."""


def refusal(code: str, facts: Mapping[str, object]) -> str:
    """Say in a sentence why something was refused, and where that is known."""
    match code:
        case "wrong_number_of_seats":
            sentence = gettext("This game takes %(least)s to %(most)s players.")
        case "bad_option":
            sentence = gettext("This game has no option %(option)s=%(value)s.")
        case "no_such_table":
            sentence = gettext("There is no table %(table)s here.")
        case "not_over":
            sentence = gettext(
                "Table %(table)s is not over yet, so it has no result. "
                "Its journal can be exported at any time: --format journal"
            )
        case "not_a_journal":
            sentence = gettext("This file is no journal of a referee.")
        case "newer_data":
            sentence = gettext(
                "A newer version of the referee wrote %(path)s. Nothing there was touched: start "
                "the newer one, or choose another folder with --data."
            )
        case "still_sealed":
            sentence = gettext(
                "This game goes on: its journal opens, and can be checked, at its end."
            )
        case "does_not_replay" | "unknown_kind":
            sentence = gettext(
                "This version of the referee cannot play entry %(seq)s of this journal: another "
                "version wrote it, or it was changed."
            )
        case "broken_chain" | "unreadable":
            sentence = gettext("Entry %(seq)s of this journal is not as it was written.")
        case "wrong_seed" | "unasked_draw" | "wrong_draw":
            sentence = gettext("What entry %(seq)s drew does not come from the seed.")
        case _:
            return code
    return sentence % facts


def reserved_port(port: int) -> str:
    """Say that the system keeps a port for root, and what to do."""
    return gettext(
        "This account may not open port %(port)s: choose another with --port 8000, or on Linux "
        "allow it first with: sudo sysctl net.ipv4.ip_unprivileged_port_start=%(port)s"
    ) % {"port": port}


def still_sealed(code: str) -> str:
    """Say what a journal of a running game is."""
    return gettext(
        "Table %(table)s is still being played: what is sealed stays so in this journal, "
        "and it can be verified when the game is over."
    ) % {"table": code}
