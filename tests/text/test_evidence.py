"""Evidence of a small film: lines, mentions and statements on its clock."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from callsheet.core import ACTIONS, Element, ElementKind, Evidence, EvidenceKind, Span
from callsheet.errors import StoreError
from callsheet.store import SCHEMAS, read_rows
from callsheet.text import (
    Alignment,
    Cast,
    CastMember,
    EvidenceSettings,
    Screenplay,
    Verdict,
    align,
    count_evidence,
    find_cast,
    find_evidence,
    make_alignment,
    make_cast,
    make_cues,
    make_evidence,
    make_script,
    read_screenplay,
    read_subtitles,
)
from callsheet.text.evidence.context import described_paragraphs
from callsheet.text.evidence.finding import is_unseen
from callsheet.text.readings import ElementSpan, LineSpeaker

CAST = Cast(
    (
        CastMember("RICK", ("RICK BLAINE", "BLAINE"), lines=3),
        CastMember("ILSA", lines=2),
        CastMember("WAITER", background=True, lines=1),
    )
)


def element(number: int, kind: ElementKind, text: str, speaker: str | None = None,
            extension: str | None = None, lines: int = 1) -> Element:  # fmt: skip
    first = 10 * (number + 1)
    return Element(number, kind, text, first, first + lines - 1, 0, speaker, extension)


def script(*descriptions: str, speech: str | None = None) -> Screenplay:
    """Rick speaks between descriptions."""
    elements = []
    for text in descriptions:
        elements.append(element(len(elements), ElementKind.DESCRIPTION, text, lines=4))
        number = len(elements)
        elements.append(element(number, ElementKind.CHARACTER, "RICK", "RICK", speech))
        elements.append(element(number + 1, ElementKind.DIALOGUE, "Play it.", "RICK"))
    return Screenplay(tuple(elements), ())


def aligned(screenplay: Screenplay, confidence: float = 0.8) -> Alignment:
    """Each element takes its number's ten seconds."""
    spans = tuple(
        ElementSpan(e.element, Span(10.0 * e.element, 10.0 * e.element + 5), confidence)
        for e in screenplay.elements
    )
    lines = tuple(
        LineSpeaker(i, spans[e.element].span, e.text, e.element, e.speaker, 0.9)
        for i, e in enumerate(e for e in screenplay.elements if e.kind is ElementKind.DIALOGUE)
    )
    return Alignment(spans, (), (), 1.0, Verdict.GOOD, lines=lines)


def found(*descriptions: str, settings: EvidenceSettings | None = None) -> tuple[Evidence, ...]:
    screenplay = script(*descriptions)
    return find_evidence(screenplay, aligned(screenplay), CAST, settings)


def of_kind(evidence: tuple[Evidence, ...], kind: EvidenceKind) -> list[Evidence]:
    return [one for one in evidence if one.kind is kind]


def test_a_spoken_line_is_its_cue() -> None:
    (line,) = of_kind(found("A bar."), EvidenceKind.LINE)
    assert (line.person, line.action, line.span) == ("RICK", None, Span(20.0, 25.0))
    assert line.confidence == pytest.approx(0.9)
    assert line.source_line == 30


def test_a_line_that_only_the_subtitle_gives_a_speaker_is_evidence() -> None:
    """Its source is the script's line said before it; a guess without a name is none."""
    screenplay = script("A bar.")
    alignment = aligned(screenplay)
    named = LineSpeaker(1, Span(40.0, 42.0), "Louis!", None, "ILSA", 0.9, named=True)
    guess = LineSpeaker(2, Span(43.0, 44.0), "Well.", None, "RICK", 0.3)
    both = replace(alignment, lines=(*alignment.lines, named, guess))
    _, line = of_kind(find_evidence(screenplay, both, CAST), EvidenceKind.LINE)
    assert (line.person, line.rule, line.source_line) == ("ILSA", "named", 30)
    first = replace(alignment, lines=(named, *alignment.lines))
    line, _ = of_kind(find_evidence(screenplay, first, CAST), EvidenceKind.LINE)[::-1]
    assert line.source_line == 30


@pytest.mark.parametrize("extension", ["V.O.", "O.S.", "v.o., CONT'D", "FILTERED"])
def test_who_is_only_heard_is_not_on_screen(extension: str) -> None:
    screenplay = script("A bar.", speech=extension)
    evidence = find_evidence(screenplay, aligned(screenplay), CAST)
    assert of_kind(evidence, EvidenceKind.LINE) == []


@pytest.mark.parametrize("extension", [None, "", "CONT'D", "INTO PHONE", "SINGING"])
def test_who_is_seen_is_not_left_out(extension: str | None) -> None:
    assert not is_unseen(extension)


def test_mentions_are_once_a_person_and_description_and_not_of_extras() -> None:
    mentions = of_kind(
        found("BLAINE waits. Ilsa comes in. Rick looks up. The waiter bows."), EvidenceKind.MENTION
    )
    assert {m.person for m in mentions} == {"RICK", "ILSA"}
    assert len(mentions) == 2
    assert all(m.span == Span(0.0, 5.0) and m.action is None for m in mentions)
    with_extras = found("The waiter bows.", settings=EvidenceSettings(extras=True))
    assert "WAITER" in {m.person for m in of_kind(with_extras, EvidenceKind.MENTION)}


def test_statements_are_padded_and_tell_person_action_rule_and_line() -> None:
    (one,) = of_kind(
        found("A bar. Rick sits down.", settings=EvidenceSettings(pad_statements=2.0)),
        EvidenceKind.STATEMENT,
    )
    assert (one.person, one.action) == ("RICK", "SitDown")
    assert one.span == Span(0.0, 7.0)
    assert "sit" in one.rule
    assert 10 <= one.source_line <= 13
    assert 0.5 * 0.8 <= one.confidence <= 0.8


def test_symmetric_actions_tell_both_and_unknown_people_nobody() -> None:
    told = of_kind(found("Rick kisses Ilsa. A stranger runs."), EvidenceKind.STATEMENT)
    assert {(s.person, s.action) for s in told} == {
        ("RICK", "Kiss"), ("ILSA", "Kiss"), (None, "Run"),
    }  # fmt: skip


def test_who_never_speaks_has_statements_and_mentions() -> None:
    screenplay = script("KATE (30s), a nurse, enters. Kate sits down. KATE runs.")
    evidence = find_evidence(screenplay, aligned(screenplay), find_cast(screenplay))
    told = {(s.person, s.action) for s in of_kind(evidence, EvidenceKind.STATEMENT)}
    assert told == {("KATE", "SitDown"), ("KATE", "Run")}
    assert "KATE" in {m.person for m in of_kind(evidence, EvidenceKind.MENTION)}


def test_what_is_not_stated_is_no_evidence() -> None:
    assert of_kind(found("Rick wants to kiss Ilsa."), EvidenceKind.STATEMENT) == []


def test_a_pronoun_reaches_back_to_who_spoke_before() -> None:
    told = of_kind(found("A bar.", "He stands up."), EvidenceKind.STATEMENT)
    assert [(s.person, s.action) for s in told] == [("RICK", "StandUp")]


def test_gender_is_learnt_from_the_script_itself() -> None:
    cast = Cast((CastMember("ZORP"), CastMember("QUELL")))
    texts = ("Zorp rubs her eyes.", "Zorp drops her bag.", "Zorp shuts her book.",
             "Zorp and Quell enter. She sits down.")  # fmt: skip
    screenplay = script(*texts)
    paragraphs = described_paragraphs(screenplay, cast)
    last = paragraphs[9]
    assert last.persons(1, last.sentences[1][0]) == ("ZORP",)


def test_a_refused_script_gives_no_evidence() -> None:
    screenplay = script("Rick sits down.")
    refused = replace(aligned(screenplay), verdict=Verdict.REFUSED)
    assert find_evidence(screenplay, refused, CAST) == ()


def test_descriptions_without_a_place_or_with_a_vague_one_are_left_out() -> None:
    screenplay = script("Rick sits down.")
    alignment = aligned(screenplay)
    nowhere = replace(alignment, spans=())
    vague = replace(alignment, spans=(ElementSpan(0, Span(0.0, 900.0), 0.1),))
    for changed in (nowhere, vague):
        evidence = find_evidence(screenplay, changed, CAST)
        assert {e.kind for e in evidence} == {EvidenceKind.LINE}


def test_unsure_evidence_can_be_left_out_and_ids_count_in_order_of_time() -> None:
    evidence = found("Rick runs.", "Ilsa runs.")
    assert [e.evidence for e in evidence] == list(range(len(evidence)))
    starts = [e.span.start for e in evidence]
    assert starts == sorted(starts)
    assert found("Rick runs.", settings=EvidenceSettings(least_confidence=0.95)) == ()


def test_counts_are_those_of_the_constraint_table() -> None:
    counts = count_evidence(found("Rick kisses Ilsa. Rick runs."))
    assert tuple(counts.actions) == ACTIONS
    assert (counts.actions["Kiss"], counts.actions["Run"], counts.actions["Eat"]) == (2, 1, 0)
    assert counts.kinds == {"line": 1, "mention": 2, "statement": 3}
    assert counts.people["RICK"] == {"line": 1, "mention": 1, "statement": 2}


FILM = """\
Title: The Buffet

INT. STATION BUFFET - NIGHT

RICK sits at the bar. ILSA enters.

ILSA
I did not think I would find you here tonight of all nights.

Rick stands up and kisses her on the cheek.

RICK
Of all the buffets in all the stations in the whole wide world.

He sits down again. The door is opened by Ilsa.

ILSA
You have not changed at all since that summer in Paris, have you?
"""
CUES = [
    "I did not think I would find you here tonight of all nights.",
    "Of all the buffets in all the stations in the whole wide world.",
    "You have not changed at all since that summer in Paris, have you?",
]


def film_files(folder: Path) -> tuple[Path, Path]:
    script_file, subtitles = folder / "film.fountain", folder / "film.srt"
    script_file.write_text(FILM)
    blocks = [
        f"{i}\n00:00:{20 * i:02},000 --> 00:00:{20 * i + 4:02},000\n{text}\n"
        for i, text in enumerate(CUES[:2], start=1)
    ]
    blocks.append(f"3\n00:01:00,000 --> 00:01:04,000\n{CUES[2]}\n")
    subtitles.write_text("\n".join(blocks))
    return script_file, subtitles


def test_the_stage_writes_what_the_folder_tells(tmp_path: Path) -> None:
    script_file, subtitles = film_files(tmp_path)
    make_script(script_file, tmp_path)
    make_cues(subtitles, tmp_path)
    make_cast(tmp_path)
    make_alignment(tmp_path)
    shares: list[float] = []
    result = make_evidence(tmp_path, progress=shares.append)
    rows = read_rows(tmp_path / "evidence.parquet", SCHEMAS["evidence"])
    told = {(row["person"], row["action"]) for row in rows if row["kind"] == "statement"}
    assert {("RICK", "StandUp"), ("RICK", "Kiss"), ("ILSA", "Kiss"), ("RICK", "SitDown"),
            ("ILSA", "OpenDoor")} == told  # fmt: skip
    assert result.summary["statement"] == len([r for r in rows if r["kind"] == "statement"])
    assert [r["start"] for r in rows if r["kind"] == "line"] == [20.0, 40.0, 60.0]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_the_stage_tells_two_speakers_of_one_cue_as_the_verb_does(tmp_path: Path) -> None:
    script_file, subtitles = film_files(tmp_path)
    both = f"1\n00:00:20,000 --> 00:00:24,000\n{CUES[0]}\n{CUES[1]}\n\n"
    subtitles.write_text(both + f"2\n00:01:00,000 --> 00:01:04,000\n{CUES[2]}\n")
    make_script(script_file, tmp_path)
    make_cues(subtitles, tmp_path)
    make_cast(tmp_path)
    make_alignment(tmp_path)
    make_evidence(tmp_path)
    rows = read_rows(tmp_path / "evidence.parquet", SCHEMAS["evidence"])
    play = read_screenplay(script_file)
    alone = find_evidence(play, align(play, read_subtitles(subtitles)), find_cast(play))
    said = [(r["person"], r["start"], r["source_line"]) for r in rows if r["kind"] == "line"]
    assert said == [
        (e.person, e.span.start, e.source_line) for e in of_kind(alone, EvidenceKind.LINE)
    ]
    assert [person for person, start, _ in said if start == 20.0] == ["ILSA", "RICK"]


def test_the_stage_names_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="does not exist"):
        make_evidence(tmp_path)
