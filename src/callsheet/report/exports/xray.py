"""X-Ray style JSON: people with their times on screen, and events of actions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from callsheet.report.sheet import Presence, Sheet, presences


def write(sheet: Sheet, path: Path) -> None:
    path.write_text(json.dumps(_content(sheet), ensure_ascii=False, indent=1), encoding="utf-8")


def _content(sheet: Sheet) -> dict[str, Any]:
    people = presences(sheet.tracks, "name")
    names = sorted({p.name for p in people})
    return {
        "film": sheet.film,
        "duration": sheet.picture.duration,
        "people": [_person(name, [p for p in people if p.name == name]) for name in names],
        "actions": [_action(sheet, p) for p in presences(sheet.tracks, "deed")],
    }


def _person(name: str, spans: list[Presence]) -> dict[str, Any]:
    return {
        "name": name,
        "seconds": round(sum(p.span.duration for p in spans), 3),
        "on_screen": [{"start": p.span.start, "end": p.span.end, "score": p.score} for p in spans],
    }


def _action(sheet: Sheet, presence: Presence) -> dict[str, Any]:
    doers = {t.name for t in sheet.tracks if t.track in presence.tracks and t.name}
    return {
        "action": presence.name,
        "start": presence.span.start,
        "end": presence.span.end,
        "score": presence.score,
        "people": sorted(doers),
    }
