"""Line accuracy of the screenplay reader against lines that people tagged.

The data: `screenplays/FILM.txt`, and `screenplay_lines/FILM.tsv` with a tag and a line on each
row for an excerpt of the film, whose place `line_indices.txt` tells. Tags: S scene heading,
N description, C character, D dialogue, E parenthetical, T transition, M other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from callsheet.core import ElementKind
from callsheet.errors import InputError
from callsheet.text.encodings import read_text, split_lines
from callsheet.text.screenplay.plain import tag_lines
from callsheet.text.screenplay.voice_training import taught_lines, train_voice

TAGS = {
    ElementKind.HEADING: "S",
    ElementKind.DESCRIPTION: "N",
    ElementKind.CHARACTER: "C",
    ElementKind.DIALOGUE: "D",
    ElementKind.PARENTHETICAL: "E",
    ElementKind.TRANSITION: "T",
    ElementKind.OTHER: "M",
}
_SLACK = 5
"""Lines by which an excerpt may lie off the place that is told for it."""

Tagger = Callable[[Sequence[str]], Mapping[int, str]]
"""The lines of a file to the tag of each line number (from 1)."""


@dataclass(frozen=True, slots=True)
class TaggedFilm:
    """One film: its lines, and the tag people gave to some line numbers."""

    film: str
    path: Path
    lines: tuple[str, ...]
    tags: Mapping[int, str]
    lost: int  # tagged rows that are not found in the file: they count as wrong


@dataclass(frozen=True, slots=True)
class FilmScore:
    """How many lines of a film were tagged as people did; `pairs` counts (true, given)."""

    film: str
    right: int
    lines: int
    pairs: Mapping[tuple[str, str], int]

    @property
    def accuracy(self) -> float:
        return self.right / self.lines


def tagged_films(data: Path) -> list[TaggedFilm]:
    """Read the measuring data."""
    tables = sorted((data / "screenplay_lines").glob("*.tsv"))
    if not tables:
        raise InputError(f"{data} holds no screenplay_lines/*.tsv to measure against")
    places = _places(data / "screenplay_lines" / "line_indices.txt")
    return [_film(table, data / "screenplays", places) for table in tables]


def flattened(film: TaggedFilm) -> TaggedFilm:
    """The film without any indentation, as some web pages and OCR programs leave it."""
    return replace(film, lines=tuple(line.strip() for line in film.lines))


def score(films: Sequence[TaggedFilm], tagger: Callable[[TaggedFilm], Tagger]) -> list[FilmScore]:
    """Tag every film whole and compare the lines that people tagged."""
    return [_film_score(film, tagger(film)(film.lines)) for film in films]


def callsheet_tagger(weights: Mapping[str, float] | None = None) -> Tagger:
    """Our reader; `weights` of its voice, the shipped ones unless given."""

    def tags(lines: Sequence[str]) -> Mapping[int, str]:
        return {line.number: TAGS[line.kind] for line in tag_lines(lines, weights=weights)}

    return tags


def held_out_voices(films: Sequence[TaggedFilm]) -> dict[str, dict[str, float]]:
    """For each film the voice that was learnt from all the others."""
    taught = {film.film: taught_lines(film.path) for film in films}
    whole = train_voice([lines for lines in taught.values() if lines])
    return {
        name: train_voice([o for other, o in taught.items() if o and other != name])
        if lines
        else whole
        for name, lines in taught.items()
    }


def screenplain_tagger(lines: Sequence[str]) -> Mapping[int, str]:
    """The peer: screenplain, a Fountain parser, on dedented text, block by block."""
    from screenplain.parsers.fountain import parse_body  # type: ignore[import-untyped]

    tags: dict[int, str] = {}
    for block in _blocks(lines):
        kinds = [
            tag for part in parse_body([line for _, line in block]) for tag in _peer_tags(part)
        ]
        if len(kinds) != len(block):  # it dropped a note: the rest of the block is guesswork
            kinds = (kinds + ["N"] * len(block))[: len(block)]
        tags |= {number: tag for (number, _), tag in zip(block, kinds, strict=True)}
    return tags


def per_tag(scores: Sequence[FilmScore]) -> dict[str, tuple[float, float, float, int]]:
    """Tag -> precision, recall, F1 and lines over all films."""
    pairs: Counter[tuple[str, str]] = Counter()
    for film in scores:
        pairs.update(film.pairs)
    return {tag: _prf(pairs, tag) for tag in TAGS.values()}


def overall(scores: Sequence[FilmScore]) -> tuple[float, float]:
    """Accuracy over all lines, and of the worst film."""
    right, lines = sum(s.right for s in scores), sum(s.lines for s in scores)
    return right / lines, min(s.accuracy for s in scores)


def _places(index: Path) -> dict[str, tuple[int, int]]:
    rows = (line.split() for line in index.read_text("utf-8").splitlines() if line.strip())
    return {row[0]: (int(row[2]), int(row[3])) for row in rows}


def _film(table: Path, scripts: Path, places: Mapping[str, tuple[int, int]]) -> TaggedFilm:
    path = scripts / f"{table.stem}.txt"
    lines = split_lines(read_text(path).text)
    first, last = places[table.stem]
    rows = [row.split("\t", 1) for row in split_lines(table.read_text("utf-8")) if row]
    tags: dict[int, str] = {}
    at, end = max(0, first - _SLACK), min(last + _SLACK, len(lines))
    for tag, text in rows:
        # The rows leave out some lines (page numbers); the others come in order.
        found = next((i for i in range(at, end) if lines[i].strip() == text.strip()), None)
        if found is not None:
            tags[found + 1] = tag
            at = found + 1
    return TaggedFilm(table.stem, path, tuple(lines), tags, lost=len(rows) - len(tags))


def _film_score(film: TaggedFilm, given: Mapping[int, str]) -> FilmScore:
    pairs = Counter((true, given.get(number, "-")) for number, true in film.tags.items())
    right = sum(count for (true, guess), count in pairs.items() if true == guess)
    return FilmScore(film.film, right, len(film.tags) + film.lost, pairs)


def _prf(pairs: Mapping[tuple[str, str], int], tag: str) -> tuple[float, float, float, int]:
    right = pairs.get((tag, tag), 0)
    true = sum(count for (t, _), count in pairs.items() if t == tag)
    given = sum(count for (_, g), count in pairs.items() if g == tag)
    precision, recall = right / max(1, given), right / max(1, true)
    return precision, recall, 2 * right / max(1, true + given), true


def _blocks(lines: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
    block: list[tuple[int, str]] = []
    for number, line in enumerate([*lines, ""], 1):
        if line.strip():
            block.append((number, line.strip()))
        elif block:
            yield block
            block = []


def _peer_tags(part: object) -> list[str]:
    name = type(part).__name__
    if name == "Dialog":
        return ["C", *("E" if aside else "D" for aside, _ in part.blocks)]  # type: ignore[attr-defined]
    if name == "DualDialog":
        return [*_peer_tags(part.left), *_peer_tags(part.right)]  # type: ignore[attr-defined]
    one = {"Slug": "S", "Transition": "T", "Section": "M", "PageBreak": "M"}
    return [one[name]] if name in one else ["N"] * len(part.lines)  # type: ignore[attr-defined]
