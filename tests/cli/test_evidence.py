"""The verb `evidence` in its three forms."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from callsheet.cli.main import main

SRT = """\
1
00:00:20,000 --> 00:00:24,000
I did not think I would find you here tonight of all nights.

2
00:00:40,000 --> 00:00:44,000
Of all the buffets in all the stations in the whole wide world.
"""
OTHER_LINES = """
3
00:00:50,000 --> 00:00:54,000
Zebras graze where quartz and velvet marble lanterns hang.
"""
FILM = """\
INT. STATION BUFFET - NIGHT

RICK waits.

ILSA
I did not think I would find you here tonight of all nights.

Rick stands up.

RICK
Of all the buffets in all the stations in the whole wide world.
"""


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    return int(left.value.code or 0)


def type_in(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def rows_of(out: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.splitlines()]


def test_classify_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "Jack is exiting the room, then Lana rushes toward him.\n\nThe road runs north.\n"
    type_in(monkeypatch, lines.encode())
    assert run("evidence", "classify", "--json") == 0
    first, second = rows_of(capsys.readouterr().out)
    assert first["sentence"] == "Jack is exiting the room, then Lana rushes toward him."
    (action,) = first["actions"]
    assert (action["action"], action["people"]) == ("Run", ["Lana"])
    assert 0.5 <= action["score"] <= 1.0
    assert second["actions"] == []


def test_classify_of_nothing_prints_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, b"")
    assert run("evidence", "classify", "--json") == 0
    assert capsys.readouterr().out == ""


def test_classify_of_no_text_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, b"\xff\xfe\x00\x80")
    assert run("evidence", "classify") == 1
    assert "not UTF-8" in capsys.readouterr().err


def film(folder: Path) -> tuple[str, str]:
    (folder / "film.fountain").write_text(FILM)
    (folder / "film.srt").write_text(SRT)
    return str(folder / "film.fountain"), str(folder / "film.srt")


def test_a_script_and_its_subtitles_give_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("evidence", *film(tmp_path), "--json") == 0
    rows = rows_of(capsys.readouterr().out)
    statement = next(row for row in rows if row["kind"] == "statement")
    assert (statement["person"], statement["action"]) == ("RICK", "StandUp")
    assert statement["source_line"] == 8
    assert {row["kind"] for row in rows} == {"line", "mention", "statement"}


def test_people_get_the_constraint_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("evidence", *film(tmp_path)) == 0
    out = capsys.readouterr().out
    assert "StandUp" in out
    assert "Total" in out
    assert "RICK" in out


def test_another_films_subtitles_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script, _ = film(tmp_path)
    other = tmp_path / "other.srt"
    words = ["zebra", "quartz", "flamingo", "harbour", "velvet", "oxygen", "marble", "lantern"]
    other.write_text("".join(
        f"{i}\n00:00:{i:02},000 --> 00:00:{i:02},900\n{' '.join(words[i % 5:])} number {i}.\n\n"
        for i in range(1, 50)
    ))  # fmt: skip
    assert run("evidence", script, str(other), "--json") == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "error" in captured.err


def test_a_lower_border_lets_a_script_pass_and_extras_can_be_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script, subtitles = film(tmp_path)
    (tmp_path / "film.fountain").write_text(FILM.replace("ILSA", "WAITER"))
    assert run("evidence", script, subtitles, "--refuse-below", "1.0", "--json") == 0
    assert "WAITER" not in {row["person"] for row in rows_of(capsys.readouterr().out)}
    assert run("evidence", script, subtitles, "--extras", "--json") == 0
    assert "WAITER" in {row["person"] for row in rows_of(capsys.readouterr().out)}
    other = tmp_path / "other.srt"
    other.write_text(SRT.replace("find you here tonight of all nights", "lose it") + OTHER_LINES)
    assert run("evidence", script, str(other), "--refuse-below", "0.99", "--json") == 1
    assert "--refuse-below" in capsys.readouterr().err
    assert run("evidence", script, str(other), "--refuse-below", "0.1", "--json") == 0


def test_train_and_use_a_users_own_action(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("Rick", "Ilsa", "Sam", "Kate", "Tom", "Ann", "Lou", "Max")
    things = ("door", "gate", "wall", "pier", "car", "tree", "bar", "lake")
    smokes = [f"{n} smokes by the {t}.,Smoke" for n, t in zip(names, things, strict=True)]
    quiet = [f"{name} {words}.,background" for name in names for words in ("reads", "looks up")]
    table = tmp_path / "mine.csv"
    rows = [*smokes, *quiet]
    table.write_text("sentence,action\n" + "\n".join(rows) + "\n")
    assert run("evidence", "train", str(table), "--only-mine", "--folds", "2", "--json") == 0
    (figures,) = rows_of(capsys.readouterr().out)
    assert figures["model"] == str(tmp_path / "actions.npz")
    assert list(figures["actions"]) == ["Smoke"]
    type_in(monkeypatch, b"Max smokes at the gate.\n")
    assert run("evidence", "classify", "--model", str(figures["model"]), "--json") == 0
    (read,) = rows_of(capsys.readouterr().out)
    assert [a["action"] for a in read["actions"]] == ["Smoke"]


@pytest.mark.parametrize("arguments", [("evidence", "one.txt"), ("evidence", "no.txt", "no.srt")])
def test_wrong_use_leaves_with_2(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 2
