"""A state that notes which of its fields are read."""

from __future__ import annotations

from types import MethodType
from typing import Any


class Watched:
    """Stands in for a struct.

    Attributes:
        read: the names of the fields that were read, through methods and properties as well.
    """

    def __init__(self, of: Any) -> None:
        self._of = of
        self.read: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        if name in self._of.__struct_fields__:
            self.read.add(name)
            return getattr(self._of, name)
        found = getattr(type(self._of), name)
        return found.fget(self) if isinstance(found, property) else MethodType(found, self)
