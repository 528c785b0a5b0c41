"""What all tests share: apps, and tables that are closed again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from referee.tables import Tables
from tests.table import app_at, tables_at


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """Make one app for all tests that only need tables of their own; one takes half a second."""
    with app_at(tmp_path_factory.mktemp("shared")) as app:
        yield app


@pytest.fixture
def own_app(tmp_path: Path) -> Iterator[Flask]:
    """Make the app of a fresh data folder."""
    with app_at(tmp_path) as app:
        yield app


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """Open the tables of a fresh data folder."""
    with tables_at(tmp_path) as tables:
        yield tables
