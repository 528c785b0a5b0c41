"""`referee verify`: what it says of journals, whole or not."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from referee.entries import Entry
from referee.seal import link
from tests.test_cli import run

GOLDEN = Path(__file__).parent / "golden" / "winchester_open_win.jsonl"


def test_verify_a_good_journal(capsys: pytest.CaptureFixture[str]) -> None:
    """Says how much was checked, the chain's words and the totals."""
    assert run("verify", str(GOLDEN)) == 0
    out = capsys.readouterr().out
    assert "all in order" in out
    assert "Winners: " in out


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw.replace(b'"amount":2000', b'"amount":3000', 1),
        lambda raw: raw[: len(raw) // 2],
        lambda raw: b"\xff\xfe" + raw,
        lambda _: b"",
        lambda raw: raw.replace(b"\n", b"\n\n\x00", 3),
    ],
)
def test_verify_a_bad_journal(
    change: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1 and a line that says what is wrong."""
    path = tmp_path / "bad.jsonl"
    path.write_bytes(change(GOLDEN.read_bytes()))  # type: ignore[operator]

    assert run("verify", str(path)) == 1
    assert capsys.readouterr().err.startswith("referee: ")


def test_verify_what_other_rules_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the chain holds nobody is accused: another version may have written it."""
    head, *lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    entries = [msgspec.json.decode(line, type=Entry) for line in lines]
    number = next(n for n, entry in enumerate(entries) if entry.kind == "action")
    other = {"id": "x", "action": {"type": "fly"}, "by": "seat"}
    changed = replace(entries[number], payload=other)
    entries[number] = replace(changed, chain=link(entries[number - 1].chain, changed))
    path = tmp_path / "other.jsonl"
    made = [msgspec.json.encode(entry).decode() for entry in entries]
    path.write_text("\n".join((head, *made, "")), encoding="utf-8")

    assert run("verify", str(path)) == 1
    said = capsys.readouterr().err
    assert f"cannot play entry {number + 1} of this journal: another version wrote it" in said


def test_verify_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there is said to be missing."""
    assert run("verify", str(tmp_path / "none.jsonl")) == 1
    assert "none.jsonl" in capsys.readouterr().err
