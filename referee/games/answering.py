"""Answers to a question about the board: which there are, and which it does not ask for."""

from __future__ import annotations

from referee.errors import IllegalAction

from .base import Answer, BoardQuestion, Facts


def answers(question: BoardQuestion | None) -> tuple[Answer, ...]:
    """Give an answer for each value of each part; anybody may give it."""
    if question is None:
        return ()
    parts = (*question.parts, *question.more)
    return tuple(Answer(((part.fact, value),)) for part in parts for value in part.values)


def check(question: BoardQuestion | None, facts: Facts, *, section: str) -> None:
    """Refuse what is not asked; `section` is the chapter that refuses. Raises IllegalAction."""
    if question is None:
        raise IllegalAction("no_question", section=section)
    values = {part.fact: part.values for part in (*question.parts, *question.more)}
    if not facts or any(value not in values.get(fact, ()) for fact, value in facts):
        raise IllegalAction("not_asked", section=section)
