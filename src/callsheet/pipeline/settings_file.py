"""A typed tree of settings in TOML: defaults from frozen dataclasses, precise errors.

`read_tree` fills a dataclass of dataclasses from a TOML text. A wrong key is named with its
file and line, and the nearest right key is suggested. `write_tree` writes every default with
its meaning as a comment.
"""

from __future__ import annotations

import difflib
import re
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

from callsheet.errors import SettingsError

T = TypeVar("T")


def read_text(path: Path) -> str:
    """A settings file's text."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not a UTF-8 text: {error}", path=str(path)) from error


def parse_toml(text: str, path: Path) -> dict[str, Any]:
    """Parse TOML; a mistake is one sentence with file and line."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: {error}; mend that line", path=str(path)) from error


def fill(kind: type[T], values: Mapping[str, Any], *, path: Path, text: str, at: str = "") -> T:
    """Make a settings dataclass from a TOML table; keys not given keep their defaults."""
    known = {f.name: f for f in fields(kind)}  # type: ignore[arg-type]
    hints = typing.get_type_hints(kind)
    given: dict[str, Any] = {}
    for key, value in values.items():
        where = f"{at}.{key}" if at else key
        if key not in known:
            raise _unknown_key(key, known, path=path, text=text, table=at)
        given[key] = _value(hints[key], value, path=path, text=text, where=where)
    try:
        return kind(**given)
    except SettingsError as error:
        line = _line_about(error.message, given, text=text, table=at)
        raise SettingsError(
            f"{path}, line {line}: [{at}] {error.message}", path=str(path), line=line
        ) from error


def _line_about(message: str, given: Mapping[str, Any], *, text: str, table: str) -> int:
    """The line of the setting that a message speaks of; the table's where it names none."""
    said = next((key for key in given if re.search(rf"\b{re.escape(key)}\b", message)), "")
    return find_line(text, f"{table}.{said}")


def _value(kind: Any, value: Any, *, path: Path, text: str, where: str) -> Any:
    if is_dataclass(kind) and isinstance(kind, type):
        if isinstance(value, dict):
            return fill(kind, value, path=path, text=text, at=where)
    elif _fits(kind, value):
        return _coerced(kind, value)
    line = find_line(text, where)
    raise SettingsError(
        f"{path}, line {line}: {where} must be {_name(kind)}, got {value!r}",
        path=str(path),
        line=line,
    )


def _choices(kind: Any) -> tuple[Any, ...]:
    if typing.get_origin(kind) in (types.UnionType, typing.Union):
        return typing.get_args(kind)
    return (kind,)


def _fits(kind: Any, value: Any) -> bool:
    return any(_fits_one(choice, value) for choice in _choices(kind))


def _fits_one(kind: Any, value: Any) -> bool:
    origin = typing.get_origin(kind)
    if origin is typing.Literal:
        return value in typing.get_args(kind)
    if origin is tuple:
        inner = typing.get_args(kind)[0]
        return isinstance(value, list) and all(_fits(inner, v) for v in value)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(kind, type) and isinstance(value, kind)


def _coerced(kind: Any, value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    return float(value) if kind is float else value


def _name(kind: Any) -> str:
    origin = typing.get_origin(kind)
    if origin is typing.Literal:
        return "one of " + ", ".join(repr(c) for c in typing.get_args(kind))
    if origin is tuple:
        return f"a list of {_name(typing.get_args(kind)[0])}"
    names = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}
    if len(_choices(kind)) > 1:
        return " or ".join(_name(c) for c in _choices(kind) if c is not type(None))
    return names.get(kind, "a table")


def _unknown_key(
    key: str, known: Mapping[str, Field[Any]], *, path: Path, text: str, table: str
) -> SettingsError:
    line = find_line(text, f"{table}.{key}" if table else key)
    near = difflib.get_close_matches(key, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"choices: {', '.join(known) or 'none'}"
    place = f" in [{table}]" if table else ""
    return SettingsError(
        f"{path}, line {line}: unknown key {key!r}{place}; {hint}", path=str(path), line=line
    )


def find_line(text: str, dotted: str) -> int:
    """Line (from 1) where a dotted key stands in a TOML text; the table's line if not found."""
    table, _, key = dotted.rpartition(".")
    current, found = "", 1
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith("["):
            current = _table_name(line) or current
            if current in (dotted, table):
                found = number
        elif (current == table and _sets(line, key)) or _sets(line, dotted):
            return number
    return found


def _table_name(line: str) -> str:
    """The dotted name in a table's header; empty where the line is none."""
    names: list[str] = []
    try:
        tree: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:  # a line of a list
        return ""
    while isinstance(tree, dict) and tree:
        name, tree = next(iter(tree.items()))
        names.append(name)
    return ".".join(names)


def _sets(line: str, key: str) -> bool:
    return re.match(rf'\s*"?{re.escape(key)}"?\s*=', line) is not None


def default_of(field: Field[Any]) -> Any:
    if field.default is not MISSING:
        return field.default
    if field.default_factory is not MISSING:
        return field.default_factory()
    raise SettingsError(f"setting {field.name} has no default")


def toml_value(value: Any) -> str:
    """One TOML value (the few kinds that settings use)."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(v) for v in value) + "]"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
