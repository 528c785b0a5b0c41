"""What leaves the table: journals that verify, or say what is wrong; results for other programs."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import chance, export
from referee.entries import Entry
from referee.errors import CorruptJournal, TableError
from referee.export import verify
from referee.games.winchester.actions import DrawPlot
from referee.seal import ROOT, link
from referee.tables import Table, Tables, Who
from tests.table import APP, act, deal, play, tables_at

GOLDEN = (Path(__file__).parent / "golden" / "winchester_sealed_win.jsonl").read_text(
    encoding="utf-8"
)


def journal(tables: Tables, table: Table, viewer: int | None = None) -> str:
    """Export a journal."""
    return "".join(export.journal(table, tables.store.entries(table.code), viewer))


def rewritten(change: Any, *, relink: bool = True) -> str:
    """Change a journal's header and entries as a cheat would, linking them anew."""
    header, *lines = GOLDEN.split("\n")[:-1]
    head = msgspec.json.decode(header)
    entries = [msgspec.json.decode(line, type=Entry) for line in lines]
    entries = change(head, entries) or entries
    previous, out = ROOT, [msgspec.json.encode(head).decode()]
    for entry in entries:
        sound = msgspec.structs.replace(entry, chain=link(previous, entry)) if relink else entry
        previous = sound.chain
        out.append(msgspec.json.encode(sound).decode())
    return "\n".join(out) + "\n"


def at(entries: list[Entry], kind: str, number: int = 0) -> int:
    """Find an entry of a kind."""
    return [n for n, entry in enumerate(entries) if entry.kind == kind][number]


def put(entries: list[Entry], index: int, **change: Any) -> list[Entry]:
    """Change one entry."""
    return [
        *entries[:index],
        msgspec.structs.replace(entries[index], **change),
        *entries[index + 1 :],
    ]


# Verifying


def test_a_finished_journal_verifies(tables: Tables) -> None:
    """Fresh from play, unseeded, with names and reasons that make other tools stumble."""
    table = deal(tables, seed=None, seats=4)
    tables.lobby.rename(table, 0, "Zoë 🐺")
    play(tables, table, random.Random(1), most=50)
    tables.consent.correct(table, None, {"star": 1}, reason="because\u2028of \x85 this")
    play(tables, table, random.Random(2))
    found = verify(journal(tables, table))

    assert found.head == table.ledger.head
    assert found.entries == table.ledger.length
    assert found.result == table.game.score(table.ledger.state)


def test_line_separators_inside_text_are_no_ends_of_lines(tables: Tables) -> None:
    """A phone may send anything as its own randomness; nobody can spoil the proof with it."""
    table, _ = tables.open("winchester", options=APP)
    for name in "ABC":
        tables.lobby.join(table, name, mix="x\u2028y\u2029z\x85\x0b\x0c\x1c")
    tables.lobby.start(table)
    play(tables, table, random.Random(1))

    assert verify(journal(tables, table)).entries == table.ledger.length


def test_a_draw_that_came_again_verifies(tables: Tables) -> None:
    """Though the pool was another by then: what was seen comes again if it still can."""
    table = deal(tables, seed=None)
    act(tables, table, 0, DrawPlot())
    plot = table.ledger.state.phase.plot
    tables.consent.undo(table, 0)
    tables.consent.answer(table, Who(is_host=True), agree=True)
    others = [n for n in range(1, 20) if n != plot][:3]
    owners = [{"plot": n, "seat": 1} for n in others]
    tables.consent.correct(table, None, {"owners": owners}, reason="")
    act(tables, table, 0, DrawPlot())
    assert table.ledger.state.phase.plot == plot
    play(tables, table, random.Random(1))

    assert verify(journal(tables, table)).result is not None


@pytest.mark.parametrize("relink", [True, False])
@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda h, _: h.update(seed="0" * 32), "wrong_"),
        (lambda _, e: put(e, 0, payload=e[0].payload | {"commitment": "0" * 64}), "wrong_"),
        (lambda _, e: put(e, at(e, "chance"), payload=swapped(e[at(e, "chance")])), "wrong_draw"),
        (lambda _, e: put(e, at(e, "chance", 1), payload=e[at(e, "chance", 2)].payload), "unasked"),
        (lambda _, e: put(e, at(e, "chance", 1), payload={}), "does_not_replay"),
        (lambda _, e: put(e, at(e, "action", 1), seat=9), "does_not_replay"),
        (lambda _, e: e[: at(e, "chance")] + e[at(e, "chance") + 1 :], "does_not_replay"),
    ],
)
def test_a_cheat_is_found_out(change: Any, code: str, relink: bool) -> None:  # noqa: FBT001
    """By the chain; or, if that was made anew, by the draws and the rules."""
    with pytest.raises(CorruptJournal) as refused:
        verify(rewritten(change, relink=relink))
    assert refused.value.code.startswith(
        (code, "broken_chain", "wrong_", "does_not_replay", "unasked")
    )
    if relink:
        assert refused.value.code != "broken_chain" or code == "does_not_replay"


def swapped(entry: Entry) -> dict[str, Any]:
    """Deal the secret objectives in another order."""
    drawn = dict(entry.payload["drawn"])
    return entry.payload | {"drawn": drawn | {"secret": [*reversed(drawn["secret"])]}}


def test_an_open_journal_cannot_be_verified_before_the_end(tables: Tables) -> None:
    """Its seed is still closed."""
    table = deal(tables, seed=None)
    with pytest.raises(CorruptJournal) as refused:
        verify(journal(tables, table))
    assert refused.value.code in {"still_sealed", "not_a_journal"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "no journal",
        "[]",
        "{}",
        '{"format": "referee journal 1", "game": []}',
        '{"format": "referee journal 1", "game": "chess", "seed": "x"}',
        '{"format": "referee journal 1", "game": "winchester", "seed": 7}',
        '{"format": "referee journal 1", "game": "winchester", "seed": "x"}\n{}',
        '{"format": "referee journal 1", "game": "winchester", "seed": "x"}\n' + "[" * 100_000,
        "\x00\xff",
    ],
)
def test_what_is_no_journal(text: str) -> None:
    """Is said to be none."""
    with pytest.raises(CorruptJournal) as refused:
        verify(text)
    assert refused.value.code in {"not_a_journal", "still_sealed"}


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_no_change_goes_unnoticed(data: st.DataObject) -> None:
    """Any value in any line changed to anything: refused with a code, never a crash."""
    lines = GOLDEN.split("\n")[:-1]
    number = data.draw(st.integers(0, len(lines) - 1))
    line = msgspec.json.decode(lines[number])
    name = data.draw(st.sampled_from(sorted(line)))
    value = data.draw(
        st.one_of(
            st.none(), st.integers(-5, 200), st.text("a0", max_size=3), st.just({}), st.just([])
        )
    )
    if line[name] == value or (number == 0 and name not in {"format", "game", "seed"}):
        return
    lines[number] = msgspec.json.encode(line | {name: value}).decode()

    with pytest.raises(CorruptJournal):
        verify("\n".join(lines) + "\n")


# While playing


def test_an_entry_that_is_not_taken_yet_is_not_shown(tables: Tables) -> None:
    """Between the commit and the ledger nobody knows whether it is sealed: it might be a bid."""
    table = deal(tables, options={"auction": "sealed"})
    act(tables, table, 0, DrawPlot())
    before = journal(tables, table)
    stale = tables.store.entries(table.code)
    act(tables, table, 1, {"type": "submit_bid", "amount": 7000})
    newer = tables.store.entries(table.code)
    again = Tables(tables.store, tables.live).find(table.code)
    again.ledger.noticed.length = len(stale)

    assert "".join(export.journal(again, newer, None)) == before
    assert "7000" not in journal(tables, table).split("\n")[-2]


# Results


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Give a finished table with names that spreadsheets take for formulas."""
    with tables_at(tmp_path_factory.mktemp("finished")) as tables:
        table, _ = tables.open("winchester", options=APP, seed="x")
        for name in ("=1+1", "+SUM(A1)", 'Quo"te, comma'):
            tables.lobby.join(table, name)
        tables.lobby.start(table)
        play(tables, table, random.Random(1))
        return table


def test_a_result_has_its_reasons(finished: Table) -> None:
    """Totals are the sums of their named lines, and a winner has the highest."""
    result = export.result(finished)

    for score in result["scores"]:
        assert score["total"] == sum(line["amount"] for line in score["lines"])
    best = max(score["total"] for score in result["scores"])
    assert {s["seat"] for s in result["scores"] if s["total"] == best} >= {*result["winners"]}


def test_no_result_before_the_end(tables: Tables) -> None:
    """Neither in the lobby nor while playing."""
    lobby, _ = tables.open("winchester", options=APP)
    for table in (lobby, deal(tables)):
        with pytest.raises(TableError) as refused:
            export.result(table)
        assert refused.value.code == "not_over"


def test_a_seed_and_ids_stay_closed_while_the_game_goes_on(tables: Tables) -> None:
    """A table with a seed of its own says so, and which one it was when the game is over."""
    table = deal(tables, seed="a word")
    act(tables, table, 0, {"type": "draw_plot"}, action_id="my own business")
    text = "".join(export.journal(table, tables.store.entries(table.code), None))
    assert "a word" not in text
    assert chance.commitment("a word") not in text
    assert "my own business" not in text
    assert table.ledger.is_seeded

    play(tables, table, random.Random(3))

    text = "".join(export.journal(table, tables.store.entries(table.code), None))
    assert '"seed":"a word"' in text
    assert export.verify(text).result == table.game.score(table.ledger.state)
