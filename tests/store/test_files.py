"""Whole files or nothing; matrices are mapped; manifests say what changed."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from callsheet.errors import InputError, StoreError
from callsheet.store import (
    SCHEMAS,
    Manifest,
    file_fingerprint,
    filling_matrix,
    open_matrix,
    read_manifest,
    read_table,
    remove_leftovers,
    replacing,
    value_fingerprint,
    write_manifest,
    write_matrix,
    write_text,
)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    write_text(path, "old")
    with pytest.raises(UnicodeEncodeError), replacing(path) as temporary:
        temporary.write_text("half", encoding="ascii")
        temporary.write_text("\u00e9", encoding="ascii")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_kill_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    write_text(path, "old")
    code = f"""
        import os, pathlib, signal
        from callsheet.store import replacing
        with replacing(pathlib.Path({str(path)!r})) as temporary:
            temporary.write_text("half")
            os.kill(os.getpid(), signal.SIGKILL)
    """
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=False)
    assert run.returncode == -signal.SIGKILL
    assert path.read_text() == "old"
    assert remove_leftovers(tmp_path) == 1
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_a_sentence(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreError, match=r"cannot write .*No space left"),
        replacing(tmp_path / "note.txt"),
        Path("/dev/full").open("w") as full,
    ):
        full.write("x" * 100_000)
    assert not list(tmp_path.iterdir())


def test_matrices_round_trip_mapped(tmp_path: Path) -> None:
    matrix = np.arange(12, dtype=np.float32).reshape(4, 3)
    write_matrix(tmp_path / "whole.npy", matrix)
    with filling_matrix(tmp_path / "filled.npy", (4, 3), np.float32) as rows:
        rows[:2] = matrix[:2]
        rows[2:] = matrix[2:]
    for name in ("whole.npy", "filled.npy"):
        mapped = open_matrix(tmp_path / name, columns=3)
        assert isinstance(mapped, np.memmap)
        np.testing.assert_array_equal(mapped, matrix)


def test_a_full_disk_is_told_before_a_matrix_is_filled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page of a map that has no room on the disk would kill the program by SIGBUS."""

    def full(_file: int, _start: int, size: int) -> None:
        assert size > 1000 * 1000 * 4
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with (
        pytest.raises(StoreError, match="No space left on device; free some space"),
        filling_matrix(tmp_path / "filled.npy", (1000, 1000), np.float32),
    ):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_told_where_the_system_cannot_claim_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "posix_fallocate")
    with filling_matrix(tmp_path / "filled.npy", (4, 3), np.float32) as rows:
        rows[:] = 1.0
    assert open_matrix(tmp_path / "filled.npy").sum() == 12
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10))
    with (
        pytest.raises(StoreError, match="No space left on device; free some space"),
        filling_matrix(tmp_path / "other.npy", (1000, 1000), np.float32),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["filled.npy"]


@contextlib.contextmanager
def nobody() -> Iterator[None]:
    """Without the rights of root, who may read everything."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


READERS = {
    "matrix": open_matrix,
    "manifest": read_manifest,
    "table": lambda path: read_table(path, SCHEMAS["shots"]),
}


@pytest.mark.parametrize("kind", READERS)
def test_a_file_one_may_not_read_is_not_called_damaged(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"what one may not see")
    path.chmod(0)
    with nobody(), pytest.raises(StoreError) as caught:
        READERS[kind](path)
    assert str(caught.value).startswith(f"cannot read {path}: ")
    assert "ermission denied" in str(caught.value)
    assert "delete" not in str(caught.value)


def test_damaged_matrices_are_sentences(tmp_path: Path) -> None:
    path = tmp_path / "m.npy"
    with pytest.raises(StoreError, match="does not exist"):
        open_matrix(path)
    write_matrix(path, np.zeros((50, 3)))
    with pytest.raises(StoreError, match="has 3 columns, expected 4"):
        open_matrix(path, columns=4)
    for keep in (0, 5, 200):
        path.write_bytes(path.read_bytes()[:keep])
        with pytest.raises(StoreError, match="truncated or not"):
            open_matrix(path)
    write_matrix(path, np.zeros(3))
    with pytest.raises(StoreError, match="does not hold a matrix"):
        open_matrix(path)


def test_matrices_never_hold_objects(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"pickle|Object"):
        write_matrix(tmp_path / "m.npy", np.array([[object()]]))
    np.save(tmp_path / "evil.npy", np.array([[{}]]), allow_pickle=True)
    with pytest.raises(StoreError, match="truncated or not"):
        open_matrix(tmp_path / "evil.npy")


MANIFEST = Manifest("tracks", {"film.mp4": "a1"}, {"every": 5}, {"callsheet": "0.1"}, seed=0)


def test_manifest_round_trip(tmp_path: Path) -> None:
    write_manifest(tmp_path / "m.json", MANIFEST)
    assert read_manifest(tmp_path / "m.json") == MANIFEST


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        (MANIFEST, None),
        (replace(MANIFEST, inputs={"film.mp4": "b2"}), "film.mp4 changed"),
        (replace(MANIFEST, settings={"every": 4}), "setting every changed"),
        (replace(MANIFEST, versions={"callsheet": "0.2"}), "made by another version"),
        (replace(MANIFEST, seed=1), "seed changed"),
        (replace(MANIFEST, seconds=9.0, warnings=["w"]), None),
    ],
)
def test_manifest_tells_why_to_redo(wanted: Manifest, reason: str | None) -> None:
    assert MANIFEST.reason_to_redo(wanted) == reason
    assert MANIFEST.same_work(wanted) == (reason is None)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "truncated or not a manifest"),
        ('{"callsheet.manifest": 1, "sta', "truncated or not a manifest"),
        ("[]", "is not a callsheet manifest"),
        ("{}", "is not a callsheet manifest"),
        ('{"callsheet.manifest": 99}', "update callsheet"),
        ('{"callsheet.manifest": 1}', "lacks parts"),
    ],
)
def test_damaged_manifests_are_sentences(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "m.json"
    path.write_text(text)
    with pytest.raises(StoreError, match=sentence):
        read_manifest(path)


def test_fingerprints_follow_the_content(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.write_bytes(b"abc")
    before = file_fingerprint(small)
    os.utime(small, (0, 0))
    assert file_fingerprint(small) == before
    small.write_bytes(b"abd")
    assert file_fingerprint(small) != before
    with pytest.raises(InputError, match="cannot read"):
        file_fingerprint(tmp_path / "none")


def test_large_files_are_fingerprinted_in_pieces(tmp_path: Path) -> None:
    film = tmp_path / "film"
    content = bytearray(os.urandom(9 << 20))
    film.write_bytes(content)
    before = file_fingerprint(film)
    content[-1] ^= 1
    film.write_bytes(content)
    assert file_fingerprint(film) != before


def test_value_fingerprint_ignores_order() -> None:
    assert value_fingerprint({"a": 1, "b": 2}) == value_fingerprint({"b": 2, "a": 1})
    assert value_fingerprint({"a": 1}) != value_fingerprint({"a": 2})


def test_a_matrix_with_a_damaged_header_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "matrix.npy"
    write_matrix(path, np.arange(12.0).reshape(3, 4))
    whole = path.read_bytes()
    for place in range(6, 90):
        path.write_bytes(whole[:place] + b"(" + whole[place + 1 :])
        with contextlib.suppress(StoreError):
            assert open_matrix(path).ndim == 2
