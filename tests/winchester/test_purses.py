"""What leaves a purse, its owner says; what is in it, nobody else learns by asking."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from referee.errors import RefereeError, RuleViolation, UndoRefused
from referee.games.winchester.model import replace
from referee.tables import Table, Tables, Who
from tests.sight import other_state
from tests.table import Evening, act, deal

HOST = Who(is_host=True)


def take(source: int | str, amount: int, target: int | str = "saloon") -> dict[str, Any]:
    """Write a transfer of notes."""
    return {"transfers": [{"source": source, "target": target, "amount": amount}]}


def ask(tables: Tables, table: Table, by: int | None, correction: dict[str, Any]) -> str:
    """Ask for a correction."""
    return tables.consent.correct(table, by, correction, reason="")


def code_of(error: pytest.ExceptionInfo[RefereeError]) -> str:
    """Give the code of a refusal."""
    return error.value.code


def test_a_purse_is_opened_by_its_owner_alone(tables: Tables) -> None:
    """Neither the host nor all the others together; the owner's yes does it."""
    table = deal(tables)
    with pytest.raises(UndoRefused) as error:
        ask(tables, table, None, take(0, 2000))
    assert code_of(error) == "owners_ask"

    assert ask(tables, table, 1, take(0, 2000)) == "asked"
    with pytest.raises(UndoRefused) as error:
        tables.consent.answer(table, HOST, agree=True)
    assert code_of(error) == "owners_agree"
    tables.consent.answer(table, Who(seat=2), agree=True)
    assert table.ledger.proposal is not None
    tables.consent.answer(table, Who(seat=0), agree=True)

    assert table.ledger.proposal is None
    assert table.ledger.state.cash == (6000, 8000, 8000)
    assert table.ledger.state.saloon == 3000


def test_the_host_may_settle_what_the_owner_agreed_to(tables: Tables) -> None:
    """The others sleep, the owner has said yes."""
    table = deal(tables)
    ask(tables, table, 0, take(0, 2000))

    tables.consent.answer(table, HOST, agree=True)

    assert table.ledger.state.cash[0] == 6000


def test_only_the_owner_hears_that_a_purse_holds_less(tables: Tables) -> None:
    """Others may ask for anything; the owner cannot give what is not there, and may say no."""
    table = deal(tables)
    with pytest.raises(RuleViolation) as error:
        ask(tables, table, 0, take(0, 9000))
    assert (code_of(error), error.value.facts) == ("purse_holds_less", {"most": 8000})

    assert ask(tables, table, 1, take(0, 9000)) == "asked"
    with pytest.raises(RuleViolation) as error:
        tables.consent.answer(table, Who(seat=0), agree=True)
    assert code_of(error) == "purse_holds_less"
    tables.consent.answer(table, Who(seat=0), agree=False)

    assert table.ledger.proposal is None
    assert table.ledger.state.cash == (8000, 8000, 8000)


def test_a_yes_is_to_the_purse_as_it_was(tables: Tables) -> None:
    """After the owner has paid for a plot the yes is asked for again, whatever is left."""
    table = deal(tables)
    act(tables, table, 0, {"type": "draw_plot"})
    ask(tables, table, 0, take(0, 8000))
    assert table.ledger.proposal is not None
    assert table.ledger.proposal.agreed == {0}

    act(tables, table, 0, {"type": "bid", "amount": 1000})

    assert table.ledger.proposal.agreed == set()
    with pytest.raises(UndoRefused):
        tables.consent.answer(table, HOST, agree=True)


@pytest.mark.parametrize("amount", ["1000", "8000", "9000", "24000", "90000"])
def test_asking_tells_nothing_of_a_purse(app: Flask, amount: str) -> None:
    """Whatever Ann holds, asking for any amount of it looks the same to the others and the host."""
    evening = Evening(app, seats=3).start()
    state = evening.table.ledger.state
    form = {"what": "notes", "source": "0", "target": "saloon", "amount": amount}
    seen = []
    for cash in ((8000, 8000, 8000), (0, 8000, 16_000), (16_000, 8000, 0)):
        with other_state(evening, replace(state, cash=cash)):
            answers = [evening.correct(form), evening.correct(form, 1)]
            body = evening.phones[1].get(f"/api/v1/tables/{evening.code}").json
            seen.append([(a.status_code, a.data) for a in answers] + [body["ask"]["payload"]])
            evening.table.ledger.proposal = None

    assert seen[0][0][0] == 409
    assert seen[0][1][0] == 303
    assert seen[0] == seen[1] == seen[2]
