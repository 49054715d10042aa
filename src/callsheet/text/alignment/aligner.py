"""From screenplay and subtitles to an alignment: words, then lines, then everything else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from callsheet.errors import InputError
from callsheet.text.alignment.decisions import Decision, Rule
from callsheet.text.alignment.dialogue import dialogue_spans
from callsheet.text.alignment.drift import Drift, drift_between, find_drift, retimed
from callsheet.text.alignment.judgement import judge
from callsheet.text.alignment.lines import (
    Line,
    Speech,
    claims_of,
    line_words,
    lines_of,
    word_counts,
)
from callsheet.text.alignment.matching import match_words
from callsheet.text.alignment.scenes import scene_spans
from callsheet.text.alignment.spans import element_spans
from callsheet.text.alignment.speakers import decide
from callsheet.text.alignment.timeline import Timeline
from callsheet.text.alignment.words import Words
from callsheet.text.readings import (
    Alignment,
    CueSpeaker,
    LineSpeaker,
    Screenplay,
    Subtitles,
    Verdict,
)
from callsheet.text.settings import AlignmentSettings


def align(
    screenplay: Screenplay,
    subtitles: Subtitles,
    settings: AlignmentSettings | None = None,
    *,
    cuts: Sequence[float] | None = None,
    reference: Subtitles | None = None,
) -> Alignment:
    """Align a screenplay (or transcript) to the subtitles of a film.

    The film's `cuts` (seconds), or a `reference`, subtitles known to keep its time, tell
    whether the subtitles drift; then everything is told on the film's clock. A script of
    another film comes back with the verdict REFUSED and without spans.
    """
    settings = settings or AlignmentSettings()
    told = _drift(subtitles, cuts, reference)
    drift = told or Drift(1.0, 0.0, "", 0.0)
    subtitles = retimed(subtitles, drift) if drift.matters else subtitles
    speech, lines = Speech.of(screenplay), lines_of(subtitles.cues)
    film = line_words(lines)
    _check(speech, film)
    matches = match_words(speech.words, film)
    judged = judge(matches, speech.words, film, settings)
    warnings = (*judged.warnings, *_drift_warnings(told, cuts, reference))
    if judged.verdict is Verdict.REFUSED:
        return Alignment(
            (), (), (), judged.share, judged.verdict, warnings, drift.rate, drift.offset,
            judged.heard, drift_told=told is not None,
        )  # fmt: skip
    counts = word_counts(film, len(lines))
    decisions = decide(lines, claims_of(matches, speech, film, len(lines)), counts, speech)
    spoken = dialogue_spans(lines, decisions, matches, speech, film)
    timeline = Timeline.of(spoken, lines, decisions, counts)
    spans = element_spans(screenplay, timeline, slack=settings.description_slack)
    return Alignment(
        spans,
        cue_speakers(lines, decisions, counts, speech),
        scene_spans(screenplay, spans),
        judged.share,
        judged.verdict,
        warnings,
        drift.rate,
        drift.offset,
        judged.heard,
        lines=line_speakers(lines, decisions, speech, subtitles),
        drift_told=told is not None,
    )


def _drift(
    subtitles: Subtitles, cuts: Sequence[float] | None, reference: Subtitles | None
) -> Drift | None:
    """The drift that a reference, else the cuts, show; None where they tell nothing."""
    if reference is not None:
        return drift_between(subtitles, reference)
    return None if cuts is None else find_drift(subtitles, cuts)


def _drift_warnings(
    drift: Drift | None, cuts: Sequence[float] | None, reference: Subtitles | None
) -> Iterator[str]:
    """What was mended; or that nothing could be told, where that was asked for."""
    if drift is not None and drift.matters:
        yield f"the subtitles {drift}; mended"
    elif drift is None and (cuts is not None or reference is not None):
        asked = "the film's cuts" if reference is None else "the reference subtitles"
        yield (
            f"{asked} do not tell whether the subtitles keep the film's time; they were left as"
            " they are"
        )


def _check(speech: Speech, film: Words) -> None:
    if not len(speech.words):
        raise InputError("the screenplay has no dialogue, so it cannot be aligned to subtitles")
    if not len(film):
        raise InputError("the subtitles hold no spoken words, so no screenplay can be aligned")


def line_speakers(
    lines: Sequence[Line], decisions: Sequence[Decision], speech: Speech, subtitles: Subtitles
) -> tuple[LineSpeaker, ...]:
    """Who speaks each line of the subtitles."""
    return tuple(
        LineSpeaker(
            line.cue,
            subtitles.cues[line.cue].span,
            line.text,
            _element(decision, speech),
            decision.speaker,
            decision.confidence,
            named=decision.rule is Rule.NAMED,
        )
        for line, decision in zip(lines, decisions, strict=True)
    )


def cue_speakers(
    lines: Sequence[Line], decisions: Sequence[Decision], counts: Sequence[int], speech: Speech
) -> tuple[CueSpeaker, ...]:
    """Who speaks most of each cue; another speaker's words in it make that less sure."""
    by_cue: dict[int, list[tuple[Decision, int]]] = {}
    for line, decision, count in zip(lines, decisions, counts, strict=True):
        by_cue.setdefault(line.cue, []).append((decision, count))
    return tuple(_cue_speaker(cue, parts, speech) for cue, parts in by_cue.items())


def _cue_speaker(cue: int, parts: Sequence[tuple[Decision, int]], speech: Speech) -> CueSpeaker:
    votes: dict[str | None, float] = {}
    for decision, count in parts:
        votes[decision.speaker] = votes.get(decision.speaker, 0.0) + decision.confidence * count
    speaker = max(votes, key=lambda name: votes[name])
    mine = max((d for d, _ in parts if d.speaker == speaker), key=lambda d: d.confidence)
    sure = votes[speaker] / max(1, sum(count for _, count in parts))
    return CueSpeaker(cue, _element(mine, speech), speaker, sure)


def _element(decision: Decision, speech: Speech) -> int | None:
    return None if decision.utterance is None else speech.elements[decision.utterance]
