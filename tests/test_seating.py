"""Who sits where: kept seats, the same people again, a seat on the table's own screen."""

from __future__ import annotations

import random
from pathlib import Path

from tests.table import Browser, Evening, app_at, tables_of


def test_whoever_takes_a_kept_seat_first_sits_down(tmp_path: Path) -> None:
    """It looks kept until then, and nobody is told that a seat moved."""
    with app_at(tmp_path) as app:
        evening = Evening(app, seats=3)
        evening.laptop.post(f"/t/{evening.code}/hold", {"name": "Late"})
        assert "kept" in evening.laptop.get(f"/t/{evening.code}").text
        evening.start()
        seat = evening.table.ledger.order[-1]
        late = Browser(app)

        late.post(f"/j/{evening.code}/seats/{seat}")

        assert late.get(f"/s/{evening.code}/{seat}").status_code == 200
        assert "seat moved" not in evening.phones[0].get(evening.seat(0)).text
        assert "seat moved" not in evening.laptop.get(f"/t/{evening.code}").text


def test_a_rematch_keeps_the_host_and_all_seats_of_a_phone(tmp_path: Path) -> None:
    """Whoever asks first: a laptop that hosts and plays brings both along, by any way in."""
    with app_at(tmp_path) as app:
        evening = Evening(app, seats=3).start()
        evening.play(random.Random(1))
        key = tables_of(app).desk.new_key(evening.table, evening.table.ledger.order[2])
        phone = evening.phones[1]
        mine = next(c for c in phone.client._cookies.values() if c.key.endswith("_1"))  # noqa: SLF001
        phone.client.set_cookie(mine.key[:-1] + "2", key, domain=mine.domain)

        answer = phone.post(evening.seat(1, "/rematch"))
        again = answer.location.split("/")[2]

        assert phone.key(again, 1)
        assert phone.key(again, 2)
        evening.laptop.post(f"/t/{evening.code}/rematch")
        assert evening.laptop.key(again, "host")


def test_a_player_without_a_phone_stays_at_the_display(tmp_path: Path) -> None:
    """The page after sitting down is the big screen, with the seat's button once play is on."""
    with app_at(tmp_path) as app:
        evening = Evening(app, seats=3)
        path = f"/j/{evening.code}"
        assert 'name="home"' in evening.laptop.get(f"{path}?more=1&home=1").text

        sat = evening.laptop.post(path, {"name": "Hank", "home": "1"})

        assert sat.location == f"/t/{evening.code}"
        evening.start()
        assert "?home=1" in evening.laptop.get(f"/t/{evening.code}").text
