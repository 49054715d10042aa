"""Transcripts: one utterance a line, `speaker words said`, or `SPEAKER: words said`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from callsheet.core import ElementKind
from callsheet.errors import InputError
from callsheet.text.encodings import read_text, split_lines
from callsheet.text.readings import Screenplay
from callsheet.text.screenplay.assemble import assemble
from callsheet.text.screenplay.lines import TaggedLine

_COLON = re.compile(r"^\s*([^\s:][^:]{0,40}):\s+(\S.*)$")
_TOKEN = re.compile(r"^\s*(\S+)\s+(\S.*)$")
_KNOWN_SHARE = 0.8
"""Share of the lines that must open with a speaker."""


def read_transcript(path: Path) -> Screenplay:
    """Read a transcript; every line is one dialogue element with its speaker."""
    decoded = read_text(path)
    utterances = list(_utterances(split_lines(decoded.text)))
    if not utterances:
        raise InputError(
            f"{path.name} is not a transcript: no line is 'speaker words said'", path=str(path)
        )
    return assemble(_tagged(utterances), warnings=decoded.warnings)


def is_transcript(lines: Sequence[str]) -> bool:
    """Whether most lines open with a speaker who comes back, and none is indented."""
    filled = [line for line in lines if line.strip()]
    if len(filled) < 4 or sum(line[0].isspace() for line in filled) > 0.05 * len(filled):
        return False
    pattern = _pattern(filled)
    named = [found[1] for line in filled if (found := pattern.match(line))]
    if len(named) < _KNOWN_SHARE * len(filled):
        return False
    return pattern is _COLON or _few_and_marked(named)


def _few_and_marked(names: Sequence[str]) -> bool:
    """Prose opens its lines with many different words; a transcript with few names, which
    carry a sign no word has ("rick_blaine") or are written apart from the words."""
    counts = Counter(names)
    returning = sum(n for n in counts.values() if n > 1)
    marked = sum(n for name, n in counts.items() if re.search(r"[_#@\d]", name))
    return returning >= _KNOWN_SHARE * len(names) and marked >= 0.5 * len(names)


def _pattern(lines: Sequence[str]) -> re.Pattern[str]:
    with_colon = sum(_COLON.match(line) is not None for line in lines)
    return _COLON if with_colon >= _KNOWN_SHARE * len(lines) else _TOKEN


def _utterances(lines: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    pattern = _pattern([line for line in lines if line.strip()])
    for number, line in enumerate(lines, 1):
        if found := pattern.match(line):
            yield number, _speaker(found[1]), found[2].strip()


def _speaker(name: str) -> str:
    """Drop what stands after "#": "MAN#unknown#Episode01" is MAN."""
    return name.split("#")[0].strip() or name


def _tagged(utterances: Sequence[tuple[int, str, str]]) -> Iterator[TaggedLine]:
    for number, speaker, words in utterances:
        yield TaggedLine(number, speaker, ElementKind.CHARACTER)
        yield TaggedLine(number, words, ElementKind.DIALOGUE, opens=True)
