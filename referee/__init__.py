"""The companion for boxed board games on a real table."""

from typing import Final

__version__: Final = "0.1.0"
