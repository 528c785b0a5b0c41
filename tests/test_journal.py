"""The journal: its chain, replay, taking back, consent, and what others may notice."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee import profiles
from referee.deciding import fits
from referee.entries import Draft, Entry, SeatId
from referee.errors import (
    CorruptJournal,
    MalformedAction,
    RuleViolation,
    StaleTable,
    TableError,
    UndoRefused,
)
from referee.games.base import Need, Outcome, Pool, SeatIndex
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import Bid, DrawPlot, Pass, SubmitBid
from referee.journal import Ledger, replay
from referee.seal import ROOT, link, words
from referee.steps import decode_action
from referee.tables import DISPLAY, Table, Tables, Who
from tests import journals
from tests.table import APP, act, choose, deal, moves, play, tables_at

BOARD = profiles.load("winchester", "practice")
HOST = Who(is_host=True)


class Journal(journals.Journal):
    """A journal of an auction game, on the practice board."""

    def __init__(self, *, seats: int = 3, seed: str = "seed", **options: str) -> None:
        super().__init__(winchester, seats=seats, seed=seed, options=APP | options, board=BOARD)

    def undo(self, seat: int) -> None:
        """Take a seat's last action back, whoever agreed."""
        mark = self.ledger.undoing.own_last(seat)
        self.add(Draft("undo", seat, {"to": mark.seq, "by": seat, "how": "agreed"}))

    def play(self, rng: random.Random, count: int) -> None:
        """Play so many random actions, unless it ends before."""
        for _ in range(count):
            if self.ledger.status == "playing":
                self.act(*choose(self.ledger, rng))


def picture(ledger: Ledger) -> dict[str, Any]:
    """Give everything a ledger says."""
    return {k: v for k, v in vars(ledger).items() if k not in {"last_step", "_shown"}}


games = st.builds(
    Journal,
    seats=st.integers(3, 5),
    seed=st.text("abc", max_size=4),
    auction=st.sampled_from(("open", "sealed")),
    claims=st.sampled_from(("referee", "players", "automatic")),
)
randoms = st.builds(random.Random, st.integers(0, 2**32))
MANY = settings(max_examples=25, deadline=None)


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


# Taking back


@given(games, randoms)
@example(Journal(seats=3, seed="cbc", auction="open", claims="referee"), random.Random(156))
@MANY
def test_taking_back_restores_the_state_before(journal: Journal, rng: random.Random) -> None:
    """After an action and its undo all is as it was, but for what was seen and for the log."""
    journal.play(rng, rng.randrange(80))
    if journal.ledger.status != "playing":
        return
    seat, action = choose(journal.ledger, rng)
    state, legal = journal.ledger.state, journal.ledger.legal
    lines = len(journal.ledger.log.lines)
    journal.act(seat, action)
    ledger = journal.ledger
    if ledger.status == "over" or ledger.last_step is None or ledger.last_step.audience is not None:
        return
    happened, learnt = ledger.log.lines[lines:], winchester.remember(state, ledger.state)
    journal.undo(seat)

    assert (ledger.state, ledger.legal) == (learnt, legal)
    struck = [msgspec.structs.replace(line, is_undone=True) for line in happened]
    assert ledger.log.lines[lines:-1] == struck
    assert ledger.log.lines[-1].kind == "undo"


@given(games, randoms)
@MANY
def test_what_was_drawn_comes_again(journal: Journal, rng: random.Random) -> None:
    """Taking a draw back and drawing again shows the same, even from another generator."""
    while journal.ledger.status == "playing":
        journal.play(rng, 1)
        if journal.entries[-1].kind == "chance" and rng.random() < 0.3:
            break
    if journal.ledger.status != "playing":
        return
    entry, drawn = journal.entries[-2], journal.entries[-1]
    state = journal.ledger.state
    journal.undo(entry.seat)  # type: ignore[arg-type]  # a seat did that
    journal.seed = "another"
    journal.act(entry.seat, decode_action(winchester, entry.payload["action"]))  # type: ignore[arg-type]

    assert journal.entries[-1].payload == drawn.payload
    assert journal.ledger.state == state


def test_a_draw_that_a_correction_forbids_does_not_come_again() -> None:
    """The plot seen before was given away meanwhile, so another one is drawn."""
    journal = Journal()
    journal.act(0, DrawPlot())
    seen = journal.ledger.state.phase.plot
    journal.undo(0)
    correction = {"owners": [{"plot": seen, "seat": 1}]}
    journal.add(Draft("correction", None, {"correction": correction, "how": "host", "by": None}))
    journal.act(0, DrawPlot())

    assert journal.ledger.state.phase.plot != seen
    assert picture(replay(winchester, journal.entries)) == picture(journal.ledger)


def test_an_outcome_fits_what_is_owed_or_not() -> None:
    """Same pools, as many items, all of them there often enough."""
    need = Need("deal", 0, (Pool("tokens", ("a", "a", "b"), 2),))

    assert fits(Outcome("deal", {"tokens": ("a", "a")}), need)
    assert fits(Outcome("deal", {"tokens": ("b", "a")}), need)
    assert not fits(Outcome("deal", {"tokens": ("b", "b")}), need)
    assert not fits(Outcome("deal", {"tokens": ("a", "c")}), need)
    assert not fits(Outcome("deal", {"tokens": ("a",)}), need)
    assert not fits(Outcome("deal", {"cards": ("a", "b")}), need)


def test_ones_own_last_action_alone() -> None:
    """A bid nobody acted on can be taken back alone; after the next one's act it cannot."""
    journal = Journal()
    journal.act(0, DrawPlot())
    journal.act(0, Bid(2000))
    ledger = journal.ledger

    assert ledger.undoing.may_alone(ledger.undoing.own_last(0))
    journal.act(1, Pass())
    assert not ledger.undoing.may_alone(ledger.undoing.own_last(0))
    assert ledger.undoing.may_alone(ledger.undoing.own_last(1))
    with pytest.raises(UndoRefused):
        ledger.undoing.own_last(2)


def test_what_showed_something_is_not_taken_back_alone() -> None:
    """A drawn plot was seen, so the table must agree."""
    journal = Journal()
    journal.act(0, DrawPlot())

    assert not journal.ledger.undoing.may_alone(journal.ledger.undoing.own_last(0))


# Consent


def ask_to_undo(tables: Tables, seats: int = 3) -> Table:
    """Deal, draw, and let the star's holder ask to take the draw back."""
    table = deal(tables, seats=seats)
    act(tables, table, 0, DrawPlot())
    assert tables.consent.undo(table, 0) == "asked"
    return table


def test_all_who_are_present_must_agree(tables: Tables) -> None:
    """Absent phones do not count; everybody whose phone was heard of does."""
    table = ask_to_undo(tables, seats=4)
    for seat in (0, 1, 2):
        tables.live.seen(table.code, seat)

    tables.consent.answer(table, Who(seat=1), agree=True)
    assert table.ledger.proposal is not None
    tables.consent.answer(table, Who(seat=2), agree=True)
    assert table.ledger.proposal is None
    assert table.ledger.state.turn == 0


def test_one_other_at_least_must_agree(tables: Tables) -> None:
    """If all other phones sleep, the asker alone is not enough, and one of them is."""
    table = ask_to_undo(tables)
    tables.live.seen(table.code, 0)
    tables.consent.answer(table, Who(seat=0), agree=True)
    assert table.ledger.proposal is not None

    tables.consent.answer(table, Who(seat=2), agree=True)
    assert table.ledger.proposal is None
    assert table.ledger.state.turn == 0


def test_who_falls_asleep_holds_nothing_up(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """One agreed, one sleeps: the next sign of life of anybody settles it."""
    table = ask_to_undo(tables)
    for seat in (0, 1, 2):
        tables.live.seen(table.code, seat)
    tables.consent.answer(table, Who(seat=1), agree=True)
    assert table.ledger.proposal is not None

    monkeypatch.setattr(tables.live, "is_present", lambda _, seat: seat != 2)
    tables.consent.settle(table)
    assert table.ledger.proposal is None
    assert table.ledger.state.turn == 0
    tables.consent.settle(table)


def test_agreement_is_to_what_was_shown(tables: Tables) -> None:
    """Whoever asks something else meanwhile gets no yes that was meant for the first."""
    table = ask_to_undo(tables)
    ledger = table.ledger
    assert ledger.proposal is not None
    shown = ledger.noticed.number(ledger.proposal.number, 2)
    assert tables.consent.undo(table, 0, to=ledger.own_last(0)) == "asked"  # a double tap
    tables.consent.answer(table, Who(seat=0), agree=False)
    tables.consent.correct(table, 0, {"star": 1}, reason="")

    with pytest.raises(StaleTable):
        tables.consent.answer(table, Who(seat=2), agree=True, number=shown)
    assert ledger.proposal is not None
    tables.consent.answer(
        table, Who(seat=2), agree=True, number=ledger.noticed.number(ledger.proposal.number, 2)
    )
    assert ledger.state.star == 1


def test_one_no_is_enough(tables: Tables) -> None:
    """And it stands in the log."""
    table = ask_to_undo(tables)

    tables.consent.answer(table, Who(seat=2), agree=False)
    assert table.ledger.proposal is None
    assert table.ledger.state.turn == 1
    newest = table.ledger.log.lines[-2:]
    assert [line.note["what"] for line in newest if line.note] == ["ask", "refuse"]


def test_the_host_decides_in_the_open(tables: Tables) -> None:
    """The journal says that it was the host."""
    table = ask_to_undo(tables)

    tables.consent.answer(table, HOST, agree=True)
    note = table.ledger.log.lines[-1].note
    assert note is not None
    assert (note["how"], note["by"]) == ("host", 0)


def test_a_stranger_has_no_say(tables: Tables) -> None:
    """The display without a key can neither agree nor refuse."""
    table = ask_to_undo(tables)

    for agree in (True, False):
        with pytest.raises(TableError) as refused:
            tables.consent.answer(table, DISPLAY, agree=agree)
        assert refused.value.status == 403
    assert table.ledger.proposal is not None


def test_a_question_ends_with_the_game(tables: Tables) -> None:
    """What was asked before the end cannot be agreed to after it."""
    table = deal(tables)
    play(tables, table, random.Random(5), until="between")
    while not any(a["type"] == "count_up" for _, a in map(plain, moves(table.ledger))):
        act(tables, table, *choose(table.ledger, random.Random(5)))
    with pytest.raises(UndoRefused):
        tables.consent.undo(table, 99)
    seat = next(seat for seat in range(3) if has_mark(table.ledger, seat))
    if tables.consent.undo(table, seat) == "done":
        tables.consent.undo(table, seat)
    play(tables, table, random.Random(5))

    assert table.ledger.status == "over"
    assert table.ledger.proposal is None
    with pytest.raises(UndoRefused):
        tables.consent.answer(table, HOST, agree=True)
    assert winchester.score(table.ledger.state) is not None


def plain(move: tuple[int, Any]) -> tuple[int, Any]:
    """Give a move with its action as data."""
    return move[0], msgspec.to_builtins(move[1])


def has_mark(ledger: Ledger, seat: int) -> bool:
    """Say whether a seat has an action to take back."""
    try:
        ledger.undoing.own_last(seat)
    except UndoRefused:
        return False
    return True


def test_after_the_end_nothing_is_taken_back(tables: Tables) -> None:
    """Everything is open then."""
    table = deal(tables)
    play(tables, table, random.Random(1))

    with pytest.raises(UndoRefused) as refused:
        tables.consent.undo(table, 0)
    assert refused.value.code == "game_over"


# Sealed bids


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


# The same on disk


def test_an_undone_action_stays_undone_on_disk(tmp_path: Path) -> None:
    """A restart replays to the very same ledger."""
    with tables_at(tmp_path) as tables:
        table = ask_to_undo(tables)
        tables.consent.answer(table, HOST, agree=True)
        play(tables, table, random.Random(8), most=40)
        live = picture(table.ledger)

    with tables_at(tmp_path) as tables:
        again = tables.find(table.code).ledger
        assert picture(again) == live
