"""Exports: one file a format, listed in `FORMATS`. Each writes one file a film from a `Sheet`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from callsheet.errors import ChoiceError
from callsheet.report.exports import (
    ava,
    coco,
    csv_table,
    cvat,
    elan,
    mot,
    parquet,
    rttm,
    webvtt,
    xray,
)
from callsheet.report.sheet import Sheet
from callsheet.store import replacing, write_text


@dataclass(frozen=True, slots=True)
class Format:
    """How to write one format, the ending of its files, what it is for; where films of a library
    share a file beside theirs, its name and text.
    """

    write: Callable[[Sheet, Path], None]
    ending: str
    meaning: str
    shared: tuple[str, Callable[[Sheet], str]] | None = None


FORMATS = {
    "ava": Format(ava.write, ".ava.csv", "AVA action CSV: a person box and action each second",
                  (ava.LABEL_MAP, ava.label_map)),
    "coco": Format(coco.write, ".coco.json", "COCO annotations with track ids"),
    "csv": Format(csv_table.write, ".csv", "a row a track, for spreadsheets"),
    "cvat": Format(cvat.write, ".cvat.xml", "CVAT for video 1.1, to correct by hand and import"),
    "elan": Format(elan.write, ".eaf", "ELAN 3.0 tiers of presence and actions"),
    "mot": Format(mot.write, ".mot.txt", "MOTChallenge rows of the body tracks"),
    "parquet": Format(parquet.write, ".parquet", "a row a track, for programs"),
    "rttm": Format(rttm.write, ".rttm", "RTTM-like presence of each person"),
    "webvtt": Format(webvtt.write, ".vtt", "who is on screen and what they do, as subtitles"),
    "xray": Format(xray.write, ".xray.json", "X-Ray style JSON: who is on screen when"),
}  # fmt: skip
"""Name -> format, in the order of the alphabet."""


def format_of(name: str) -> Format:
    """Look a format up."""
    if name not in FORMATS:
        raise ChoiceError(f"no format {name!r}; the formats are {', '.join(FORMATS)}")
    return FORMATS[name]


def export(sheet: Sheet, name: str, folder: Path) -> Path:
    """Write a film's sheet in the named format into a folder; return the file."""
    chosen = format_of(name)
    path = folder / f"{sheet.film}{chosen.ending}"
    with replacing(path) as temporary:
        chosen.write(sheet, temporary)
    if (shared := FORMATS[name].shared) is not None:
        file, text = shared
        write_text(folder / file, text(sheet))
    return path
