"""Alignment of whole films: speakers, spans, verdicts, and the stage from folder to folder."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from callsheet.cli.verbs.align import command
from callsheet.core import Cue, ElementKind, Span
from callsheet.errors import InputError
from callsheet.store import SCHEMAS, read_rows, write_items
from callsheet.text import Screenplay, Subtitles, Verdict, align, make_alignment, make_cast
from callsheet.text.settings import AlignmentSettings
from made_scripts import dialogue, said, script, sentence, subtitles

RNG = random.Random(7)
BAR = [sentence(RNG, 8) for _ in range(8)]
STREET = [sentence(RNG, 8) for _ in range(8)]


def film() -> Screenplay:
    return script(
        "# INT. BAR - NIGHT",
        "Rick sits down at the table.",
        *(f"{'RICK' if n % 2 else 'ILSA'}: {words}" for n, words in enumerate(BAR)),
        "Rick stands up and leaves.",
        "# EXT. STREET - DAY",
        "Ilsa runs down the street after a car that does not stop.",
        *(f"{'SAM' if n % 2 else 'ILSA'}: {words}" for n, words in enumerate(STREET)),
    )


def test_every_line_gets_its_speaker() -> None:
    found = align(film(), said([*BAR, *STREET]))
    assert [line.speaker for line in found.lines] == [e.speaker for e in dialogue(film())]
    assert all(line.confidence > 0.9 for line in found.lines)
    assert found.verdict is Verdict.GOOD
    assert found.share == found.heard == 1.0


def test_two_speakers_in_one_cue_are_told_apart_by_line() -> None:
    cues = said([f"{BAR[0]}\n{BAR[1]}", *BAR[2:], *STREET])
    found = align(film(), cues)
    assert [line.speaker for line in found.lines[:2]] == ["ILSA", "RICK"]
    assert found.lines[0].cue == found.lines[1].cue == 0
    assert found.lines[0].span == cues.cues[0].span
    assert found.speakers[0].confidence < found.lines[0].confidence
    spans = {s.element: s.span for s in found.spans}
    first, second = (spans[e.element] for e in dialogue(film())[:2])
    assert cues.cues[0].span.start == first.start < first.end <= second.start + 1e-9


def test_descriptions_stay_in_their_gap() -> None:
    cues = said(BAR, start=30.0)
    cues = Subtitles((*cues.cues, *(
        Cue(8 + n, Span(100.0 + 3 * n, 102.0 + 3 * n), words) for n, words in enumerate(STREET)
    )))  # fmt: skip
    found = align(film(), cues)
    gap = Span(cues.cues[7].span.end, 100.0)
    spans = {s.element: s.span for s in found.spans}
    between = [
        e for e in film().elements if e.kind in (ElementKind.HEADING, ElementKind.DESCRIPTION)
    ][2:]
    assert len(between) == 3
    for element in between:
        span = spans[element.element]
        assert gap.start - 1e-9 <= span.start <= span.end <= gap.end + 1e-9
    starts = [spans[e.element].start for e in between]
    assert starts == sorted(starts)
    opening = spans[film().elements[1].element]
    assert opening.start >= 0.0
    assert opening.end <= 30.0


def test_scenes_get_spans() -> None:
    found = align(film(), said([*BAR, *STREET]))
    bar, street = (s.span for s in found.scenes)
    assert bar.start < street.start
    assert bar.end <= street.start + 1.0
    assert [s.element for s in found.scenes] == [0, 1]


def test_a_scene_cut_from_the_film_has_no_span() -> None:
    third = [sentence(random.Random(8), 9) for _ in range(6)]
    longer = script(
        "# INT. BAR - NIGHT", *(f"RICK: {words}" for words in BAR),
        "# INT. CELLAR - NIGHT", "Sam eats.", *(f"SAM: {words}" for words in third),
        "# EXT. STREET - DAY", "Ilsa runs.", *(f"ILSA: {words}" for words in STREET),
    )  # fmt: skip
    found = align(longer, said([*BAR, *STREET]))
    placed = {s.element for s in found.spans}
    cellar = {e.element for e in longer.elements if e.scene == 1}
    assert not placed & cellar
    assert {s.element for s in found.scenes} == {0, 2}
    assert any(e.text == "Ilsa runs." and e.element in placed for e in longer.elements)


def test_a_moved_scene_keeps_its_descriptions_near_its_words() -> None:
    found = align(film(), said([*STREET, *BAR], start=10.0))
    assert [line.speaker for line in found.lines[:2]] == ["ILSA", "SAM"]
    spans = {s.element: s.span for s in found.spans}
    words = [spans[e.element] for e in dialogue(film())]
    street = Span(words[8].start, words[-1].end)
    runs = next(e for e in film().elements if e.text.startswith("Ilsa runs"))
    assert spans[runs.element].end <= street.start + 1e-9
    assert any("another order" in warning for warning in found.warnings)


def test_a_rewritten_line_between_known_ones_is_inferred() -> None:
    other = sentence(random.Random(9), 8)
    found = align(film(), said([*BAR[:3], other, *BAR[4:], *STREET]))
    assert found.lines[3].speaker == "RICK"
    assert found.lines[3].confidence < 0.8


def test_an_unscripted_answer_goes_to_the_other_speaker() -> None:
    parts = [f"RICK: {BAR[0]}", f"ILSA: {BAR[1]}", f"RICK: {BAR[2]}", f"RICK: {BAR[3]}",
             f"ILSA: {BAR[4]}", f"RICK: {BAR[5]}"]  # fmt: skip
    found = align(script(*parts), said([*BAR[:3], "Hm.", *BAR[3:6]]))
    assert found.lines[3].speaker == "ILSA"
    assert found.lines[3].element is None


def test_a_recap_is_nobodys() -> None:
    recap = [sentence(random.Random(n), 7) for n in range(12)]
    found = align(film(), said([*recap, *BAR, *STREET]))
    assert all(line.speaker is None for line in found.lines[:12])
    assert all(line.speaker for line in found.lines[12:])


def test_the_subtitles_own_names_help() -> None:
    cues = list(said([*BAR, *STREET]).cues)
    strange = Cue(3, cues[3].span, sentence(random.Random(10), 5), speaker="Ilsa")
    found = align(film(), Subtitles((*cues[:3], strange, *cues[4:])))
    assert found.lines[3].speaker == "ILSA"


def test_names_that_only_the_subtitles_know_are_believed_where_no_words_speak() -> None:
    cues = list(said([*BAR, *STREET]).cues)
    strange = Cue(3, cues[3].span, sentence(random.Random(10), 5), speaker="OTTO")
    contradicted = Cue(5, cues[5].span, BAR[5], speaker="OTTO")
    noise = Cue(7, cues[7].span, "(laughs)", speaker="Ilsa", sound=True)
    found = align(film(), Subtitles((*cues[:3], strange, cues[4], contradicted, cues[6], noise)))
    assert [(found.lines[n].speaker, found.lines[n].named) for n in (3, 7)] == [
        ("OTTO", True), (None, False),
    ]  # fmt: skip
    assert found.lines[5].speaker not in ("OTTO", None)


def test_sounds_have_no_speaker() -> None:
    cues = list(said([*BAR, *STREET]).cues)
    noise = Cue(4, cues[4].span, BAR[4], sound=True)
    found = align(film(), Subtitles((*cues[:4], noise, *cues[5:])))
    assert found.lines[4].speaker is None
    assert found.speakers[4].confidence == 0.0


def test_a_script_of_another_film_is_refused() -> None:
    rng = random.Random(11)
    found = align(film(), said([sentence(rng, 8) for _ in range(16)]))
    assert found.verdict is Verdict.REFUSED
    assert not found.spans
    assert not found.lines
    assert "another language" in found.warnings[0]


def test_another_draft_is_flagged_with_its_share() -> None:
    rng = random.Random(12)
    found = align(film(), said([*BAR[:5], *(sentence(rng, 8) for _ in range(11))]))
    assert found.verdict is Verdict.DOUBTFUL
    assert found.share == pytest.approx(5 / 16, abs=0.02)
    assert "31%" in found.warnings[0]
    strict = AlignmentSettings(refuse_below=0.5)
    cues = said([*BAR[:5], *(sentence(random.Random(12), 8) for _ in range(11))])
    assert align(film(), cues, strict).verdict is Verdict.REFUSED


def test_no_dialogue_is_an_error() -> None:
    with pytest.raises(InputError, match="no dialogue"):
        align(script("# INT. BAR - DAY", "Nobody speaks."), said(BAR))
    with pytest.raises(InputError, match="no spoken words"):
        align(film(), subtitles((0, 1, "...")))


def test_confidences_are_probabilities_and_spans_lie_in_the_film() -> None:
    rng = random.Random(13)
    spoken = [words for words in [*BAR, *STREET] if rng.random() < 0.7]
    cues = said(spoken, start=5.0)
    found = align(film(), cues)
    for span in (*found.spans, *found.scenes):
        assert 0.0 <= span.confidence <= 1.0
        assert 0.0 <= span.span.start <= span.span.end <= cues.cues[-1].span.end + 60
    assert all(0.0 <= line.confidence <= 1.0 for line in found.lines)
    assert [s.cue for s in found.speakers] == list(range(len(cues.cues)))


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from([*BAR, *STREET, "Hm.", "...", "no\nyes", "you the i"]), max_size=30),
    st.lists(st.sampled_from(range(16)), max_size=12),
)
def test_any_film_of_these_words_aligns(texts: list[str], order: list[int]) -> None:
    spoken = [*BAR, *STREET]
    play = script("# INT. BAR - DAY", *(f"RICK: {spoken[n]}" for n in order), "Rick leaves.")
    try:
        found = align(play, said(texts))
    except InputError:
        return
    elements = [s.element for s in found.spans]
    assert elements == sorted(set(elements))


def _folder(tmp_path: Path, cues: Subtitles) -> Path:
    write_items(tmp_path / "elements.parquet", SCHEMAS["elements"], film().elements)
    write_items(tmp_path / "scenes.parquet", SCHEMAS["scenes"], film().scenes)
    write_items(tmp_path / "cues.parquet", SCHEMAS["cues"], cues.cues)
    return tmp_path


def test_the_stage_writes_its_tables(tmp_path: Path) -> None:
    folder = _folder(tmp_path, said([*BAR, *STREET]))
    seen: list[float] = []
    result = make_alignment(folder, progress=seen.append)
    found = align(film(), said([*BAR, *STREET]))
    rows = read_rows(folder / "alignment.parquet", SCHEMAS["alignment"])
    assert [row["element"] for row in rows] == [s.element for s in found.spans]
    assert len(read_rows(folder / "speakers.parquet", SCHEMAS["speakers"])) == 16
    assert len(read_rows(folder / "scene_spans.parquet", SCHEMAS["scene_spans"])) == 2
    assert result.summary["verdict"] == "good"
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_the_stage_uses_cast_names(tmp_path: Path) -> None:
    folder = _folder(tmp_path, said([*BAR, *STREET]))
    listing = tmp_path / "cast.csv"
    listing.write_text("name,aliases,actor\nRichard Blaine,RICK,Humphrey Bogart\n")
    make_cast(folder, listing)
    make_alignment(folder)
    speakers = {
        row["speaker"] for row in read_rows(folder / "speakers.parquet", SCHEMAS["speakers"])
    }
    assert speakers == {"Richard Blaine", "ILSA", "SAM"}


def test_the_stage_refuses_and_writes_nothing(tmp_path: Path) -> None:
    rng = random.Random(14)
    folder = _folder(tmp_path, said([sentence(rng, 8) for _ in range(16)]))
    with pytest.raises(InputError, match="not of this film"):
        make_alignment(folder)
    assert not (folder / "alignment.parquet").exists()


SRT = """1
00:00:01,000 --> 00:00:03,000
- {0}
- {1}

2
00:00:04,000 --> 00:00:06,000
{2}
{3}
"""


def test_the_verb_prints_one_object_a_subtitle_line(tmp_path: Path) -> None:
    texts = [*BAR, *STREET]
    transcript = tmp_path / "transcript.txt"
    transcript.write_text(
        "".join(f"{'rick_b' if n % 2 else 'ilsa_l'} {t}\n" for n, t in enumerate(texts))
    )
    cues = tmp_path / "film.srt"
    cues.write_text(SRT.format(*texts[:4]))
    result = CliRunner().invoke(command, [str(transcript), str(cues), "--json"])
    assert result.exit_code == 0, result.output
    *lines, whole = (json.loads(row) for row in result.stdout.splitlines())
    assert [line["text"] for line in lines] == texts[:4]
    assert [line["speaker"] for line in lines] == ["ilsa_l", "rick_b", "ilsa_l", "rick_b"]
    assert set(lines[0]) == {"start", "end", "text", "speaker", "confidence"}
    assert whole["verdict"] == "doubtful"
    assert whole["heard"] == 1.0


def test_the_verb_takes_what_its_errors_ask_for(tmp_path: Path) -> None:
    script_file, cues = tmp_path / "talk.txt", tmp_path / "film.sub"
    script_file.write_text("".join(f"RICK: {text}\n" for text in BAR))
    rng = random.Random(20)
    film = [BAR[0], *(sentence(rng, 8) for _ in range(29))]
    cues.write_text("".join(f"{{{50 * n}}}{{{50 * n + 25}}}{t}\n" for n, t in enumerate(film, 1)))
    wanted = [str(script_file), str(cues), "--frame-rate", "25"]
    refused = CliRunner().invoke(command, [*wanted, "--refuse-below", "0.9"])
    assert isinstance(refused.exception, InputError)
    assert "--refuse-below" in refused.exception.message
    found = CliRunner().invoke(command, [*wanted, "--refuse-below", "0.01", "--json"])
    assert found.exit_code == 0, found.output
    *lines, whole = (json.loads(row) for row in found.stdout.splitlines() if row[0] == "{")
    assert (lines[0]["start"], lines[0]["end"]) == (2.0, 3.0)
    assert whole["verdict"] == "doubtful"
    assert whole["drift"] is None


def test_annotated_episodes(shared_data: Path) -> None:
    """The figures that the design asks for, on real transcripts and subtitles."""
    from callsheet.text.measures.episodes import find_episodes, read_episode
    from callsheet.text.measures.judged import judged_lines, summarise

    episodes = [read_episode(folder) for folder in find_episodes(shared_data / "tv")]
    lines = [
        judged
        for episode in episodes
        if episode.annotated
        for judged in judged_lines(episode, align(episode.screenplay, episode.subtitles))
    ]
    found = summarise(lines)
    assert found["lines"] == 2384
    assert found["right"] >= 0.96
    assert found["surest_80"] >= 0.985
    assert found["calibration_error"] < 0.02
    assert found["rival"] == pytest.approx(0.924, abs=0.001)
