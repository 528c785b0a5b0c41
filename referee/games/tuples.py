"""Changing tuples, which a frozen state is made of."""

from __future__ import annotations

from typing import Any


def swap(values: tuple[Any, ...], index: int, value: object) -> tuple[Any, ...]:
    """Give the tuple with one place changed."""
    return (*values[:index], value, *values[index + 1 :])
