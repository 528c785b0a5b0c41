"""The journal: its chain, replay, corrections, and what others may notice."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.entries import Draft, Entry, SeatId
from referee.errors import (
    CorruptJournal,
    MalformedAction,
    RuleViolation,
)
from referee.games.base import SeatIndex
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import DrawPlot, SubmitBid
from referee.journal import replay
from referee.seal import ROOT, link, words
from referee.steps import read
from referee.tables import Tables, Who
from tests.chronicle import MANY, Journal, games, picture, randoms
from tests.table import act, choose, deal

# The chain


def test_each_entry_is_linked_to_the_one_before() -> None:
    """A chain value is the hash over the previous one, the salt and the entry."""
    journal = Journal()
    previous = ROOT
    for entry in journal.entries:
        assert entry.chain == link(previous, entry)
        previous = entry.chain

    assert journal.ledger.head == previous


@pytest.mark.parametrize(
    "change",
    [
        {"seat": 1},
        {"at": "later"},
        {"kind": "note"},
        {"payload": {"id": "a", "action": {"type": "pass"}, "by": "seat"}},
        {"salt": "other"},
        {"chain": "0" * 64},
        {"seq": 99},
    ],
)
def test_nothing_in_an_entry_can_be_changed(change: dict[str, Any]) -> None:
    """Whatever is rewritten, the chain no longer fits, and the entry is named."""
    journal = Journal()
    journal.act(0, DrawPlot())
    at = next(n for n, entry in enumerate(journal.entries) if entry.kind == "action")
    entries = [*journal.entries]
    entries[at] = msgspec.structs.replace(entries[at], **change)

    with pytest.raises(CorruptJournal) as refused:
        replay(winchester, entries)
    assert refused.value.code == "broken_chain"
    assert refused.value.facts == {"seq": entries[at].seq}


@pytest.mark.parametrize("lost", [0, 2, -2])
def test_no_entry_can_be_left_out(lost: int) -> None:
    """A gap is seen at the next entry."""
    entries = Journal().entries
    del entries[lost]

    with pytest.raises(CorruptJournal) as refused:
        replay(winchester, entries)
    assert refused.value.code == "broken_chain"


def forged(entries: list[Entry], at: int, **change: Any) -> list[Entry]:
    """Rewrite an entry and link everything after it anew, as a cheat who knows how would."""
    changed: list[Entry] = []
    previous = ROOT
    for number, entry in enumerate(entries):
        if number == at:
            entry = msgspec.structs.replace(entry, **change)  # noqa: PLW2901  # one of them
        entry = msgspec.structs.replace(entry, chain=link(previous, entry))  # noqa: PLW2901
        changed.append(entry)
        previous = entry.chain
    return changed


@pytest.mark.parametrize(
    "payload",
    [
        {"id": "a", "by": "seat", "action": {"type": "bid", "amount": 9000}},
        {"id": "a", "by": "seat", "action": {"type": "nonsense"}},
        {"id": "a", "by": "seat"},
        {"id": "a", "by": "seat", "action": None},
        {},
    ],
)
def test_a_forged_action_does_not_replay(payload: dict[str, Any]) -> None:
    """Well linked, but against the rules or unreadable: told where, not a crash."""
    journal = Journal()
    journal.act(0, DrawPlot())
    at = len(journal.entries) - 2

    with pytest.raises(CorruptJournal) as refused:
        replay(winchester, forged(journal.entries, at, payload=payload))
    assert refused.value.code == "does_not_replay"
    assert refused.value.facts == {"seq": at + 1}


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("undo", {"to": 1}),
        ("undo", {}),
        ("undo", {"to": [1]}),
        ("join", {"seat": 0}),
        ("note", {"what": "left", "seat": 12}),
        ("note", {}),
        ("chance", {"label": "deal", "number": 0, "drawn": 7}),
        ("setup", {"options": {}, "order": [0, 1, 2], "board": {}}),
        ("setup", {"options": {"star": "x"}, "order": [0, 1, 2], "board": {}}),
        ("correction", {"correction": {"star": 12}}),
        ("answer", {}),
    ],
)
def test_any_forged_entry_is_corrupt(kind: Any, payload: dict[str, Any]) -> None:
    """No content of an entry leads to anything but CorruptJournal."""
    journal = Journal()
    journal.act(0, DrawPlot())
    at = len(journal.entries) - 1

    with pytest.raises(CorruptJournal):
        replay(winchester, forged(journal.entries, at, kind=kind, payload=payload))


def test_an_action_of_somebody_who_is_not_there() -> None:
    """A seat that never joined cannot have acted."""
    journal = Journal()
    journal.act(0, DrawPlot())

    with pytest.raises(CorruptJournal):
        replay(winchester, forged(journal.entries, len(journal.entries) - 2, seat=4))


def test_four_words_say_the_head() -> None:
    """Each word is 16 bits of the head, so two heads that differ early differ in words."""
    assert words(ROOT) == "babab babab babab babab"
    assert words("f" * 64) == "zuzuz zuzuz zuzuz zuzuz"
    assert words("0001" + "0" * 60) == "babad babab babab babab"
    assert len({words(f"{n:04x}" + "0" * 60) for n in range(0, 65536, 17)}) == 3856


# Replay


@given(games, randoms)
@MANY
def test_replay_is_the_live_state(journal: Journal, rng: random.Random) -> None:
    """Rebuilt from its entries a ledger says the same in everything, undos included."""
    for _ in range(4):
        journal.play(rng, rng.randrange(30))
        if journal.ledger.status == "playing" and rng.random() < 0.7:
            takers = [
                s for s in range(3) if any(m.seat == s for m in journal.ledger.undoing.marks())
            ]
            if takers:
                journal.undo(rng.choice(takers))

    assert picture(replay(winchester, journal.entries)) == picture(journal.ledger)


def test_entries_survive_json() -> None:
    """Written down and read again, the journal replays all the same."""
    journal = Journal()
    journal.play(random.Random(2), 60)
    written = msgspec.json.encode(journal.entries)

    again = replay(winchester, msgspec.json.decode(written, type=list[Entry]))
    assert again.state == journal.ledger.state
    assert again.head == journal.ledger.head


def test_legal_actions_are_worked_out_once_a_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the table agrees on leaves the state as it is, and asks the game nothing."""
    journal = Journal()
    asked: list[int] = []
    legal_actions = winchester.legal_actions

    def counted(state: Any, seat: SeatIndex) -> tuple[Any, ...]:
        asked.append(seat)
        return legal_actions(state, seat)

    monkeypatch.setattr(winchester, "legal_actions", counted)
    journal.add(Draft("note", SeatId(1), {"what": "moved", "seat": 1}))
    assert asked == []
    journal.play(random.Random(1), 1)

    assert asked


def test_what_everybody_sees_is_built_once_a_state() -> None:
    """Whoever asks gets the same value, until the state is another one."""
    journal = Journal()
    public = journal.ledger.public()
    journal.add(Draft("note", SeatId(1), {"what": "moved", "seat": 1}))
    assert journal.ledger.public() is public
    journal.play(random.Random(1), 1)

    assert journal.ledger.public() == winchester.public(journal.ledger.state) != public


def test_a_running_game_holds_its_board_once() -> None:
    """As its state has it; what the journal wrote of it at the start is not kept beside it."""
    journal = Journal()
    setup = journal.ledger.undoing.stages[0].entry

    assert setup.kind == "setup"
    assert setup.payload == {}
    assert "board" in journal.entries[setup.seq - 1].payload


# Sealed bids


def test_a_running_game_holds_no_seals_of_what_was_played() -> None:
    """A long game has hundreds of them, and they are needed where they are stored."""
    journal = Journal()
    journal.act(0, DrawPlot())

    kept = [stage.entry for stage in journal.ledger.undoing.stages]
    assert {(entry.at, entry.salt, entry.chain) for entry in kept} == {("", "", "")}
    assert all(entry.chain for entry in journal.entries)


def test_a_changed_bid_is_noticed_by_its_seat_alone() -> None:
    """Others' versions, chain words and log stay as they are until the next open entry."""
    journal = Journal(auction="sealed")
    journal.act(0, DrawPlot())
    journal.act(1, SubmitBid(3000))
    ledger = journal.ledger
    before = {
        viewer: (ledger.version(viewer), ledger.noticed.head_for(viewer)) for viewer in (None, 0, 2)
    }
    own = ledger.version(1)
    lines = [*ledger.log.lines]
    journal.act(1, SubmitBid(5000))

    for viewer, seen in before.items():
        assert (ledger.version(viewer), ledger.noticed.head_for(viewer)) == seen
    assert ledger.version(1) == own + 1
    assert ledger.noticed.head_for(1) == ledger.head
    assert ledger.log.lines == lines
    journal.act(0, SubmitBid(0))
    assert {ledger.version(viewer) for viewer in (None, 0, 2)} == {own + 1}
    assert {ledger.noticed.head_for(viewer) for viewer in (None, 0, 1, 2)} == {ledger.head}


def test_a_changed_bid_does_not_keep_others_from_taking_theirs_back() -> None:
    """Else they would learn of it; and the change is not lost by it."""
    journal = Journal(auction="sealed")
    journal.act(0, DrawPlot())
    journal.act(1, SubmitBid(3000))
    journal.act(2, SubmitBid(4000))
    journal.act(1, SubmitBid(5000))
    ledger = journal.ledger

    assert ledger.undoing.may_alone(ledger.undoing.own_last(2))
    journal.undo(2)
    assert ledger.state.phase.bids == (None, 5000, None)
    assert picture(replay(winchester, journal.entries)) == picture(ledger)


def test_taking_a_changed_bid_back_takes_the_bid_back() -> None:
    """The change itself cannot be taken back alone, for that could be noticed."""
    journal = Journal(auction="sealed")
    journal.act(0, DrawPlot())
    journal.act(1, SubmitBid(3000))
    journal.act(1, SubmitBid(5000))
    journal.undo(1)

    assert journal.ledger.state.phase.bids == (None, None, None)
    journal.act(2, SubmitBid(4000))
    journal.undo(2)
    assert journal.ledger.state.phase.bids == (None, None, None)
    assert picture(replay(winchester, journal.entries)) == picture(journal.ledger)


@given(st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_quiet_changes_survive_what_others_take_back(seed: int) -> None:
    """However bids, changes and undos mix, each seat's bid is the last one it still stands by."""
    rng = random.Random(seed)
    journal = Journal(seats=5, auction="sealed", seed=str(seed))
    journal.act(0, DrawPlot())
    stands: dict[int, int] = {}
    order: list[int] = []
    for _ in range(30):
        seat = rng.randrange(4)
        if rng.random() < 0.3 and order:
            taker = rng.choice(order)
            gone = order[order.index(taker) :]
            journal.undo(taker)
            order = order[: order.index(taker)]
            stands = {s: a for s, a in stands.items() if s not in gone}
        else:
            amount = 1000 * rng.randrange(9)
            journal.act(seat, SubmitBid(amount))
            stands[seat] = amount
            order += [seat] if seat not in order else []

    assert journal.ledger.state.phase.bids == tuple(stands.get(seat) for seat in range(5))
    assert picture(replay(winchester, journal.entries)) == picture(journal.ledger)


# Setting right


def test_notes_that_change_place_are_conserved(tables: Tables) -> None:
    """Whatever is set right, the notes of the box are all there."""
    table = deal(tables)
    rng = random.Random(3)
    places = [0, 1, 2, "bank", "saloon"]
    moved = 0
    for _ in range(60):
        source, target = rng.sample(places, 2)
        by = source if isinstance(source, int) else None
        transfer = {"source": source, "target": target, "amount": 1000 * rng.randrange(1, 12)}
        try:
            tables.consent.correct(table, by, {"transfers": [transfer]}, reason="")
        except RuleViolation:  # there is less than that
            continue
        if by is not None:
            tables.consent.answer(table, Who(is_host=True), agree=True)
        moved += 1
        act(tables, table, *choose(table.ledger, rng))
        assert winchester.violations(table.ledger.state) == ()
    assert moved > 20


def test_a_correction_stands_in_the_log_with_its_reason(tables: Tables) -> None:
    """In one line, shortened, and the host named."""
    table = deal(tables)
    outcome = tables.consent.correct(table, None, {"star": 2}, reason="x\n\u2028 y " + "z" * 300)
    note = table.ledger.log.lines[-1].note

    assert outcome == "done"
    assert table.ledger.state.star == 2
    assert note is not None
    assert note["how"] == "host"
    assert note["reason"].startswith("x y zzz")
    assert len(note["reason"]) == 200


@pytest.mark.parametrize("raw", [None, [], "star", {"star": "2"}, {"transfers": 7}])
def test_a_correction_that_cannot_be_read(tables: Tables, raw: object) -> None:
    """Is malformed and changes nothing."""
    table = deal(tables)
    length = table.ledger.length

    with pytest.raises(MalformedAction):
        tables.consent.correct(table, None, raw, reason="")
    assert table.ledger.length == length


RAW: tuple[object, ...] = (
    *({"type": "bid", "amount": amount} for amount in (1000, "1000")),
    *({"type": "pass"}, {"type": "pass", "more": 1}, {"type": "nothing"}, {}),
    *([], "pass", 3, None),
)


@pytest.mark.parametrize("raw", RAW, ids=repr)
def test_an_action_is_read_or_refused_as_msgspec_does_it(raw: object) -> None:
    """The frame that makes it quick shows nowhere: same value, same words about the same place."""

    def outcome(read: Callable[[object, Any], Any]) -> object:
        try:
            return read(raw, winchester.Action)
        except msgspec.ValidationError as refusal:
            return str(refusal)

    assert outcome(read) == outcome(msgspec.convert)
