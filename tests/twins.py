"""Twin tables: the same but for what one viewer may not know, played through all forms at once.

Nothing is random of itself: both draw keys, salts and codes from streams of the same start, and
share one clock. What differs is dealt at the root, so that whatever is replayed differs as well.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from werkzeug.test import TestResponse

from referee.errors import RefereeError
from referee.games.base import SeatIndex
from referee.steps import decode_action
from tests.forms import Form, forms_of
from tests.strategies import sees
from tests.twin_worlds import Clock, Twin, World, live_of, seen

ELSEWHERE: Final = ("/transfer", "/rename", "/leave", "/release", "/rematch", "/address", "/wifi")
"""Forms that lead away from the table, or take keys away."""
WALKED: Final = 4
"""How many steps lie between two looks at every page."""


class TwinLeak(AssertionError):
    """Two tables that differ only in what a viewer may not know looked different to that viewer."""


class Twins:
    """Two tables, and a viewer who must not be able to tell them apart.

    Args:
        viewer: the seat from whom all that differs is hidden; None is the display, with its host.
    """

    def __init__(self, worlds: tuple[World, World], viewer: int | None, rng: random.Random) -> None:
        self.one, self.two = worlds
        self.viewer = viewer
        self.rng = rng
        self.steps = 0
        self.before: dict[int, Any] = {}
        self.done: list[str] = []

    @property
    def viewers(self) -> tuple[int | None, ...]:
        """Name all who may not know what differs."""
        return (None,) if self.viewer is None else (self.viewer, None)

    def both(self, do: Callable[[World], Any]) -> tuple[Any, Any]:
        """Do the same in both worlds."""
        return do(self.one), do(self.two)

    def same(self, what: str, do: Callable[[World], TestResponse]) -> TestResponse:
        """Do the same in both worlds; the answers must be the same to the byte."""
        one, two = self.both(do)
        self.compare(what, seen(self.one, one), seen(self.two, two))
        return one  # type: ignore[no-any-return]

    def compare(self, what: str, one: object, two: object) -> None:
        """Complain if two things that a viewer gets differ."""
        if one != two:
            raise TwinLeak(
                f"{what} differs for {self.viewer} after {self.done[-6:]}:\n{_difference(one, two)}"
            )

    # Looking

    def look(self) -> None:
        """Compare what each of the viewers is shown; every few steps all there is."""
        code = self.one.evening.code
        for viewer in self.viewers:
            woken = self.both(lambda world, v=viewer: world.woken(v))
            self.compare(f"whether {viewer}'s page is woken", *woken)
        is_all = self.steps % WALKED == 0
        for viewer in self.viewers:
            for path in self._pages(viewer, code, is_all=is_all):
                self.same(path, lambda w, v=viewer, p=path: w.get(v, p))
            if viewer is not None:
                beat = f"/s/{code}/{viewer}/reading"
                self.same(beat, lambda w, v=viewer, p=beat: w.post(v, p, {}))
            for path in ("", "/journal")[: 1 + is_all]:
                where = f"/api/v1/tables/{code}{path}"
                self.same(where, lambda w, v=viewer, p=where: w.get(v, p, api=True))

    @staticmethod
    def _pages(viewer: int | None, code: str, *, is_all: bool) -> list[str]:
        if viewer is None:
            pages = [f"/t/{code}", f"/t/{code}/host", f"/t/{code}/export/journal", "/"]
        else:
            base = f"/s/{code}/{viewer}"
            pages = [f"{base}?open=1", f"{base}/menu", base, f"{base}/rules"]
        return pages if is_all else pages[:2]

    # Doing

    def step(self) -> bool:
        """Let somebody do something; say whether the two are still twins."""
        self.steps += 1
        if self.rng.random() < 0.1:  # now and then phones sleep
            self.one.clock.at += self.rng.choice((5, 40))
        doing = self.rng.choices(
            (
                self.move,
                self.viewer_form,
                self.other_form,
                self.viewer_says,
                self.in_secret,
                self.viewer_retells,
            ),
            (6, 2, 2, 2, 1, 1),
        )[0]
        are_twins = doing()
        if are_twins:
            self.look()
        return are_twins

    def move(self) -> bool:
        """Let any seat do what it may in both worlds."""
        seats = [s for s in self.one.ledger.to_act() if self._common(s)]
        if not seats:
            return False
        held_up = self.one.ledger.game.public(self.one.ledger.state).waiting_for
        eager = [s for s in seats if s in held_up]
        seat = self.rng.choice(eager if eager and self.rng.random() < 0.8 else seats)
        self.before[seat] = self.rng.choice(self._common(seat))
        action = msgspec.to_builtins(self.before[seat])
        self.done.append(f"{seat}: {action}")
        number = f"a{self.steps}"
        one, two = self.both(
            lambda w: w.say(
                seat,
                "/actions",
                {"version": w.ledger.version(seat), "id": number, "action": action},
            )
        )
        assert (one.status_code, two.status_code) == (200, 200), (one.text, two.text)
        return self._are_twins()

    def in_secret(self) -> bool:
        """Let another seat of the second world do what the viewers may not notice at all.

        Half of the time it does again at once what it has done in both worlds before.
        """
        world = self.two
        others = [s for s in range(len(world.ledger.seating.order)) if s != self.viewer]
        seat = self.rng.choice(others)
        legal = world.ledger.legal_for(seat)
        actions = [a for a in self.rng.sample(legal, min(8, len(legal))) if self._is_quiet(seat, a)]
        if not actions:
            return True
        done = [actions[0]]
        before = self.before.get(seat)
        if before in legal and self._is_quiet(seat, before) and self.rng.random() < 0.7:
            done.append(before)
        for number, action in enumerate(done):
            if action not in world.ledger.legal_for(seat):
                break  # the one before has left no place for it
            raw = msgspec.to_builtins(action)
            self.done.append(f"{seat} in secret: {raw}")
            body = {"version": world.ledger.version(seat), "id": f"q{self.steps}-{number}"}
            answer = world.say(seat, "/actions", body | {"action": raw})
            assert answer.status_code == 200, answer.text
            # That its phone is awake everybody may see, so it is awake in both.
            live_of(self.one).seen(self._code, seat)
            self.look()
        return self._are_twins()

    def _is_quiet(self, seat: int, action: Any) -> bool:
        """Say whether none of the viewers may notice an action."""
        ledger = self.two.ledger
        try:
            step = ledger.game.apply(ledger.state, SeatIndex(seat), action)
        except RefereeError:
            return False
        return step.audience is not None and self.viewer not in step.audience

    def _common(self, seat: int) -> list[Any]:
        legal = self.two.ledger.legal_for(seat)
        mine = self.one.ledger.legal_for(seat)
        if seat == self.viewer:
            self.compare("what may be done", mine, legal)
        known = {*legal}
        return [action for action in mine if action in known]

    def _are_twins(self) -> bool:
        """Say whether nothing was opened that differs; what is opened must say so."""
        one, two = self.both(lambda w: w.ledger.status)
        if "over" in {one, two}:
            return False
        views = self.both(
            lambda w: (
                sees(w.ledger.game, w.ledger.state, self.viewer),
                [line.events for line in w.ledger.log.lines],
            )
        )
        if views[0] == views[1]:
            return True
        last = self.both(lambda w: w.ledger.last_step)
        if not (last[0].reveals or last[1].reveals):
            self.compare("what may be seen", *views)
        return False

    def viewer_form(self) -> bool:
        """Let a viewer send any form of any page, filled in at random; the twins answer alike."""
        viewer = self.rng.choice(self.viewers)
        page = self.rng.choice(self._pages(viewer, self._code, is_all=False))
        found, _ = self.both(lambda w: self._forms(w, viewer, page))
        if not found:
            return True
        form = self.rng.choice(found)
        fields = form.filled(self.rng)
        self.done.append(f"{viewer} form {form.action} {fields}")
        self.same(f"answer to {form.action}", lambda w: w.post(viewer, form.action, fields))
        return self._are_twins()

    @staticmethod
    def _forms(world: World, viewer: int | None, page: str) -> list[Form]:
        html = world.get(viewer, page).text
        code = world.evening.code
        return [
            form
            for form in forms_of(html)
            if code in form.action and not form.action.endswith(ELSEWHERE)
        ]

    def other_form(self) -> bool:
        """Let another seat send a form of its own page, with each world's own hidden fields.

        Its own secrets may decide how it fares; then the two are no twins any more.
        """
        others = [s for s in range(len(self.one.evening.phones)) if s != self.viewer]
        seat = self.rng.choice(others)
        page = self.rng.choice(self._pages(seat, self._code, is_all=False))
        mine, theirs = self.both(lambda w: self._forms(w, seat, page))
        mine = [form for form in mine if form.action.startswith(f"/s/{self._code}/{seat}/")]
        if not mine:
            return True
        form = self.rng.choice(mine)
        fields = form.filled(self.rng)
        own = _own_fields(form, fields, theirs)
        if own is None or not self._may_both(seat, form.action, fields):
            return True
        self.done.append(f"other {seat} form {form.action} {fields}")
        one = self.one.post(seat, form.action, fields)
        two = self.two.post(seat, form.action, own)
        return one.status_code == two.status_code and self._are_twins()

    @property
    def _code(self) -> str:
        return self.one.evening.code

    def _may_both(self, seat: int, path: str, fields: Mapping[str, list[str]]) -> bool:
        """Say whether an action that a form tells may be taken in both worlds, or in neither."""
        if not path.endswith("/act"):
            return True
        game = self.one.ledger.game
        try:
            action = decode_action(game, game.forms.action(fields))
        except RefereeError:
            return True
        may = self.both(lambda w: action in w.ledger.legal_for(seat))
        return may[0] == may[1]

    def viewer_retells(self) -> bool:
        """Let a viewer say that something was told wrongly, see what follows, and ask for it."""
        viewer = self.rng.choice(self.viewers)
        base = f"/t/{self._code}" if viewer is None else f"/s/{self._code}/{viewer}"
        page = self.same("what was told", lambda w: w.get(viewer, f"{base}/told"))
        lines = sorted({*re.findall(rf"{base}/told/\d+/\d+", page.text)})
        if not lines:
            return True
        line = self.rng.choice(lines)
        page = self.same("a line to be told anew", lambda w: w.get(viewer, line))
        for _ in range(3):
            found = [form for form in forms_of(page.text) if form.action.startswith(base)]
            if not found:
                break
            form = self.rng.choice(found)
            fields = form.filled(self.rng)
            self.done.append(f"{viewer} tells anew {form.action} {fields}")
            page = self.same(
                "what is told anew", lambda w, f=form, x=fields: w.post(viewer, f.action, x)
            )
        return self._are_twins()

    def viewer_says(self) -> bool:
        """Let a viewer say anything to the interface; the twins answer alike."""
        viewer = self.rng.choice(self.viewers)
        path, body = self._saying(viewer)
        self.done.append(f"{viewer} says {path} {body}")
        self.same(f"answer to {path}", lambda w: w.say(viewer, path, body))
        return self._are_twins()

    def _saying(self, viewer: int | None) -> tuple[str, dict[str, Any]]:
        ledger, rng = self.one.ledger, self.rng
        version, number = ledger.version(viewer), f"s{self.steps}"
        seat = rng.randrange(len(ledger.seating.order))
        match rng.randrange(6):
            case 0:
                return "/undo", {}
            case 1:
                return "/ask", {"agree": rng.random() < 0.5}  # either
            case 2:
                actions = ledger.game.stand_in(ledger.state, SeatIndex(seat))
                action = rng.choice(actions) if actions else {"type": "pass"}
                body = {"version": version, "id": number, "seat": seat}
                return "/act-for", body | {"action": msgspec.to_builtins(action)}
            case 3:
                return "/corrections", {
                    "correction": self._correction(),
                    "reason": "",
                    "id": number,
                }
            case _:
                actions = ledger.legal_for(seat)
                action = rng.choice(actions) if actions else {"type": "pass"}
                body = {"version": version, "id": number}
                return "/actions", body | {"action": msgspec.to_builtins(action)}

    def _correction(self) -> Any:
        """Write a correction that a form on the host's page could tell."""
        found, _ = self.both(lambda w: self._forms(w, None, f"/t/{self._code}/host"))
        forms = [form for form in found if form.action.endswith("/correct")]
        for _ in range(5):
            fields = self.rng.choice(forms).filled(self.rng) if forms else {}
            try:
                return self.one.ledger.game.forms.correction(fields)
            except RefereeError:
                continue
        return {}


def _own_fields(
    form: Form, fields: Mapping[str, list[str]], others: Sequence[Form]
) -> dict[str, list[str]] | None:
    """Give the same fields with the numbers that the other world's page has in them."""
    same = [
        other
        for other in others
        if (other.action, _kept(other), other.typed) == (form.action, _kept(form), form.typed)
    ]
    if not same:
        return None
    return dict(fields) | {
        name: [value] for name, value in same[0].fixed if name in {"version", "number", "to"}
    }


def _kept(form: Form) -> list[tuple[str, str]]:
    return [pair for pair in form.fixed if pair[0] not in {"version", "number", "to"}]


def _difference(one: object, two: object) -> str:
    """Show where two things begin to differ."""
    a, b = repr(one), repr(two)
    at = next(
        (n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    return f"... {a[max(0, at - 150) : at + 150]}\n... {b[max(0, at - 150) : at + 150]}"


def play_twins(
    folder: Path,
    stack: Any,
    clock: Clock,
    rng: random.Random,
    *,
    game: str,
    seats: int,
    viewer: int | None,
    most: int,
    **options: str,
) -> Twins:
    """Play two tables side by side until something opens that differs between them."""
    worlds = World(clock), World(clock)
    for number, world in enumerate(worlds):
        world.begin(folder / str(number), stack, game, seats, **options)
    table = worlds[1].evening.table
    table.ledger.game = Twin(table.ledger.game, viewer, f"twin {rng.random()}")  # type: ignore[assignment]  # all that a game has, it has
    for world in worlds:
        world.start()
    twins = Twins(worlds, viewer, rng)
    twins.look()
    for _ in range(most):
        if not twins.step():
            break
    return twins
