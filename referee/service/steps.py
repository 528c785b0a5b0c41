"""Steps that are said before they are done, and that are undone by what was noted of them."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from referee.folder import write_small

RECORD: Final = "service.json"


class Run(Struct, frozen=True, tag=True):
    """A command, and what it is given to read: a secret there is in no log or process list."""

    words: tuple[str, ...]
    given: str = ""


class Write(Struct, frozen=True, tag=True):
    """A small file; folders above it are made."""

    path: str
    text: str


class Delete(Struct, frozen=True, tag=True):
    """A file that goes."""

    path: str


Deed = Run | Write | Delete


class Step(Struct, frozen=True):
    """What is done, and what undoes it."""

    do: Deed
    undo: Deed | None = None


class Failed(Exception):
    """A command did not work. Says which, and what it said."""


Say = Callable[[str], None]


def shown(deed: Deed) -> str:
    """Write a deed as somebody could do it by hand."""
    match deed:
        case Run(words, given):
            return "\n".join([f"$ {shlex.join(words)}", *(f"  < {x}" for x in given.splitlines())])
        case Write(path, text):
            return "\n".join([f"> {path}", *(f"  | {line}" for line in text.splitlines())])
        case Delete(path):
            return f"$ rm -f {shlex.quote(path)}"


def do(deed: Deed) -> None:
    """Do it. Raises Failed."""
    match deed:
        case Run(words, given):
            _run(words, given)
        case Write(path, text):
            write_small(Path(path), text)
        case Delete(path):
            Path(path).unlink(missing_ok=True)


def _run(words: Sequence[str], given: str) -> None:
    try:
        ran = subprocess.run(  # noqa: S603  # printed before
            words, check=False, capture_output=True, text=True, input=given or None
        )
    except OSError as error:
        raise Failed(f"{words[0]}: {error.strerror}") from error
    if ran.returncode:
        raise Failed(f"{shlex.join(words)}: {(ran.stderr or ran.stdout).strip()}")


def carry_out(steps: Sequence[Step], data: Path, say: Say) -> None:
    """Do one after the other, and note at each how it is undone. Raises Failed at the first."""
    undone = read_record(data) or ()
    for step in steps:
        say(shown(step.do))
        if step.undo is not None:  # noted before it is done: half a step is undone as well
            undone = (step.undo, *undone)
            write_small(data / RECORD, msgspec.json.encode(undone).decode())
        do(step.do)


def undo(data: Path, say: Say) -> None:
    """Take back all that is noted, the last first; what cannot be undone holds up nothing."""
    for deed in read_record(data) or ():
        say(shown(deed))
        try:
            do(deed)
        except (Failed, OSError) as error:
            say(f"  ({error})")
    (data / RECORD).unlink(missing_ok=True)


def read_record(data: Path) -> tuple[Deed, ...] | None:
    """Give what would undo the installation, the last step first; None where there is none."""
    path = data / RECORD
    if not path.is_file():
        return None
    return msgspec.json.decode(path.read_bytes(), type=tuple[Deed, ...])
