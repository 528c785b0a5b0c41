"""Questions and moments are closed unions: each member has its template, and no template is left.

`tests/walk` walks through all templates, so a new kind of question is walked through as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, get_args

import pytest

from referee.games import GAMES
from referee.games.desperados import asked as desperados_asked
from referee.games.desperados import desk as desperados_desk
from referee.games.desperados import moments as desperados_moments
from referee.games.desperados import questions as desperados_questions
from referee.games.moon_river import asks as moon_river_asks
from referee.games.moon_river import desk as moon_river_desk
from referee.games.moon_river import moments as moon_river_moments
from referee.games.winchester import asks as winchester_asks
from referee.games.winchester import desk as winchester_desk
from referee.games.winchester import display as winchester_display
from referee.games.winchester import moments as winchester_moments
from referee.web.render import here

UNIONS: Final[dict[tuple[str, str], Any]] = {
    ("desperados", "ask"): desperados_questions.Question,
    ("desperados", "desk"): desperados_desk.Told,
    ("desperados", "moment"): desperados_moments.Moment,
    ("desperados", "question"): desperados_asked.Asked,
    ("moon_river", "ask"): moon_river_asks.Question,
    ("moon_river", "desk"): moon_river_desk.Told,
    ("moon_river", "moment"): moon_river_moments.Moment,
    ("winchester", "ask"): winchester_asks.Question,
    ("winchester", "desk"): winchester_desk.DeskQuestion,
    ("winchester", "moment"): winchester_moments.Moment,
    ("winchester", "question"): winchester_display.Asked,
}
"""What each folder of templates is drawn from."""
PARTS: Final = ("ask", "desk", "question", "moment", "told")


def folders() -> Iterator[tuple[str, str]]:
    """Name the folders that hold a template for each kind of something."""
    for key in GAMES:
        for part in PARTS:
            if (here("templates") / key / part).is_dir():
                yield key, part


@pytest.mark.parametrize(("key", "part"), [*folders()])
def test_every_member_of_a_union_has_its_template(key: str, part: str) -> None:
    """What a phone is told of a moment has one for each moment."""
    union = UNIONS[key, "moment" if part == "told" else part]
    templates = {path.stem for path in (here("templates") / key / part).glob("*.html")}

    assert templates == {member.__struct_config__.tag for member in get_args(union)}
