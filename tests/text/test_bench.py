"""`callsheet bench text`: where it was measured, one JSON object a row, and which data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pages import STORY, typed

from callsheet.cli.verbs.bench_text import command

INDENTS = {"S": 0, "N": 0, "C": 22, "D": 11, "E": 16, "T": 50}


def rows(*arguments: str) -> list[dict[str, Any]]:
    result = CliRunner().invoke(command, [*arguments])
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize("part", [[], ["alignment"], ["screenplays"]])
def test_the_data_must_be_named(part: list[str]) -> None:
    result = CliRunner().invoke(command, part)
    assert result.exit_code == 2
    assert "--data" in result.output


def test_screenplays_tell_machine_films_and_tags(tmp_path: Path) -> None:
    lines, tags = typed(STORY * 2, INDENTS)
    for folder in ("screenplays", "screenplay_lines"):
        (tmp_path / folder).mkdir()
    (tmp_path / "screenplays" / "lamp.txt").write_text("\n".join(lines))
    tagged = [f"{tag}\t{line}" for tag, line in zip(tags, lines, strict=True) if tag]
    (tmp_path / "screenplay_lines" / "lamp.tsv").write_text("\n".join(tagged))
    index = f"lamp {len(lines)} 0 {len(lines)}\n"
    (tmp_path / "screenplay_lines" / "line_indices.txt").write_text(index)
    machine, film, *others = rows("screenplays", "--data", str(tmp_path), "--shipped", "--json")
    assert (machine["what"], bool(machine["cores"])) == ("machine", True)
    assert (film["film"], film["lines"], film["callsheet"]) == ("lamp", len(tagged), 1.0)
    assert [row["tag"] for row in others if row["what"] == "tag"] == list("SNCDETM")


def test_evidence_tells_every_voice_and_action(tmp_path: Path) -> None:
    table = tmp_path / "told.csv"
    table.write_text("sentence,action,person\nOrson sits down.,SitDown,Orson\nRain.,background,\n")
    _, *scores = rows("evidence", "--table", str(table), "--json")
    (both,) = (r for r in scores if (r["what"], r["voice"]) == ("all actions", "both"))
    assert (both["sentences"], both["action_f1"], both["person_f1"]) == (2, 1.0, 1.0)
