"""Build hook: the catalogues are compiled into the wheel, so no binary is kept in git."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_catalogues(root: Path) -> None:
    """Write messages.mo beside every messages.po below root."""
    for source in root.glob("referee/translations/*/LC_MESSAGES/*.po"):
        with source.open("rb") as stream:
            catalogue = read_po(stream, locale=source.parent.parent.name)
        with source.with_suffix(".mo").open("wb") as stream:
            write_mo(stream, catalogue)


class CompileCatalogues(BuildHookInterface):  # type: ignore[type-arg]  # hatchling's own generic is not subscriptable at run time
    """Run compile_catalogues before every build, editable ones included."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # hatchling's signature
        """Compile what the checkout holds."""
        compile_catalogues(Path(self.root))
