"""What can be set of the application: by a mapping, or by REFEREE_* in the environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from flask import Config
from msgspec import Meta, Struct

from referee.saying import system_language

PREFIX: Final = "REFEREE"

Lang = Literal["en", "de", "fr"]
Natural = Annotated[int, Meta(ge=0)]


class Settings(Struct, frozen=True, kw_only=True, rename="upper"):
    """The settings by their names in Flask's config, which are these in capitals.

    Attributes:
        data: the data folder, Flask's instance folder; "" for the usual one. Made if missing.
        port: the port phones use; None for the one that the first request came in by.
        url: the address to show instead of one this machine finds by itself.
        lang: the language for browsers that prefer none of ours.
        proxies: how many proxies in front are ours, whose word about who asks is taken.
        captive: whether to tell phones on a hotspot of this machine that there is internet.
        pages: how many pages may be open at once; a thread server needs as many threads.
    """

    data: str = ""
    port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    url: str = ""
    lang: Lang = msgspec.field(default_factory=system_language)
    proxies: Natural = 0
    captive: bool = False
    pages: Natural = 4000


def settings_of(config: Mapping[str, Any] | None) -> tuple[Settings, Config]:
    """Read the environment, then what was given, which goes before it.

    Gives our own settings, and all that Flask shall know. Raises msgspec.ValidationError.
    """
    whole = Config(".")
    whole.from_prefixed_env(PREFIX)
    whole.update(config or {})
    ours = {
        name: whole[name] for name in map(str.upper, Settings.__struct_fields__) if name in whole
    }
    # Not strict: the environment has text alone, and "8000" there is a number.
    return msgspec.convert(ours, Settings, strict=False), whole
