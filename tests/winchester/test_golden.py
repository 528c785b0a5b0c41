"""What the kept journals of Daddy Winchester are kept for is in them."""

from __future__ import annotations

from typing import Any

import msgspec

from tests.golden.kept import journals_of, result_of

JOURNALS = journals_of("winchester")


def test_there_is_one_for_each_way_a_game_can_end() -> None:
    """Outright, by cash, by the duel token, shared; open and sealed; with and without a seed."""
    headers, breaks, auctions = [], set(), set()
    for path in JOURNALS:
        header, *lines = path.read_text(encoding="utf-8").split("\n")[:-1]
        headers.append(msgspec.json.decode(header))
        breaks.add(result_of(path)["tie_break"])
        opened = msgspec.json.decode(lines[0])["payload"]
        auctions.add((opened["options"]["auction"], opened["seeded"]))

    assert breaks == {None, "cash", "duel_token", "shared"}
    assert {auction for auction, _ in auctions} == {"open", "sealed"}
    assert all(header["status"] == "over" for header in headers)


def test_a_shared_win_has_several_winners() -> None:
    """And the other endings have one."""
    for path in JOURNALS:
        result = result_of(path)
        assert (len(result["winners"]) > 1) is (result["tie_break"] == "shared")


def payloads(name: str) -> list[dict[str, Any]]:
    """Give what the entries of a kept journal say."""
    (path,) = [path for path in JOURNALS if path.stem == f"winchester_{name}"]
    return [msgspec.json.decode(line).get("payload", {}) for line in path.read_bytes().splitlines()]


def test_a_token_told_anew_and_a_game_opened_again_are_in_their_journals_for_good() -> None:
    """One entry tells it anew; one takes back the end."""
    (told,) = [p for p in payloads("retold_token") if "told" in p]
    assert told["told"]["type"] == "took"
    assert told["was"]["token"] != told["told"]["token"]

    said = payloads("reopened")
    assert sum("told" in payload for payload in said) == 1
    ends = [payload for payload in said if payload.get("action") == {"type": "count_up"}]
    assert len(ends) == 2
    assert sum(payload.get("how") == "host" and "told" not in payload for payload in said) == 1


def test_slips_are_in_the_journal_for_good() -> None:
    """What was taken back stays in it, followed by its undo."""
    (path,) = [path for path in JOURNALS if path.stem == "winchester_slips_and_undo"]
    kinds = [msgspec.json.decode(line).get("kind") for line in path.read_bytes().splitlines()]

    assert kinds.count("undo") >= 5
