"""Transcripts: one utterance a line, the speaker before the words.

`Rick: words`, `[Rick] words`, `Rick<tab>words`, `rick_blaine words`, and plain `RICK words` or
`rick words`.
`parting_of` finds which of these a text uses; no form is asked for, but prose must not pass.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from callsheet.core import ElementKind
from callsheet.errors import InputError
from callsheet.text.encodings import read_text, split_lines
from callsheet.text.grammar.lexicon import word_list
from callsheet.text.readings import Screenplay
from callsheet.text.screenplay.assemble import assemble
from callsheet.text.screenplay.lines import TaggedLine

Parting = Callable[[str], tuple[str, str] | None]
"""A line to speaker and words, or None: it opens with no speaker."""

_COLON = re.compile(r"^\s*([^\s:][^:]{0,40}):\s+(\S.*)$")
_BRACKETED = re.compile(r"^\s*\[([^\[\]]{1,40})\]:?\s+(\S.*)$")
_TAB = re.compile(r"^\s*([^\t]{0,40}[^\W\d][^\t]{0,40}?)[ ]*\t\s*(\S.*)$")
_TOKEN = re.compile(r"^\s*(\S+)\s+(\S.*)$")
_CAPITALS = re.compile(r"^((?:[A-Z\u00c0-\u00de][A-Z\u00c0-\u00de0-9.'\u2019#&/-]+\s+)+)\S")
_STAGE = re.compile(r"^\s*(?:\[[^\]]*\]|\([^)]*\)|scene:\s.*)\s*$", re.IGNORECASE)
"""What happens, not what is said: in brackets, or "Scene: the stairs."."""
_CLOSED = word_list("closed") | {"i", "there", "if", "so", "what"}
_KNOWN_SHARE = 0.8
"""Share of the lines that must open with a speaker."""
_ONE_STYLE = 0.9
"""Share of the lines whose first word must be in the same case, where nothing marks speakers."""
_RETURNING = 0.6
"""Share of the lines that must open with a name that comes back, where it is set apart."""
_FUNCTION_WORDS = 0.05
"""A third of the lines of prose open with "the", "he", "and"; hardly one of a transcript."""
_SAID = 0.05
"""Share of all words that are names of speakers: the words that open lines of prose are said
all the time, people are called by name now and then."""

_FEWEST = 3
"""Lines that tell a form."""
_MOST = 150
"""Speakers of a transcript that nothing marks: a long book opens its lines with more words."""
_LONGEST_NAME = 4
"""Words of a name in capitals."""


def read_transcript(path: Path) -> Screenplay:
    """Read a transcript; every line is one dialogue element with its speaker."""
    decoded = read_text(path)
    lines = split_lines(decoded.text)
    tagged = transcript_lines(lines, range(1, len(lines) + 1))
    if not any(line.kind is ElementKind.CHARACTER for line in tagged):
        raise InputError(
            f"{path.name} is not a transcript: no line is 'speaker words said'", path=str(path)
        )
    return assemble(tagged, warnings=decoded.warnings)


def transcript_lines(lines: Sequence[str], numbers: Sequence[int]) -> list[TaggedLine]:
    """Part speakers from words; `numbers` of the lines in the source."""
    parting = parting_of(lines) or parting_of(lines, strict=False) or _by(_TOKEN)
    return list(_tagged(lines, numbers, parting))


def is_transcript(lines: Sequence[str], *, strict: bool = True) -> bool:
    """Whether most lines open with a speaker who comes back, and none is indented.

    `strict` asks that something sets plain names apart from the words; without it they need
    only be few, come back, and be no words: enough where nothing looks like a screenplay.
    """
    return parting_of(lines, strict=strict) is not None


def parting_of(lines: Sequence[str], *, strict: bool = True) -> Parting | None:
    """How speakers are parted from their words; None: this is no transcript."""
    filled = [line for line in lines if line.strip()]
    if len(filled) < _FEWEST or sum(line[0].isspace() for line in filled) > 0.05 * len(filled):
        return None
    for pattern, are_speakers in _FORMS:
        names = [found[1] for line in filled if (found := pattern.match(line))]
        if len(names) >= _KNOWN_SHARE * len(filled) and are_speakers(names):
            return _by(pattern)
    return _plain_parting(filled, strict=strict)


def _by(pattern: re.Pattern[str]) -> Parting:
    def part(line: str) -> tuple[str, str] | None:
        found = pattern.match(line)
        return (found[1], found[2]) if found else None

    return part


def _come_back(names: Sequence[str], share: float = 0.5) -> bool:
    """Whether two names or more open the lines, so many of them names that come back."""
    return len(set(names)) > 1 and _returning(names) >= share * len(names)


def _are_marked(names: Sequence[str]) -> bool:
    """Prose opens its lines with many different words; a transcript with few names, which
    carry a sign no word has ("rick_blaine")."""
    marked = sum(re.search(r"[_#@\d]", name) is not None for name in names)
    return _returning(names) >= _KNOWN_SHARE * len(names) and marked >= 0.5 * len(names)


def _returning(names: Sequence[str]) -> int:
    """How many lines open with a name that opens others, too."""
    return sum(n for n in Counter(names).values() if n > 1)


_FORMS = (
    (_COLON, bool),
    (_BRACKETED, _come_back),
    (_TAB, _come_back),
    (_TOKEN, _are_marked),
)
"""Ways to write a speaker, and what the names must be like for it to be one."""


def _plain_parting(filled: Sequence[str], *, strict: bool) -> Parting | None:
    """Names that nothing marks: few, all in one case, no function words, set apart."""
    styles = Counter(_style(line.split()[0]) for line in filled)
    style, times = styles.most_common(1)[0]
    part = _after_capitals(filled) if style == "upper" else _by(_TOKEN)
    styled = _in_style(part, style)
    pairs = [pair for line in filled if (pair := styled(line))]
    if not style or times < _ONE_STYLE * len(filled) or len(pairs) < _KNOWN_SHARE * len(filled):
        return None
    names = [name for name, _ in pairs]
    closed = sum(_bare(name) in _CLOSED for name in names)
    few = _come_back(names, _RETURNING if strict else _KNOWN_SHARE) and len(set(names)) <= _MOST
    if not few or closed > _FUNCTION_WORDS * len(names):
        return None
    apart = sum(_is_apart(words, style) for _, words in pairs) >= _KNOWN_SHARE * len(pairs)
    return styled if apart or not (strict or _are_said(pairs)) else None


def _style(word: str) -> str:
    letters = [c for c in word if c.isalpha()]
    if len(letters) > 1 and all(c.isupper() for c in letters):
        return "upper"
    return "title" if letters and letters[0].isupper() else "lower" if letters else ""


def _in_style(part: Parting, style: str) -> Parting:
    """A line whose first word is not written as speakers are goes on with the line before;
    extras ("MAN") stand in capitals among any."""

    def parted(line: str) -> tuple[str, str] | None:
        return part(line) if line.strip() and _style(line.split()[0]) in (style, "upper") else None

    return parted


def _is_apart(words: str, style: str) -> bool:
    """Whether the words begin like a sentence of their own, or are not in capitals like RICK."""
    if style == "upper":
        return any(c.islower() for c in words)
    return not words[0].islower()


def _are_said(pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether the words that open the lines are words that are often said."""
    names = {_bare(name) for name, _ in pairs}
    words = [_bare(word) for _, said in pairs for word in said.split()]
    return sum(word in names for word in words) > max(1, _SAID * len(words))


def _bare(word: str) -> str:
    return word.casefold().strip(".,;:!?\"'()[]")


def _after_capitals(filled: Sequence[str]) -> Parting:
    """Names in capitals may be of several words; "RICK OK, let's go" is said by RICK.

    A name takes in the next word in capitals if that word follows it half of the time, or
    if it ends in a dot ("MR. BLAINE")."""
    begins: Counter[str] = Counter()
    for line in filled:
        words = _capitals(line)
        begins.update(" ".join(words[: n + 1]) for n in range(len(words)))

    def part(line: str) -> tuple[str, str] | None:
        words = _capitals(line)
        if not words:
            return None
        name, size = words[0], 1
        while size < len(words):
            longer = f"{name} {words[size]}"
            usual = 2 * begins[longer] >= begins[name] and begins[longer] >= min(2, begins[name])
            if not (usual or name.endswith(".")):
                break
            name, size = longer, size + 1
        return name, line.split(maxsplit=size)[size]

    return part


def _capitals(line: str) -> list[str]:
    found = _CAPITALS.match(line.lstrip())
    return found[1].split()[:_LONGEST_NAME] if found else []


def _tagged(lines: Sequence[str], numbers: Sequence[int], parting: Parting) -> Iterator[TaggedLine]:
    """Lines in brackets are described; other lines without a speaker go on with the speech."""
    spoken = False
    for number, line in zip(numbers, lines, strict=True):
        if not line.strip():
            continue
        if _STAGE.match(line):
            yield TaggedLine(number, line.strip(), ElementKind.DESCRIPTION, opens=True)
            spoken = False
        elif found := parting(line):
            yield TaggedLine(number, _speaker(found[0]), ElementKind.CHARACTER)
            yield TaggedLine(number, found[1].strip(), ElementKind.DIALOGUE, opens=True)
            spoken = True
        else:
            kind = ElementKind.DIALOGUE if spoken else ElementKind.OTHER
            yield TaggedLine(number, line.strip(), kind)


def _speaker(name: str) -> str:
    """Drop what stands after "#": "MAN#unknown#Episode01" is MAN."""
    return name.split("#")[0].strip() or name
