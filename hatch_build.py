"""Build hook: the catalogues are compiled into the wheel, so no binary is kept in git."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))
from referee.catalogues import compile_catalogues  # found beside this file


class CompileCatalogues(BuildHookInterface):  # type: ignore[type-arg]  # hatchling's own generic is not subscriptable at run time
    """Run compile_catalogues before every build, editable ones included."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # hatchling's signature
        """Compile what the checkout holds."""
        compile_catalogues(Path(self.root))
