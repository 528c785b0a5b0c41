"""The referee with one more game: what anybody would write who brings a game of their own."""

from __future__ import annotations

import sys

from referee.cli import main
from referee.games import GAMES

GAMES.add("tests.toy")
sys.exit(main())
