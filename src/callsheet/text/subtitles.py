"""Subtitles: SRT, WebVTT, ASS/SSA and MicroDVD, read by pysubs2, to cues in order of time.

One cue is one speaker's words, as far as dashes tell, with the subtitle's line ends kept.
"- Hi. - Hello." becomes two cues that share the time in proportion to their length;
"RICK: Hi." gives a speaker; "(door slams)" and "♪ la la ♪" are sounds. Only this module
imports pysubs2.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from callsheet.core import Cue, Span
from callsheet.core.stage import Progress, StageResult, no_progress
from callsheet.errors import InputError, MissingExtraError
from callsheet.store import SCHEMAS, read_rows, write_items
from callsheet.text.alignment.drift import Drift, find_drift, retimed
from callsheet.text.encodings import read_text
from callsheet.text.readings import Subtitles
from callsheet.text.settings import SubtitleSettings

FORMATS = {".srt": "srt", ".vtt": "vtt", ".ass": "ass", ".ssa": "ssa", ".sub": "microdvd"}
"""Extension -> what pysubs2 calls the format."""

_MARKUP = re.compile(r"\{[^{}]*\}|</?[A-Za-z][^<>]*>|<\d[\d:.]*>")
_DRAWING = re.compile(r"\\p[1-9]")
"""ASS draws shapes after this mark: numbers, no words."""
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?\s+([^<>]+)>")
_BLANK_LINES = re.compile(r"\n(?:[ \t\r]*\n){2,}")
_DASH = re.compile(r"^\s*(?:[-\u2010-\u2015\u2212](?![-\u2010-\u2015\u2212])|>{2,3})\s*(?=\S)")
"""Opens another speaker's words; captions of broadcasters write ">>"."""
_CHEVRONS = re.compile(r"(?<=\S)\s+(?=>{2,3}\s*[^\s>])")
_INNER_DASH = re.compile(
    r"(?<=[.!?\u2026\"'\u201d])\s+[-\u2010-\u2015\u2212]\s*(?=[A-Z\u00c0-\u00de\"'\u2026.\d(\[])"
)
_CAPITAL_PREFIX = re.compile(
    r"^\s*[(\[]?([A-Z\u00c0-\u00de][A-Z\u00c0-\u00de0-9 .,'&#/-]{0,40}?)\s?"
    r"(?:\([^()]{0,40}\)\s?)?[)\]]?:(?:\s+|$)"
)
_TITLE_PREFIX = re.compile(
    r"^\s*((?:[A-Z\u00c0-\u00de][\w.'-]*)(?: [A-Z\u00c0-\u00de#\d][\w.'-]*){0,2})\s?:\s+(?=\S)"
)
_BRACKETED_NAME = re.compile(
    r"^\s*[\[(]([A-Z][A-Z .'#\d-]{1,30})[\])]\s+(?=[A-Z\u00c0-\u00de\"'\u2026.\d-])"
)
_SOUND = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\*[^*\n]{2,60}\*")
_MUSIC = re.compile(r"[\u2669-\u266f]|^\s*#.*#\s*$", re.DOTALL)
_CREDIT = re.compile(
    r"www\.|https?://|\b(?:opensubtitles|addic7ed|subscene|podnapisi)\b|"
    r"^\W*(?:\w+ )?(?:subtitles?|subs|captions?|captioned|synced|sync|ripped|corrected|resync)\b"
    r".{0,20}\bby\b",
    re.IGNORECASE | re.MULTILINE,
)
"""Whoever made the subtitles signs at the start of a line, at most one word before it."""
_ENDLESS = re.compile(r"^\{(\d{1,9})\}\{\}", re.MULTILINE)
_STARTS = re.compile(r"^\{(\d{1,9})\}", re.MULTILINE)
_LAST_FRAMES = 72
"""Frames that a MicroDVD subtitle without an end lasts, if none comes after it."""
_RETURNS = 3
"""A prefix in mixed case ("Rick:") is a speaker when it comes back this often."""

_ENGLISH = frozenset(
    [
        "the",
        "and",
        "you",
        "to",
        "of",
        "that",
        "it",
        "is",
        "in",
        "what",
        "me",
        "this",
        "for",
        "my",
        "on",
        "have",
        "do",
        "not",
        "be",
        "we",
        "are",
        "with",
        "your",
        "he",
        "was",
        "no",
        "so",
        "i",
        "a",
        "can",
        "know",
        "all",
        "but",
        "they",
        "him",
        "there",
        "her",
        "get",
        "just",
    ]
)


@dataclass(frozen=True, slots=True)
class _Part:
    """One speaker's words within a subtitle, markup gone, before sounds are told apart."""

    text: str
    speaker: str | None


def read_subtitles(path: Path, settings: SubtitleSettings | None = None) -> Subtitles:
    """Read a subtitle file; the format is told by its content, the encoding guessed."""
    path, settings = Path(path), settings or SubtitleSettings()
    decoded = read_text(path)
    events, odd = _events(decoded.text, path, settings)
    events, more = _mended(events, path.name)
    cues = _numbered(_cues(events))
    if not cues:
        raise InputError(f"{path.name} holds no subtitle with words in it", path=str(path))
    odd += more + _language_warnings(cues, path.name)
    return Subtitles(cues, (*decoded.warnings, *odd))


def make_cues(
    subtitles: Path,
    folder: Path,
    settings: SubtitleSettings | None = None,
    progress: Progress = no_progress,
) -> StageResult:
    """Read subtitles and write `cues.parquet` into a folder.

    Where the folder has the film's shots, subtitles that the cuts show to run at another rate,
    or early or late, are put on the film's clock.
    """
    found = read_subtitles(subtitles, settings)
    found, drift = _on_the_films_clock(found, folder)
    write_items(folder / "cues.parquet", SCHEMAS["cues"], found.cues)
    progress(1.0)
    sounds = sum(cue.sound for cue in found.cues)
    named = sum(cue.speaker is not None for cue in found.cues)
    summary: dict[str, Any] = {"cues": len(found.cues), "sounds": sounds, "with_speaker": named}
    if drift is not None:
        summary |= {"rate": round(drift.rate, 6), "offset": round(drift.offset, 2)}
    return StageResult(summary, found.warnings)


def _on_the_films_clock(subtitles: Subtitles, folder: Path) -> tuple[Subtitles, Drift | None]:
    """Mend drift against the cuts of the folder's shots; None: there are none, or unclear."""
    shots = folder / "shots.parquet"
    if not shots.exists():
        return subtitles, None
    cuts = [row["start"] for row in read_rows(shots, SCHEMAS["shots"])][1:]
    drift = find_drift(subtitles, cuts)
    if drift is None or not drift.matters:
        return subtitles, drift
    mended = retimed(subtitles, drift)
    return replace(mended, warnings=(*mended.warnings, f"the subtitles {drift}; mended")), drift


@dataclass(frozen=True, slots=True)
class _Event:
    """A subtitle as the file has it: seconds, text with markup, the format's own actor field."""

    start: float
    end: float
    text: str
    actor: str


def _events(text: str, path: Path, settings: SubtitleSettings) -> tuple[list[_Event], list[str]]:
    format_name = _format_of(text, path)
    text = _BLANK_LINES.sub("\n\n", text.replace("\r\n", "\n").replace("\r", "\n"))
    text, endless = _with_ends(text) if format_name == "microdvd" else (text, 0)
    loaded, odd = _load(text, format_name, path.name, settings)
    if endless:
        odd.append(f"{path.name}: {endless} subtitles have no end; each lasts until the next")
    events = [
        _Event(e.start / 1000, e.end / 1000, _lines(e.text, format_name), e.name.strip())
        for e in loaded
        if not (e.is_comment or _DRAWING.search(e.text))
    ]
    return events, odd


def _with_ends(text: str) -> tuple[str, int]:
    """MicroDVD's "{25}{}Hi." ends where the next subtitle starts; also how many are so."""
    starts = sorted({int(found[1]) for found in _STARTS.finditer(text)})

    def ended(found: re.Match[str]) -> str:
        start = int(found[1])
        after = bisect_right(starts, start)
        return f"{{{start}}}{{{starts[after] if after < len(starts) else start + _LAST_FRAMES}}}"

    return _ENDLESS.subn(ended, text)


def _format_of(text: str, path: Path) -> str:
    """Tell the format by what stands in the file: extensions lie too often."""
    head = text[:4096].lstrip()
    if head.startswith("WEBVTT"):
        return "vtt"
    if "[Script Info]" in head or "[Events]" in text:
        return "ssa" if "[V4 Styles]" in text else "ass"
    if re.search(r"^\s*\{\d+\}\{\d*\}", head, re.MULTILINE):
        return "microdvd"
    if "-->" in text:
        return "srt"
    known = ", ".join(FORMATS)
    raise InputError(
        f"{path.name} holds no subtitles that callsheet knows; give one of {known}", path=str(path)
    )


def _load(
    text: str, format_name: str, name: str, settings: SubtitleSettings
) -> tuple[Any, list[str]]:
    try:
        import pysubs2
    except ImportError as error:
        raise MissingExtraError(
            "subtitles need pysubs2; run pip install 'callsheet[text]'"
        ) from error
    more: dict[str, Any] = {"keep_html_tags": True} if format_name in ("srt", "vtt") else {}
    try:
        return pysubs2.SSAFile.from_string(text, format_name, **more), []
    except pysubs2.UnknownFPSError:
        loaded = pysubs2.SSAFile.from_string(text, format_name, fps=settings.frame_rate)
        return loaded, [
            f"{name} counts frames and does not say how many make a second;"
            f" {settings.frame_rate} was taken (--frame-rate, or frame_rate under [subtitles] in"
            " callsheet.toml, says another)"
        ]
    except Exception as error:  # whatever a foreign parser trips over is damage in the file
        raise InputError(f"{name} is damaged ({type(error).__name__}: {error})") from error


def _lines(text: str, format_name: str) -> str:
    """The words with line ends; in WebVTT a cue ends at the first blank line."""
    text = text.replace("\\N", "\n").replace("\\n", "\n").replace("\\h", " ")
    if format_name == "vtt":
        text = text.lstrip("\n").split("\n\n")[0]
    return html.unescape(text)


def _mended(events: list[_Event], name: str) -> tuple[list[_Event], list[str]]:
    """Order by time, mend ends before starts, drop repeats; say so."""
    odd = []
    backward = sum(e.end < e.start for e in events)
    if backward:
        odd.append(f"{name}: {backward} subtitles end before they start; they were cut to a point")
    early = sum(max(e.start, e.end) < 0 for e in events)
    if early:
        odd.append(f"{name}: {early} subtitles lie before the film's start; they were left out")
    if any(b.start < a.start for a, b in pairwise(events)):
        odd.append(f"{name} is not in order of time; it was sorted")
    mended = [
        replace(e, start=max(0.0, e.start), end=max(0.0, e.start, e.end))
        for e in events
        if max(e.start, e.end) >= 0
    ]
    ordered = sorted(mended, key=lambda e: (e.start, e.end))
    return list(dict.fromkeys(ordered)), odd


def _cues(events: list[_Event]) -> Iterator[Cue]:
    parts = [list(_parts(event)) for event in events]
    names = _returning_names(parts)
    for event, mine in zip(events, parts, strict=True):
        spans = _shared_out(Span(event.start, event.end), mine)
        for span, part in zip(spans, mine, strict=True):
            yield from _cue(span, _named(part, names))


def _numbered(cues: Iterator[Cue]) -> tuple[Cue, ...]:
    ordered = sorted(cues, key=lambda cue: cue.span.start)
    return tuple(replace(cue, cue=i) for i, cue in enumerate(ordered))


def _parts(event: _Event) -> Iterator[_Part]:
    """Split at dashes and at speaker prefixes."""
    speaker = event.actor or None
    for chunk in _voices(event.text):
        voice = chunk[0] or speaker
        lines = [line.strip() for line in _MARKUP.sub("", chunk[1]).split("\n") if line.strip()]
        for text in _turns(lines):
            yield _Part(text, voice)


def _voices(text: str) -> list[tuple[str | None, str]]:
    """WebVTT's <v Rick> opens that speaker's words."""
    pieces = _VOICE.split(text)
    voiced: list[tuple[str | None, str]] = [(None, pieces[0])] if pieces[0].strip() else []
    return voiced + list(zip(pieces[1::2], pieces[2::2], strict=True))


def _turns(lines: list[str]) -> list[str]:
    """Join lines into turns; a dash or a capital prefix opens one."""
    lines = [piece for line in lines for piece in _CHEVRONS.split(line)]
    dashed = sum(_DASH.match(line) is not None for line in lines)
    if len(lines) == 1 and dashed:
        lines = _INNER_DASH.split(lines[0])
        lines = [lines[0], *("- " + rest for rest in lines[1:])]
    turns: list[str] = []
    for line in lines:
        opens = _DASH.match(line) is not None or _CAPITAL_PREFIX.match(line) is not None
        if opens or not turns:
            turns.append(_DASH.sub("", line))
        else:
            turns[-1] += "\n" + line
    return [turn for turn in turns if turn.strip()]


def _returning_names(parts: list[list[_Part]]) -> frozenset[str]:
    counts: dict[str, int] = {}
    for part in (part for mine in parts for part in mine):
        if found := _TITLE_PREFIX.match(part.text):
            counts[found[1]] = counts.get(found[1], 0) + 1
    return frozenset(name for name, count in counts.items() if count >= _RETURNS)


def _named(part: _Part, names: frozenset[str]) -> _Part:
    """Take a speaker's name off the front."""
    found = _CAPITAL_PREFIX.match(part.text) or _BRACKETED_NAME.match(part.text)
    title = _TITLE_PREFIX.match(part.text)
    if found is None and title is not None and title[1] in names:
        found = title
    if found is None:
        return part
    return _Part(part.text[found.end() :], found[1].strip(" .,-"))


def _shared_out(span: Span, parts: list[_Part]) -> list[Span]:
    """Share a subtitle's time among its speakers in proportion to their letters."""
    total = sum(len(part.text) for part in parts) or 1
    edges, said = [span.start], 0
    for part in parts:
        said += len(part.text)
        edges.append(span.start + span.duration * said / total)
    return [Span(a, max(a, b)) for a, b in pairwise(edges)]


def _cue(span: Span, part: _Part) -> Iterator[Cue]:
    words = _tidied(_SOUND.sub(" ", part.text))
    spoken = any(c.isalnum() for c in words) and not _MUSIC.search(part.text)
    if spoken and not _CREDIT.search(words):
        yield Cue(0, span, words, part.speaker)
    elif text := _tidied(part.text):
        yield Cue(0, span, text, part.speaker, sound=True)


def _tidied(text: str) -> str:
    """Single spaces; the lines stay apart, because two speakers may share a subtitle."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _language_warnings(cues: tuple[Cue, ...], name: str) -> list[str]:
    words = [w for cue in cues if not cue.sound for w in re.findall(r"[^\W\d_]+", cue.text.lower())]
    known = sum(word in _ENGLISH for word in words)
    if len(words) >= 100 and known < 0.12 * len(words):
        return [f"{name} does not read like English, so an English script will not align to it"]
    return []
