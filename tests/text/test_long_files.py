"""Long input is read and aligned: ten megabytes of text, a film of three hours."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pages import STORY, typed

from callsheet.core import ElementKind
from callsheet.errors import InputError
from callsheet.text import Verdict, align, read_screenplay, read_subtitles
from made_scripts import said, script, sentence

SIZE = 10_000_000
INDENTS = {"S": 0, "N": 0, "C": 22, "D": 11, "E": 16, "T": 50}


@pytest.mark.slow
def test_ten_megabytes_of_screenplay(tmp_path: Path) -> None:
    story = "\n".join(typed(STORY, INDENTS)[0]) + "\n\n"
    path = tmp_path / "film.txt"
    times = SIZE // len(story)
    path.write_text(story * times)
    found = read_screenplay(path)
    assert len(found.scenes) == 3 * times
    spoken = sum(e.kind is ElementKind.CHARACTER for e in found.elements)
    assert spoken == times * sum(tag == "C" for tag, _ in STORY)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".txt", ".fountain", ".html", ".srt"])
def test_ten_megabytes_of_prose_are_read_or_refused(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"novel{suffix}"
    rng = random.Random(0)
    lines = [sentence(rng, 12).capitalize() + "." for _ in range(1000)]
    text = "\n".join(lines) + "\n"
    path.write_text(text * (SIZE // len(text)))
    with pytest.raises(InputError):
        (read_subtitles if suffix == ".srt" else read_screenplay)(path)


@pytest.mark.slow
def test_a_film_of_three_hours() -> None:
    rng = random.Random(0)
    texts = [sentence(rng, 8) for _ in range(4400)]
    names = ("RICK", "ILSA", "SAM")
    play = script("# INT. BAR - DAY", *(f"{names[n % 3]}: {t}" for n, t in enumerate(texts)))
    found = align(play, said(texts))
    assert found.verdict is Verdict.GOOD
    assert found.lines[-1].span.end >= 3 * 3600
    right = sum(line.speaker == names[n % 3] for n, line in enumerate(found.lines))
    assert right >= 0.99 * len(texts)
