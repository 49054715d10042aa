"""The page's section against the truth: curves as SVG, a confusion table, the measures.

`truth_section.json` in a film's folder holds the numbers; whoever judges the labels writes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from callsheet.errors import StoreError

FILE = "truth_section.json"
WIDTH, HEIGHT, MARGIN = 420, 300, 40


def read_section(folder: Path) -> dict[str, Any]:
    """The section of a film, empty where its truth is not known."""
    path = folder / FILE
    if not path.exists():
        return {}
    try:
        return _section(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(
            f"{path} is damaged ({type(error).__name__}: {error}); delete it and run `callsheet"
            " report` to judge the labels again",
            path=str(path),
        ) from error


def _section(content: Mapping[str, Any]) -> dict[str, Any]:
    figures = [
        {"svg": curve_svg(curve["name"], curve["recall"], curve["precision"]),
         "caption": curve["name"]}
        for curve in content["curves"]
    ]  # fmt: skip
    measures = [_measure(line) for line in content["lines"]]
    return {"figures": figures, "confusion": content["confusion"], "measures": measures}


def _measure(line: str) -> dict[str, str]:
    """A measure's name and numbers, and apart from them how it was measured (its signature)."""
    numbers, _, signature = line.rpartition("  ")
    return {"numbers": " ".join(numbers.split()), "signature": signature}


def curve_svg(name: str, recall: Sequence[float], precision: Sequence[float]) -> str:
    """Precision over recall, both 0 to 1."""
    inner_width, inner_height = WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN

    def place(r: float, p: float) -> str:
        return f"{MARGIN + r * inner_width:.1f},{HEIGHT - MARGIN - p * inner_height:.1f}"

    points = " ".join(place(r, p) for r, p in zip(recall, precision, strict=True))
    grid = "".join(
        f'<polyline points="{place(0, t)} {place(1, t)}"/><polyline points="{place(t, 0)}'
        f' {place(t, 1)}"/>'
        for t in (0, 0.25, 0.5, 0.75, 1)
    )
    numbers = "".join(
        f'<text x="{MARGIN + t * inner_width:.1f}" y="{HEIGHT - MARGIN + 15}"'
        f' text-anchor="middle">{t:g}</text>'
        f'<text x="{MARGIN - 6}" y="{HEIGHT - MARGIN - t * inner_height + 4:.1f}"'
        f' text-anchor="end">{t:g}</text>'
        for t in (0, 0.5, 1)
    )
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(name)}">'
        f'<g fill="none" stroke="currentColor" stroke-opacity=".2">{grid}</g>'
        f'<polyline fill="none" stroke="var(--mark)" stroke-width="2.5" points="{points}"/>'
        f'<g fill="currentColor" font-size="12"><text x="{WIDTH / 2 - 20}" y="{HEIGHT - 10}">recall'
        f'</text><text x="4" y="{MARGIN - 12}">precision</text>{numbers}</g></svg>'
    )
