"""Addresses without what writes them: our pages know theirs, and nobody asks Flask for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from werkzeug.routing import Rule


class Address(Rule):
    """A rule of werkzeug's that makes what writes its address when that is asked for.

    werkzeug compiles two functions for each, of which hardly any is called: two thirds of what it
    takes to make the application.
    """

    def _compile_builder(
        self,
        append_unknown: bool = True,  # noqa: FBT001, FBT002  # as werkzeug calls it
    ) -> Callable[..., tuple[str, str]]:
        make = super()._compile_builder

        def written(rule: Rule, /, **values: Any) -> tuple[str, str]:
            return make(append_unknown)(rule, **values)

        return written
