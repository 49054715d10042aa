"""cast.csv: name, aliases, actor, and background where the user decides it."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from callsheet.errors import InputError
from callsheet.text.encodings import read_text

_YES = frozenset(["yes", "y", "true", "1", "x"])
_NO = frozenset(["no", "n", "false", "0", ""])


@dataclass(frozen=True, slots=True)
class Listed:
    """One row of cast.csv."""

    person: str
    aliases: tuple[str, ...] = ()
    actor: str | None = None
    background: bool = False


def read_cast(path: Path) -> tuple[Listed, ...]:
    """Read a user's cast list; columns may be in any order, aliases stand between ; or |."""
    path = Path(path)
    lines = read_text(path).text.splitlines()
    delimiter = max(",;\t", key=lines[0].count)
    reader = csv.DictReader(lines, delimiter=delimiter)
    columns = [(column or "").strip().lower() for column in reader.fieldnames or ()]
    if "name" not in columns:
        raise InputError(
            f"{path.name} has no column called name (its columns: {', '.join(columns)})",
            path=str(path),
        )
    reader.fieldnames = columns
    rows = tuple(_rows(reader, path))
    _check_names(rows, path)
    return rows


def _rows(reader: csv.DictReader[str], path: Path) -> Iterator[Listed]:
    for row in reader:
        cells = {key: (value or "").strip() for key, value in row.items()
                 if key and not isinstance(value, list)}  # fmt: skip
        if not cells.get("name"):
            continue
        aliases = re.split(r"\s*[;|/]\s*", cells.get("aliases", ""))
        yield Listed(
            cells["name"],
            tuple(alias for alias in aliases if alias),
            cells.get("actor") or None,
            _flag(cells.get("background", ""), path, reader.line_num),
        )


def _flag(text: str, path: Path, line: int) -> bool:
    if text.lower() in _YES:
        return True
    if text.lower() in _NO:
        return False
    raise InputError(
        f"{path.name}, line {line}: background must be yes or no, got {text}", path=str(path)
    )


def _check_names(rows: tuple[Listed, ...], path: Path) -> None:
    seen: dict[str, str] = {}
    for row in rows:
        for name in (row.person, *row.aliases):
            folded = " ".join(name.upper().split())
            if seen.setdefault(folded, row.person) != row.person:
                raise InputError(
                    f"{path.name}: {name} is a name of both {seen[folded]} and {row.person}",
                    path=str(path),
                )
