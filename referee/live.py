"""Who is looking at which table, and waking them up.

Nothing is queued: a page that was slow, or slept, is given the newest state when it wakes.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, TypeAlias

from referee.entries import SeatId

HEARTBEAT_S: Final = 10.0
"""A page takes its line for dead after 25 seconds: one beat may be lost."""
PRESENT_S: Final = 30.0
"""A page says every 12 seconds that it is awake: one time may be lost."""
ABSENT_S: Final = 60.0
"""So long after it was heard of last a phone is not asleep any more but away."""
PAGES_PER_BROWSER: Final = 4


class Watcher:
    """One open page. `wait` sleeps until something happened, the heartbeat is due, or the end.

    `is_known`: it shows a seat, or the display of the table's host; anybody may open any other.
    `is_woken`: something happened since it last waited.
    `rouse`: what to call for a page that sleeps in no thread.
    """

    def __init__(
        self,
        table: str,
        viewer: SeatId | None,
        page: str,
        browser: str,
        *,
        is_known: bool | None = None,
    ) -> None:
        self.is_known = viewer is not None if is_known is None else is_known
        self.table = table
        self.viewer = viewer
        self.page = page
        self.browser = browser
        self.is_closed = False
        self.was_moved = False
        self.is_woken = False
        # Made for a page that sleeps in a thread: it is the largest part of a watcher.
        self._bell: threading.Event | None = None
        self.rouse: Callable[[], None] | None = None

    def wake(self) -> None:
        """Say that there may be something new."""
        # In this order, and in the other one in `wait`: so neither misses what the other did.
        self.is_woken = True
        if self._bell is not None:
            self._bell.set()
        if self.rouse is not None:
            self.rouse()

    def close(self, *, moved: bool = False) -> None:
        """End this page's stream; `moved` when another page of the same browser took over."""
        self.was_moved = moved
        self.is_closed = True
        self.wake()

    def rest(self, rouse: Callable[[], None]) -> bool:
        """Have somebody roused instead of sleeping here; say whether there is time to rest."""
        self.rouse = rouse
        return not self.is_woken

    def go_on(self) -> None:
        """Look again after a rest."""
        self.rouse = None
        # As below: what happens from here on is a reason to look again.
        self.is_woken = False

    def wait(self) -> bool:
        """Say whether somebody woke this page before the heartbeat is due."""
        self._bell = bell = self._bell or threading.Event()
        woken = self.is_woken or bell.wait(HEARTBEAT_S)
        # Cleared before the page looks at the table: what happens from here on wakes it again.
        bell.clear()
        self.is_woken = False
        return woken


Publish: TypeAlias = Callable[[Sequence[Watcher]], Sequence[Watcher]]
"""Writes to pages of one table what changed for them; gives those who are to be woken instead."""


class Live:
    """All open pages of this process, and who was seen lately.

    Attributes:
        publish: tries to reach pages before they are woken.
    """

    def __init__(self, *, most: int = 4000) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._watchers: dict[str, list[Watcher]] = {}
        self._seen: dict[tuple[str, SeatId], float] = {}
        self._told: dict[str, tuple[int, int]] = {}
        self.publish: Publish = lambda watchers: watchers

    def __len__(self) -> int:
        return sum(len(watchers) for watchers in self._watchers.values())

    def open(self, watcher: Watcher) -> bool:
        """Add a page; an older stream of the same page, or a browser's fifth, ends.

        Says no when there is no room for another open page. Seats come before spectators, who may
        take half of the room and give way.
        """
        with self._lock:
            if not self._has_room(watcher):
                return False
            here = self._watchers.setdefault(watcher.table, [])
            for other in here:
                if watcher.page and other.page == watcher.page:
                    other.close()
            # Browsers open six connections to one server; streams must leave room for taps.
            if watcher.browser:
                same = [w for w in self._all() if w.browser == watcher.browser and not w.is_closed]
                for other in same[: max(0, len(same) - PAGES_PER_BROWSER + 1)]:
                    other.close(moved=True)
            here.append(watcher)
        return True

    def _has_room(self, watcher: Watcher) -> bool:
        strangers = [page for page in self._all() if not page.is_known]
        if not watcher.is_known:
            return len(strangers) < max(1, self.most // 2) and len(self) < self.most
        if len(self) < self.most:
            return True
        if not strangers:
            return False
        # Gone from the list at once: its stream may take a while to notice.
        oldest = strangers[0]
        oldest.close()
        self._watchers[oldest.table].remove(oldest)
        return True

    def _all(self) -> list[Watcher]:
        return [watcher for watchers in self._watchers.values() for watcher in watchers]

    def leave(self, watcher: Watcher) -> None:
        """Remove a page whose stream ended."""
        with self._lock:
            here = self._watchers.get(watcher.table, [])
            if watcher in here:
                here.remove(watcher)
            if not here:
                self._watchers.pop(watcher.table, None)

    def wake(self, table: str, *, but: Collection[SeatId | None] = ()) -> None:
        """Tell every page of a table, but not those of viewers for whom nothing happened."""
        # Without the lock, which pages that come and go hold: one that is missed here was opened
        # just now, and begins with the newest state anyway.
        told = [w for w in tuple(self._watchers.get(table, ())) if w.viewer not in but]
        for watcher in self.publish(told):
            watcher.wake()

    def stop(self) -> None:
        """End every stream, for shutting down."""
        with self._lock:
            for watcher in self._all():
                watcher.close()

    def seen(self, table: str, seat: SeatId) -> None:
        """Note that a seat's phone asked for something just now; others see that it is back."""
        was_away = not self.is_present(table, seat)
        self._seen[table, seat] = time.monotonic()
        if was_away:
            self.wake(table)

    def expect(self, table: str, seats: Iterable[SeatId]) -> None:
        """Give phones that nobody has heard of since the start as long as if they just had been."""
        for seat in seats:
            self._seen.setdefault((table, seat), time.monotonic())

    def told(self, table: str, outcome: int) -> int:
        """Say how many steps of an end were told so far; one that was set right begins anew."""
        of, step = self._told.get(table, (outcome, 0))
        return step if of == outcome else 0

    def tell(self, table: str, outcome: int, step: int) -> None:
        """Go on to a step of the end on all screens; never back, so that two taps are one step."""
        if step > self.told(table, outcome):
            self._told[table] = (outcome, step)
            self.wake(table)

    def is_present(self, table: str, seat: SeatId) -> bool:
        """Say whether a seat's phone was heard of lately."""
        return self._silent_s(table, seat) < PRESENT_S

    def is_absent(self, table: str, seat: SeatId) -> bool:
        """Say whether a seat's phone was not heard of for so long that somebody may act for it."""
        return self._silent_s(table, seat) >= ABSENT_S

    def _silent_s(self, table: str, seat: SeatId) -> float:
        return time.monotonic() - self._seen.get((table, seat), float("-inf"))
