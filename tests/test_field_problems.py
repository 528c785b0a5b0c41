"""The list of problems that real tables meet names tests that are there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

# Nothing of ours runs here that could be counted.
pytestmark = pytest.mark.no_cover

TESTS = Path(__file__).parent
LIST = (TESTS.parent / "docs/field-problems.md").read_text("utf-8")
ROWS = re.findall(r"^\| (\d+) \|(.*)\|$", LIST, re.MULTILINE)


def test_each_of_the_58_has_its_row() -> None:
    """In order, with what became of it and at least one test."""
    assert [int(number) for number, _ in ROWS] == [*range(1, 59)]
    for _, row in ROWS:
        _, state, what, held = (cell.strip() for cell in row.split("|"))
        assert state in {"fixed", "not applicable", "hardware"}
        assert what.endswith(".")
        assert "o try:" in what or state != "hardware"
        assert held


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([\w/]+\.py::\w+)`", LIST))))
def test_every_test_that_is_named_is_there(name: str) -> None:
    """As a function of that file."""
    file, _, function = name.partition("::")

    assert function in functions_of(file)


@cache
def functions_of(file: str) -> set[str]:
    """Name the functions of a file of tests."""
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
