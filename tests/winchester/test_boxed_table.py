"""A boxed game at a table: questions, what is learnt for ever, the board's page, a kept seat."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask

from referee import export, profiles
from referee.errors import IllegalAction, MalformedAction, RuleViolation, StaleTable, TableError
from referee.games.winchester import rules as winchester
from referee.games.winchester.boards import all_facts, read_board
from referee.journal import replay
from referee.tables import Table, Tables, Who
from tests.table import (
    EVERY_LANGUAGE,
    Browser,
    Evening,
    Sitting,
    act,
    app_at,
    bearer,
    deal,
    play,
    tables_at,
    tables_of,
)

BOXED = {"preset": "boxed", "board": "owned"}
PRACTICE = read_board(profiles.load("winchester", "practice"))
HOST = Who(is_host=True)
SHARED = ("three_together", "five_plots", "four_alike", "last_auction", "dry_saloon")


def boxed(tables: Tables, **options: str) -> Table:
    """Begin a boxed game of four whose shared objectives are laid out."""
    table = deal(tables, seats=4, options=BOXED | {"auction": "spoken"} | options)
    for objective in SHARED:
        act(tables, table, 0, {"type": "lay_objective", "objective": objective})
    return table


def buy(tables: Tables, table: Table, plot: int, seat: int, token: str = "saloon") -> None:  # noqa: S107  # a bonus token
    """Let a seat buy a plot for 1000 in a spoken auction."""
    star = table.ledger.state.star
    act(tables, table, star, {"type": "draw_plot", "plot": plot})
    act(tables, table, star, {"type": "record_sale", "winner": seat, "price": 1000})
    act(tables, table, seat, {"type": "confirm_sale", "token": token})


def asking(tables: Tables) -> Table:
    """Give a table where Ben's three plots raise a question."""
    table = boxed(tables)
    for plot in (7, 8, 9):
        buy(tables, table, plot, 1)
    assert winchester.question(table.ledger.state) is not None
    return table


def answer(tables: Tables, table: Table, who: Who, *facts: tuple[str, str]) -> int:
    """Answer the open question on the version of now."""
    version = table.ledger.version(who.seat)
    return tables.play.answer(
        table, who, facts, version=version, action_id=f"q{table.ledger.length}"
    )


# Answers


@pytest.mark.parametrize("who", [HOST, Who(seat=3)])
def test_anybody_and_the_display_can_answer(tmp_path: Path, who: Who) -> None:
    """A seat that is not asked anything else, or the host; the log says what was told."""
    with tables_at(tmp_path) as tables:
        table = asking(tables)
        question = winchester.question(table.ledger.state)
        assert question is not None
        answer(tables, table, who, *((part.fact, "no") for part in question.parts))

        assert winchester.question(table.ledger.state) is None
        assert table.ledger.log.lines[-1].kind == "answer"
        assert table.ledger.log.lines[-1].seat == who.seat
        again = replay(winchester, tables.store.entries(table.code))
        assert again.state == table.ledger.state


def test_an_answer_counts_once_and_only_on_what_was_seen(tmp_path: Path) -> None:
    """The same tap twice is one answer; on an older picture it is refused."""
    with tables_at(tmp_path) as tables:
        table = asking(tables)
        question = winchester.question(table.ledger.state)
        assert question is not None
        facts = ((question.parts[0].fact, "no"),)
        version = table.ledger.version(None)
        first = tables.play.answer(table, HOST, facts, version=version, action_id="a")
        assert tables.play.answer(table, HOST, facts, version=version, action_id="a") == first
        with pytest.raises(StaleTable):
            tables.play.answer(table, HOST, facts, version=version, action_id="b")
        with pytest.raises(RuleViolation) as refused:
            answer(tables, table, HOST, ("terrain:19", "forest"))
        assert refused.value.code in {"not_asked", "no_question"}


@pytest.mark.parametrize("who", [HOST, Who(seat=3)])
@pytest.mark.parametrize("facts", [(), (("terrain:19", "forest"),), (("touch:7-8", "maybe"),)])
def test_what_is_not_asked_is_refused_whoever_says_it(
    tmp_path: Path, who: Who, facts: tuple[tuple[str, str], ...]
) -> None:
    """Nothing, what nobody asks now, and what cannot be: one path for seats and the host."""
    with tables_at(tmp_path) as tables:
        table = asking(tables)
        length = table.ledger.length
        with pytest.raises(IllegalAction) as refused:
            answer(tables, table, who, *facts)

        assert refused.value.code == "not_asked"
        assert table.ledger.length == length


def test_an_answer_outlives_what_is_taken_back(tmp_path: Path) -> None:
    """The purchase that raised the question is undone; the board stays known, nobody asks again."""
    with tables_at(tmp_path) as tables:
        table = asking(tables)
        question = winchester.question(table.ledger.state)
        assert question is not None
        answer(tables, table, HOST, *((part.fact, "no") for part in question.parts))
        assert tables.consent.undo(table, 1) == "done"

        state = table.ledger.state
        assert state.owners[8] is None
        told = [f"touch:{low}-{high}" for low, high in state.board.apart]
        assert {*told} >= {part.fact for part in question.parts}
        struck = [line.kind for line in table.ledger.log.lines if line.is_undone]
        assert "answer" not in struck
        assert replay(winchester, tables.store.entries(table.code)).state == state


def test_what_was_told_once_is_never_asked_again(tmp_path: Path) -> None:
    """The next table on the same box begins with it; the practice board learns nothing."""
    with tables_at(tmp_path) as tables:
        table = asking(tables)
        question = winchester.question(table.ledger.state)
        assert question is not None
        facts = tuple((part.fact, "no") for part in question.parts)
        answer(tables, table, HOST, *facts)

        assert dict(facts).items() <= tables.store.facts("winchester", "huch").items()
        assert tables.store.facts("winchester", "blue-orange") == {}
        again = asking_nothing(boxed(tables))
        assert {*again.ledger.state.board.apart} == {*table.ledger.state.board.apart}


def asking_nothing(table: Table) -> Table:
    """Give a table back that asks nothing."""
    assert winchester.question(table.ledger.state) is None
    return table


def test_places_and_cards_that_play_shows_are_learnt_too(tmp_path: Path) -> None:
    """Where the boat stood and what a mine paid are known at the next table."""
    with tables_at(tmp_path) as tables:
        table = boxed(tables)
        buy(tables, table, 3, 2, "movement")
        act(tables, table, 2, {"type": "activate", "vehicle": "boat", "space": "7-8"})
        act(tables, table, 2, {"type": "turn_card", "amount": 4000})

        known = tables.store.facts("winchester", "huch")
        assert known == {"boat:7-8": "yes", "mine_card:4000": "yes"}
        assert boxed(tables).ledger.state.board.seen_mines == (4000,)


def test_no_answers_before_and_after_the_game(tmp_path: Path) -> None:
    """A lobby has no question, and neither has a finished game."""
    with tables_at(tmp_path) as tables:
        table, _ = tables.open("winchester")
        with pytest.raises(TableError):
            tables.play.teach(table, HOST, (("terrain:7", "forest"),))
        over = deal(tables, seats=3)
        play(tables, over, random.Random(1))
        with pytest.raises(RuleViolation):
            tables.play.teach(over, HOST, (("terrain:7", "forest"),))


# The HTTP interface


@pytest.mark.long
def test_a_boxed_game_to_its_end_from_the_legal_list_alone(app: Flask) -> None:
    """A stranger's client that knows no rule picks from `legal`, questions included."""
    for seed, options in enumerate(
        (
            BOXED,
            BOXED | {"edition": "blue-orange", "claims": "players", "money": "box"},
            BOXED | {"auction": "sealed", "claims": "automatic", "duel_cards": "app"},
        )
    ):
        sitting = Sitting(app, **options).start(seats=3 + seed % 2)
        rng = random.Random(seed)
        for _ in range(1500):
            shown = sitting.body()
            if shown["status"] == "over":
                break
            sitting.move(rng, shown["view"]["public"]["waiting_for"])
        result = sitting.get("/result")
        assert result.status_code == 200
        assert len(result.json["scores"]) == 3 + seed % 2
        verified = export.verify(sitting.get("/journal").text)
        assert verified.result is not None


def test_the_question_is_shown_and_answered_over_http(own_app: Flask) -> None:
    """With its parts; a seat or the host answers, all at once or piece by piece."""
    sitting = Sitting(own_app, **BOXED).start(seats=4)
    table = sitting.table
    tables = tables_of(own_app)
    for objective in SHARED:
        act(tables, table, 0, {"type": "lay_objective", "objective": objective})
    table.ledger.state = winchester.correct(
        table.ledger.state,
        msgspec.convert(
            {"owners": [{"plot": n, "seat": 1} for n in (7, 8, 9)]}, winchester.Correction
        ),
    ).state
    table.ledger._refresh_legal()  # noqa: SLF001  # the shortest way to three plots

    shown = sitting.body()
    assert shown["question"]["kind"] == "touching"
    parts = [part["fact"] for part in shown["question"]["parts"]]
    legal = sitting.body(3)["legal"]
    assert {"type": "answer", "facts": [[parts[0], "yes"]]} in legal
    body = {"version": sitting.body(3)["version"], "id": "x", "facts": [[parts[0], "no"]]}
    assert sitting.post("/answers", body, sitting.tokens[3]).status_code == 200
    body = {"version": sitting.body()["version"], "id": "y", "facts": [[parts[1], "no"]]}
    assert sitting.post("/answers", body, sitting.host).status_code == 200
    assert sitting.body()["question"] is None
    assert sitting.client.post(
        f"/api/v1/tables/{sitting.code}/answers", json=body, headers=bearer("nobody")
    ).status_code in {401, 403}


# The page of the board


@pytest.fixture
def local(own_app: Flask) -> Browser:
    """Give a browser on the machine itself."""
    browser = Browser(own_app)
    browser.client.environ_base["REMOTE_ADDR"] = "127.0.0.1"
    return browser


HUCH = "/board/winchester/huch"


def test_the_page_says_how_much_is_known_and_teaches(local: Browser, own_app: Flask) -> None:
    """Plot by plot; untapped neighbours are no, and the next plot follows."""
    page = local.get(f"{HUCH}?at=7").text
    assert "0 / 171" in page
    assert "3 / 19" in page
    pairs = [f"touch:{min(7, n)}-{max(7, n)}" for n in range(1, 20) if n != 7]
    form = {"asked": pairs, "touch:6-7": "yes", "terrain:7": "forest", "next": "8"}

    answer = local.client.post(f"{HUCH}/teach", data=form)

    assert answer.status_code == 303
    assert answer.location == f"{HUCH}?table=&at=8"
    known = tables_of(own_app).store.facts("winchester", "huch")
    assert known["touch:6-7"] == "yes"
    assert known["touch:3-7"] == "no"
    assert known["terrain:7"] == "forest"
    page = local.get(HUCH).text
    assert "18 / 171" in page
    assert "4 / 19" in page


def test_the_ranch_and_the_places_of_vehicles_are_taught(local: Browser, own_app: Flask) -> None:
    """By a tick, and by tapping the plots beside; then these are all."""
    local.post(f"{HUCH}/teach", {"ranch": "17"})
    local.client.post(f"{HUCH}/teach", data={"boat_beside": ["8", "5"], "next": ""})
    local.post(f"{HUCH}/teach", {"boat:all": "yes"})

    known = tables_of(own_app).store.facts("winchester", "huch")
    assert known == {"ranch": "17", "boat:5-8": "yes", "boat:all": "yes"}
    assert "5 · 8" in local.get(HUCH).text


def test_the_contradiction_of_the_french_lists_is_shown_and_settled(
    local: Browser, own_app: Flask
) -> None:
    """Plot 6 is on both lists, 4 on neither; our reading is ticked until the owner says."""
    page = local.get("/board/winchester/blue-orange").text
    assert "contradicts itself" in page
    assert "both on and off" in page
    assert "our reading" in page
    form = {f"{side}:{n}": "no" for side in ("river", "rails") for n in range(2, 7)}
    form |= {"river:4": "yes", "river:5": "yes", "rails:6": "yes"}

    local.post("/board/winchester/blue-orange/teach", form)

    assert tables_of(own_app).store.facts("winchester", "blue-orange") == form
    assert "contradicts itself" not in local.get(HUCH).text


def test_a_profile_travels_as_a_file(local: Browser, own_app: Flask) -> None:
    """Exported by one owner, imported by another, who is asked nothing then."""
    store = tables_of(own_app).store
    store.set_facts("winchester", "huch", all_facts(PRACTICE), "now")
    saved = local.get(f"{HUCH}/profile.toml")
    assert saved.headers["Content-Disposition"].endswith('filename="winchester-huch.toml"')
    local.post(f"{HUCH}/forget")
    assert store.facts("winchester", "huch") == {}

    upload = {"file": (io.BytesIO(saved.data), "theirs.toml")}
    answer = local.client.post(f"{HUCH}/import", data=upload)

    assert answer.status_code == 303
    assert store.facts("winchester", "huch") == all_facts(PRACTICE)
    assert "171 / 171" in local.get(HUCH).text


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("no toml at all [", 400),
        ('game = "winchester"\nboard = "blue-orange"\n[facts]\n', 400),
        ('game = "winchester"\nboard = "huch"\n[facts]\n"terrain:7" = 3\n', 400),
        ('game = "winchester"\nboard = "huch"\n[facts]\n"terrain:77" = "forest"\n', 422),
        ("", 400),
    ],
)
def test_a_file_of_something_else_changes_nothing(
    local: Browser, own_app: Flask, text: str, status: int
) -> None:
    """It is said what is wrong, in a sentence."""
    answer = local.client.post(
        f"{HUCH}/import", data={"file": (io.BytesIO(text.encode()), "x.toml")}
    )

    assert answer.status_code == status
    assert "board" in answer.text
    assert tables_of(own_app).store.facts("winchester", "huch") == {}


def test_only_the_machine_and_people_at_a_table_may_teach(own_app: Flask) -> None:
    """A stranger in the Wi-Fi may not; a seat of a table may, through its table."""
    stranger = Browser(own_app)
    assert stranger.get(HUCH).status_code == 403
    assert stranger.post(f"{HUCH}/teach", {"ranch": "17"}).status_code == 403
    assert stranger.post(f"{HUCH}/forget").status_code == 403
    assert stranger.get("/board/winchester/elsewhere").status_code == 404
    assert stranger.get("/board/chess/huch").status_code == 404
    evening = Evening(own_app, seats=3, **BOXED).start()
    assert evening.phones[1].get(f"{HUCH}?table={evening.code}&at=3").status_code == 200
    assert evening.laptop.get(f"{HUCH}?table={evening.code}").status_code == 200
    assert stranger.get(f"{HUCH}?table={evening.code}").status_code == 403
    assert stranger.get(f"{HUCH}?table=QQQQQ").status_code == 403


def test_teaching_reaches_the_running_game(own_app: Flask) -> None:
    """What a waiting phone tells is known and logged at once; what differs, the table is asked."""
    evening = Evening(own_app, seats=3, **BOXED).start()
    phone = evening.phones[2]
    form = {"table": evening.code, "terrain:7": "forest"}
    assert phone.post(f"{HUCH}/teach", form).status_code == 303
    assert evening.table.ledger.state.board.plots[6].terrain == "forest"
    assert evening.table.ledger.log.lines[-1].seat == 2
    assert tables_of(own_app).store.facts("winchester", "huch") == {"terrain:7": "forest"}
    assert phone.post(f"{HUCH}/teach", form).status_code == 303

    wrong = phone.post(f"{HUCH}/teach", form | {"terrain:7": "desert"})

    assert wrong.status_code == 303
    assert evening.table.ledger.proposal is not None
    assert evening.table.ledger.state.board.plots[6].terrain == "forest"
    page = phone.get(f"{HUCH}?table={evening.code}&at=7").text
    assert "everybody" in page


@pytest.mark.parametrize("lang", EVERY_LANGUAGE)
def test_pages_of_a_boxed_table_in_every_language(app: Flask, lang: str) -> None:
    """Every page opens in every phase that a random boxed game comes through."""
    rng = random.Random(lang)
    evening = Evening(app, seats=3, lang=lang, **BOXED, edition="blue-orange").start()
    phases = set()
    for _ in range(40):
        evening.play(rng, most=6)
        if evening.table.ledger.status != "playing":
            break
        phases.add(type(evening.table.ledger.state.phase).__name__)
        for seat, phone in enumerate(evening.phones):
            assert phone.get(evening.seat(seat, "?open=1")).status_code == 200
        assert evening.phones[0].get(evening.seat(0, "/page/objectives")).status_code == 200
        assert evening.phones[0].get(evening.seat(0, "/rules")).status_code == 200
        assert evening.laptop.get(f"/t/{evening.code}").status_code == 200
        assert evening.laptop.get(f"/t/{evening.code}/host").status_code == 200
    assert len(phases) >= 4
    evening.play(rng)
    assert evening.laptop.get(f"/t/{evening.code}").status_code == 200


# Pages and forms


def test_forms_of_a_boxed_game(own_app: Flask) -> None:
    """Plain forms do all that taps do: answers, objectives, where the boat stands, a slip."""
    evening = Evening(own_app, seats=4, **BOXED, auction="spoken").start()
    tables, table = tables_of(own_app), evening.table
    for objective in SHARED:
        act(tables, table, 0, {"type": "lay_objective", "objective": objective})

    def send(seat: int, path: str, **form: Any) -> int:
        form |= {"version": table.ledger.version(seat)}
        phone = evening.phones[seat]
        return phone.client.post(evening.seat(seat, path), data=form).status_code

    objectives = ["forests", "mines"]
    assert send(1, "/act", type="enter_secrets", objectives=objectives) == 303
    assert table.ledger.state.secrets[1] == ("forests", "mines")
    assert send(2, "/act", type="enter_secrets", objectives=["mines"]) == 400
    assert send(1, "/act", type="forget_secrets", next="objectives") == 303
    buy(tables, table, 7, 1, "movement")
    assert send(1, "/act", type="activate", vehicle="boat", beside=["8", "7"]) == 303
    assert table.ledger.state.boat == "7-8"
    for plot in (8, 9):
        buy(tables, table, plot, 1)
    asked = [part.fact for part in winchester.question(table.ledger.state).parts]  # type: ignore[union-attr]
    first = {"asked": asked, asked[0]: "yes"}
    assert send(3, "/answer", **first) == 303
    low, high = map(int, asked[0].partition(":")[2].split("-"))
    assert (low, high) in table.ledger.state.board.touching
    assert send(3, "/answer", asked=["terrain:19"]) == 422
    question = winchester.question(table.ledger.state)
    if question is not None:
        form = {"asked": [part.fact for part in question.parts], "all": "yes"}
        form |= {"more": [part.fact for part in question.more], "version": "0"}
        nothing = form | {"version": str(table.ledger.version(None))}
        refused = evening.laptop.client.post(f"/t/{evening.code}/answer", data=nothing)
        assert refused.status_code == 400, "that it is nothing of all this has to be said"
        form["none"] = "yes"
        answer = evening.laptop.client.post(f"/t/{evening.code}/answer", data=form)
        assert answer.status_code == 409
        form["version"] = str(table.ledger.version(None))
        assert evening.laptop.client.post(f"/t/{evening.code}/answer", data=form).status_code == 303
        assert winchester.question(table.ledger.state) is None


def test_the_display_enters_what_happened_at_the_table(own_app: Flask) -> None:
    """Only the host's display has the forms; they act for the seat, in the open."""
    evening = Evening(own_app, seats=3, **BOXED, auction="spoken").start()
    page = evening.laptop.get(f"/t/{evening.code}").text
    assert 'value="lay_objective"' in page
    guest = Browser(own_app)
    assert 'value="lay_objective"' not in guest.get(f"/t/{evening.code}").text
    form = {"type": "lay_objective", "objective": "five_plots", "version": "0"}
    star = evening.table.ledger.state.star
    path = f"/t/{evening.code}/for/{star}"
    assert guest.post(path, form).status_code == 403
    assert evening.laptop.post(path, form).status_code == 409
    form["version"] = str(evening.table.ledger.version(None))
    assert evening.laptop.post(path, form).status_code == 303
    assert evening.table.ledger.state.phase.laid == ("five_plots",)


def test_a_kept_seat_is_taken_by_whoever_comes_later(own_app: Flask) -> None:
    """No phone holds it; the host acts for it; later its owner sits down at the laptop."""
    evening = Evening(own_app, seats=2, **BOXED, auction="spoken")
    assert evening.laptop.post(f"/t/{evening.code}/hold", {"name": "Uncle Joe"}).status_code == 303
    assert evening.laptop.post(f"/t/{evening.code}/hold", {"name": " "}).status_code == 400
    assert Browser(own_app).post(f"/t/{evening.code}/hold", {"name": "X"}).status_code == 403
    evening.start()
    table = evening.table
    seats = table.ledger.seating.seats
    joe = next(seat for seat, info in seats.items() if info.name == "Uncle Joe")
    page = evening.laptop.get(f"/j/{evening.code}?more=1").text
    assert "Uncle Joe" in page

    seated = evening.laptop.post(f"/j/{evening.code}/seats/{joe}")

    assert seated.location == f"/s/{evening.code}/{joe}"
    assert evening.laptop.get(seated.location).status_code == 200


def test_a_boxed_game_goes_on_next_week(tmp_path: Path) -> None:
    """The computer was off in between; the question is still open, and all pages come back."""
    with app_at(tmp_path) as app:
        evening = Evening(app, seats=4, **BOXED, auction="spoken").start()
        tables, table = tables_of(app), evening.table
        for objective in SHARED:
            act(tables, table, 0, {"type": "lay_objective", "objective": objective})
        for plot in (7, 8, 9):
            buy(tables, table, plot, 1)
        code, state = evening.code, table.ledger.state
        phone, laptop = evening.phones[2], evening.laptop
    with app_at(tmp_path) as app:
        again = tables_of(app).find(code)
        assert again.ledger.state == state
        assert winchester.question(again.ledger.state) is not None
        back = phone.moved_to(app)
        assert "boardq" in back.get(f"/s/{code}/2").text
        assert "boardq" in laptop.moved_to(app).get(f"/t/{code}").text


# Profiles


def test_profiles_are_written_and_read() -> None:
    """A round trip, whatever is in the values; anything else is refused."""
    facts = {"terrain:7": "forest", 'odd "one"': "yes"}

    assert profiles.read(profiles.write("winchester", "huch", facts), "winchester", "huch") == facts
    with pytest.raises(MalformedAction):
        profiles.read("facts = 3", "winchester", "huch")


def test_a_board_that_cannot_be_is_not_taught(tmp_path: Path) -> None:
    """What no board has is refused before anything is stored."""
    with tables_at(tmp_path) as tables:
        with pytest.raises(IllegalAction):
            tables.taught.teach("winchester", "huch", {"terrain:7": "swamp"})
        assert tables.store.facts("winchester", "huch") == {}


def test_each_edition_has_its_name(app: Flask) -> None:
    """French tables begin with the French box; whoever owns another one says so."""
    french = Browser(app, lang="fr")
    code = french.post("/tables", {"game": "winchester"}).location.removeprefix("/t/")
    table = tables_of(app).find(code)
    assert table.ledger.chosen()["edition"] == "blue-orange"
    assert "Pappy Winchester" in french.get(f"/t/{code}").text
    french.post(f"/t/{code}/options", {"edition": "huch"})
    assert "<h1>Daddy Winchester</h1>" in french.get(f"/t/{code}").text
    german = Browser(app, lang="de")
    code = german.post("/tables", {"game": "winchester"}).location.removeprefix("/t/")
    assert "<h1>Daddy Winchester</h1>" in german.get(f"/t/{code}").text
    german.post(f"/t/{code}/options", {"edition": "blue-orange"})
    assert "<h1>Pappy Winchester</h1>" in german.get(f"/t/{code}").text


# What a second look found


def test_an_undo_keeps_what_was_corrected_of_the_board(tmp_path: Path) -> None:
    """Told, played on, corrected, played on, taken back: the journal still replays."""
    with tables_at(tmp_path) as tables:
        table = boxed(tables, edition="blue-orange")
        tables.play.teach(table, HOST, (("river:2", "no"),))
        act(tables, table, 0, {"type": "draw_plot", "plot": 1})
        act(tables, table, 0, {"type": "record_sale", "winner": 1, "price": 1000})
        act(tables, table, 1, {"type": "confirm_sale", "token": "movement"})
        tables.consent.correct(table, None, {"facts": [["river:2", "yes"]]}, reason="")
        act(tables, table, 1, {"type": "activate", "vehicle": "boat", "space": "2-7"})
        assert tables.consent.undo(table, 0) == "asked"
        tables.consent.answer(table, HOST, agree=True)

        assert table.ledger.state.board.plots[1].river is True
        assert replay(winchester, tables.store.entries(table.code)).state == table.ledger.state


def test_what_an_answer_shows_is_not_taken_back_alone(tmp_path: Path) -> None:
    """The app's ranch card is turned by the answer: the bidder before cannot undo on their own."""
    with tables_at(tmp_path) as tables:
        options = {"land_cards": "app", "bonus_tokens": "app", "auction": "open"}
        table = boxed(tables, **options)
        tokens = ["saloon"] * 19
        state = table.ledger.state
        table.ledger.state = msgspec.structs.replace(state, tokens=tuple(tokens))
        act(tables, table, 0, {"type": "draw_plot", "plot": 12})
        act(tables, table, 0, {"type": "bid", "amount": 1000})
        for seat in (1, 2, 3):
            act(tables, table, seat, {"type": "pass"})
        answer(tables, table, HOST, ("ranch", "12"))

        assert tables.consent.undo(table, 3) == "asked"


def test_the_host_stands_in_where_there_is_much_to_choose_from(own_app: Flask) -> None:
    """Where a boat stands and which objectives lie there are chosen from a list, not guessed."""
    evening = Evening(own_app, seats=4, **BOXED, auction="spoken").start()
    tables, table = tables_of(own_app), evening.table
    for objective in SHARED:
        act(tables, table, 0, {"type": "lay_objective", "objective": objective})
    act(tables, table, 0, {"type": "draw_plot", "plot": 7})
    act(tables, table, 0, {"type": "record_sale", "winner": 1, "price": 1000})
    act(tables, table, 1, {"type": "confirm_sale", "token": "movement"})
    page = evening.laptop.get(f"/t/{evening.code}/host").text
    assert '<select name="raw"' in page
    assert 'name="winner"' not in page
    raw = '{"type":"activate","vehicle":"boat","space":"7-8"}'
    form = {"seat": 1, "version": table.ledger.version(None), "raw": raw}

    answered = evening.laptop.post(f"/t/{evening.code}/act-for", form)

    assert answered.status_code == 303
    assert table.ledger.state.boat == "7-8"
    assert evening.laptop.post(f"/t/{evening.code}/act-for", form | {"raw": "{"}).status_code == 400


def test_a_strangers_own_table_opens_no_board_of_ours(own_app: Flask) -> None:
    """Anybody can open a table; only one that plays on the board, or the machine, may teach it."""
    tables_of(own_app).taught.teach("winchester", "huch", {"ranch": "17"})
    stranger = Browser(own_app)
    other = stranger.post("/tables", {"game": "desperados"}).location.removeprefix("/t/")
    mine = stranger.post("/tables", {"game": "winchester"}).location.removeprefix("/t/")
    for table in (other, mine):
        form = {"table": table}
        assert stranger.post(f"{HUCH}/forget", form).status_code == 403
        assert stranger.post(f"{HUCH}/import", form).status_code == 403
    assert stranger.post(f"{HUCH}/teach", {"table": other, "ranch": "16"}).status_code == 403
    stranger.post(f"{HUCH}/teach", {"table": mine, "ranch": "16", "terrain:7": "forest"})
    known = {"ranch": "17", "terrain:7": "forest"}
    assert tables_of(own_app).store.facts("winchester", "huch") == known


def test_a_name_from_elsewhere_is_not_the_machine_itself(local: Browser) -> None:
    """A page that sends a browser to 127.0.0.1 under its own name gets nothing."""
    there = "http://evil.example:8000"
    assert local.client.get(HUCH, base_url=there).status_code == 403
    assert local.client.get(HUCH, base_url="http://127.0.0.1:8000").status_code == 200


def test_a_vehicle_needs_its_plots(own_app: Flask) -> None:
    """Nothing ticked is no place; that it touches no plot is said by a button of its own."""
    evening = Evening(own_app, seats=4, **BOXED, auction="spoken").start()
    tables, table = tables_of(own_app), evening.table
    for objective in SHARED:
        act(tables, table, 0, {"type": "lay_objective", "objective": objective})
    buy(tables, table, 7, 1, "movement")
    form = {"type": "activate", "vehicle": "boat", "version": table.ledger.version(1)}
    assert evening.phones[1].post(evening.seat(1, "/act"), form).status_code == 400
    alone = evening.phones[1].post(evening.seat(1, "/act"), form | {"alone": "yes"})
    assert alone.status_code == 303
    assert table.ledger.state.boat == "none"
    wrong = {"what": "space", "value": "boat:none"}
    assert evening.correct(wrong).status_code == 303
    assert table.ledger.state.board.river_spaces == ()
