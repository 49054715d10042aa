"""What a stage of the library shows beside tables: thumbnails, notes of a film, a truth beside it.

They are no declared outputs, so a stage that shows them names them in `watches` and runs again
when they change.
"""

from __future__ import annotations

from pathlib import Path

from callsheet.errors import StoreError
from callsheet.pipeline.stage import FilmWork
from callsheet.store import file_fingerprint, read_manifest, value_fingerprint

FAILURES = "*.failure.txt"


def truth_of(work: FilmWork) -> Path | None:
    """The film's truth folder, if there is one beside its video."""
    video = work.film.video
    folder = None if video is None else video.parent / "truth"
    return folder if folder is not None and (folder / "truth.parquet").exists() else None


def _truth(work: FilmWork) -> str | None:
    folder = truth_of(work)
    if folder is None:
        return None
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return value_fingerprint({path.name: file_fingerprint(path) for path in files})


def _thumbnails(work: FilmWork) -> str | None:
    """Names and sizes: there are thousands, and each is written once."""
    folder = work.folder / "thumbnails"
    if not folder.is_dir():
        return None
    return value_fingerprint(sorted((p.name, p.stat().st_size) for p in folder.iterdir()))


def _notes(work: FilmWork) -> str | None:
    """What the stages say of the film: counts, warnings and failures."""
    said: dict[str, object] = failures_in(work.folder)
    for path in sorted(work.folder.glob("*.manifest.json")):
        try:
            manifest = read_manifest(path)
        except StoreError:
            continue  # its stage runs again, and so does what shows it
        said[manifest.stage] = [manifest.summary, manifest.warnings]
    return value_fingerprint(said) if said else None


def failures_in(folder: Path, *, but: str = "") -> dict[str, object]:
    """The failure notes of a folder; those of the stage `but` aside."""
    return {
        path.name: path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(folder.glob(FAILURES))
        if path.name != FAILURES.replace("*", but)
    }


WATCHED = {"truth": _truth, "thumbnails": _thumbnails, "notes": _notes}
"""Name in `Stage.watches` -> its fingerprint for a film; None where there is nothing."""
