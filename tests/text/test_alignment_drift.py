"""Drift between subtitles and film: found from cuts and from a reference, mended, or left alone."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from callsheet.cli.verbs.align import command
from callsheet.core import Span
from callsheet.store import SCHEMAS, read_rows, write_rows
from callsheet.text import Subtitles, align, make_cues
from callsheet.text.alignment import Drift, drift_between, find_drift, retimed
from made_scripts import script, sentence, subtitles

PAL = 25.0 * 1001 / 24000


def a_film(seed: int = 0) -> tuple[Subtitles, list[float]]:
    """Twenty minutes: half of the subtitles start or end at a cut, give or take two frames."""
    rng = random.Random(seed)
    time, cues, cuts = 3.0, [], []
    for _ in range(250):
        span = (time, time + rng.uniform(1.0, 3.5))
        cues.append((*span, sentence(rng, 6)))
        if rng.random() < 0.5:
            cuts.append(rng.choice(span) + rng.uniform(-0.08, 0.08))
        cuts += [time + rng.uniform(0, 5)] if rng.random() < 0.4 else []
        time = span[1] + rng.choice([0.1, 0.5, 4.0])
    return subtitles(*cues), sorted(cuts)


def off(film: Subtitles, rate: float, offset: float) -> Subtitles:
    """Subtitles that need this rate and offset to be right again."""
    return Subtitles(
        tuple(
            replace(c, span=Span((c.span.start - offset) / rate, (c.span.end - offset) / rate))
            for c in film.cues
        )
    )


@pytest.mark.parametrize(
    ("rate", "offset"), [(1.0, 0.0), (1.0, -40.0), (PAL, 0.0), (1 / PAL, -12.0), (25 / 24, -3.0)]
)
def test_drift_is_found_from_cuts_and_from_a_reference(rate: float, offset: float) -> None:
    film, cuts = a_film()
    for found in (
        find_drift(off(film, rate, offset), cuts),
        drift_between(off(film, rate, offset), film),
    ):
        assert found is not None
        assert found.rate == pytest.approx(rate, abs=1e-6)
        assert found.offset == pytest.approx(offset, abs=0.15)
        assert found.matters == (rate != 1.0 or offset != 0.0)


def test_cuts_of_another_film_tell_nothing() -> None:
    assert find_drift(a_film(1)[0], a_film(2)[1]) is None
    assert find_drift(a_film(1)[0], []) is None
    assert drift_between(a_film(1)[0], a_film(2)[0]) is None


def test_drift_that_cannot_be_told_is_said() -> None:
    film, cuts = a_film(1)
    play = script("# INT. BAR - DAY", *(f"RICK: {cue.text}" for cue in film.cues))
    unasked, told = align(play, film), align(play, film, cuts=cuts)
    assert (unasked.drift_told, unasked.warnings) == (False, ())
    assert (told.drift_told, told.warnings) == (True, ())
    for untold in (align(play, film, cuts=a_film(2)[1]), align(play, film, reference=a_film(2)[0])):
        assert (untold.drift_told, untold.rate, untold.offset) == (False, 1.0, 0.0)
        (warning,) = untold.warnings
        assert "do not tell whether the subtitles keep the film's time" in warning


def test_mended_subtitles_keep_the_films_time() -> None:
    film, cuts = a_film()
    wrong = off(film, PAL, -20.0)
    drift = find_drift(wrong, cuts)
    assert drift is not None
    for mended, true in zip(retimed(wrong, drift).cues, film.cues, strict=True):
        assert mended.span.start == pytest.approx(true.span.start, abs=0.2)
    assert "25 against 23.976" in str(drift)
    assert "20.0 s late" in str(drift)


def test_times_never_fall_before_the_film() -> None:
    span = Drift(1.0, -10.0, "", 9.0).film_time(Span(2.0, 4.0))
    assert span == Span(0.0, 0.0)


def test_alignment_tells_and_mends_it() -> None:
    film, cuts = a_film()
    play = script(*(f"RICK: {cue.text}" for cue in film.cues))
    found = align(play, off(film, PAL, -20.0), cuts=cuts)
    assert (found.rate, found.offset) == (pytest.approx(PAL), pytest.approx(-20.0, abs=0.15))
    assert any("25 against 23.976" in warning for warning in found.warnings)
    last = found.spans[-1].span
    assert last.start == pytest.approx(film.cues[-1].span.start, abs=0.2)
    assert align(play, film, reference=film).warnings == ()


def _write_srt(path: Path, film: Subtitles) -> Path:
    def stamp(seconds: float) -> str:
        thousandths = round(seconds * 1000)
        return (
            f"{thousandths // 3600000:02}:{thousandths // 60000 % 60:02}"
            f":{thousandths // 1000 % 60:02},{thousandths % 1000:03}"
        )

    blocks = (
        f"{c.cue + 1}\n{stamp(c.span.start)} --> {stamp(c.span.end)}\n{c.text}\n" for c in film.cues
    )
    path.write_text("\n".join(blocks))
    return path


def test_the_cues_stage_follows_the_cuts(tmp_path: Path) -> None:
    film, cuts = a_film()
    path = _write_srt(tmp_path / "film.srt", off(film, PAL, 1.0))
    edges = [0.0, *cuts, 3000.0]
    rows = [{"shot": n, "start": a, "end": b} for n, (a, b) in enumerate(pairwise(edges))]
    write_rows(tmp_path / "shots.parquet", SCHEMAS["shots"], rows)
    result = make_cues(path, tmp_path)
    assert result.summary["rate"] == pytest.approx(PAL, abs=1e-5)
    assert any("another rate" in warning for warning in result.warnings)
    last = read_rows(tmp_path / "cues.parquet", SCHEMAS["cues"])[-1]
    assert last["start"] == pytest.approx(film.cues[-1].span.start, abs=0.2)


def test_the_verb_reports_it(tmp_path: Path) -> None:
    film, cuts = a_film()
    wrong = _write_srt(tmp_path / "wrong.srt", off(film, PAL, 1.0))
    right = _write_srt(tmp_path / "right.srt", film)
    listed = tmp_path / "cuts.txt"
    listed.write_text("\n".join(map(str, cuts)))
    play = tmp_path / "play.txt"
    play.write_text("".join(f"rick_b {c.text}\n" for c in film.cues))
    for option, path in (("--cuts", listed), ("--reference", right)):
        arguments = [str(play), str(wrong), "--json", option, str(path)]
        result = CliRunner().invoke(command, arguments)
        assert result.exit_code == 0, result.output
        whole = json.loads(result.stdout.splitlines()[-1])
        assert whole["rate"] == pytest.approx(PAL, abs=1e-5)
        assert whole["offset"] == pytest.approx(1.0, abs=0.15)


def test_real_subtitles_against_real_cuts(shared_data: Path) -> None:
    from callsheet.text.measures.episodes import find_episodes, read_cuts, read_episode

    for folder in find_episodes(shared_data / "tv"):
        film, cuts = read_episode(folder).subtitles, read_cuts(folder)
        for rate, offset in ((1.0, 0.0), (PAL, -30.0), (1 / PAL, -8.0)):
            found = find_drift(off(film, rate, offset), cuts)
            assert found is not None
            assert found.rate == pytest.approx(rate, abs=1e-6)
            assert found.offset == pytest.approx(offset, abs=0.3)
