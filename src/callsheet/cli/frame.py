"""The frame every verb hangs in: exit codes, the form of errors, --json, a console.

0 done, 1 failed, 2 wrong use. An error is one sentence on stderr; a traceback only with
`--debug`. Verbs register themselves with `app` in their own module of `callsheet.cli.verbs`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, is_dataclass
from enum import Enum
from typing import Any

from rich import markup
from rich.console import Console

EXIT_DONE, EXIT_FAILED, EXIT_WRONG_USE = 0, 1, 2


WIDE = 10_000
"""Columns of a file or a pipe: the rows of a table stay whole there."""


def console() -> Console:
    """For people: results on stdout."""
    width = None if sys.stdout.isatty() else WIDE
    return Console(highlight=False, soft_wrap=True, emoji=False, width=width)


def notes() -> Console:
    """For people: progress, warnings and errors on stderr, so that stdout stays readable."""
    return Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)


def warn(message: str) -> None:
    notes().print(f"[yellow]warning:[/yellow] {escape(message)}")


def escape(text: str) -> str:
    """Keep square brackets of file names and scripts from being read as colours."""
    return markup.escape(text)


def print_json(value: Any) -> None:
    """One JSON object on one line."""
    sys.stdout.write(json.dumps(value, default=_plain, ensure_ascii=False, allow_nan=False) + "\n")


def print_json_lines(values: Iterable[Any]) -> None:
    for value in values:
        print_json(value)


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Enum):
        return value.value
    if hasattr(value, "tolist"):
        return value.tolist()
    return str(value)
