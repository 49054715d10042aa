"""The meaning of each setting, as its comment in the source says it.

The comment beside a setting is the one place where its meaning is written; the settings file
and the docs take it from there.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any


def meanings_of(kind: type[Any]) -> dict[str, str]:
    """Setting -> meaning: the comment behind it, its docstring, or the comment above it."""
    lines = textwrap.dedent(inspect.getsource(kind)).splitlines()
    body = ast.parse("\n".join(lines)).body[0]
    assert isinstance(body, ast.ClassDef)
    meanings: dict[str, str] = {}
    for node, follower in zip(body.body, [*body.body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            meaning = _behind(lines, node) or _docstring(follower) or _above(lines, node)
            meanings[node.target.id] = meaning
    return meanings


def _behind(lines: list[str], node: ast.AnnAssign) -> str:
    rest = lines[(node.end_lineno or node.lineno) - 1][node.end_col_offset or 0 :]
    return rest.partition("#")[2].strip()


def _above(lines: list[str], node: ast.AnnAssign) -> str:
    comment: list[str] = []
    for line in reversed(lines[: node.lineno - 1]):
        if not line.strip().startswith("#"):
            break
        comment.insert(0, line.strip().lstrip("# "))
    return " ".join(comment)


def _docstring(node: ast.stmt | None) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return " ".join(str(node.value.value).split())
    return ""
