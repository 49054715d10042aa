"""The paper's run on made files of the released form, in both forms of MATLAB files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import savemat

from callsheet.bags import import_released
from callsheet.core import ACTIONS
from callsheet.errors import InputError, MissingExtraError
from callsheet.experiments import paper
from callsheet.store import open_matrix

TRACKS = 60
ACTS = np.arange(TRACKS) % 5 == 0  # every fifth track kisses (class 9)


def write_release(folder: Path) -> None:
    """Two films of 30 tracks, ten seconds each; a bag about every other kiss."""
    frames = np.stack([np.arange(TRACKS) * 240, np.arange(TRACKS) * 240 + 200], axis=1)
    told = np.flatnonzero(ACTS)[::2]
    bags = np.zeros(len(told), dtype=[("action", "O"), ("people", "O"), ("f", "O")])
    for place, track in enumerate(told):
        bags[place] = (9, 2, np.array([max(frames[track, 0] - 100, 0), frames[track, 1] + 100]))
    savemat(folder / "bags.mat", {
        "merge_bag": bags, "tframes_total": frames,
        "movie_bag": cells(np.flatnonzero(told < 30) + 1, np.flatnonzero(told >= 30) + 1),
    })  # fmt: skip
    savemat(folder / "data_block.mat", {"movie_block": cells(np.arange(1, 31), np.arange(31, 61))})
    savemat(folder / "track_map.mat", {"track_map": np.arange(1, TRACKS + 1)[:, None]})


def cells(*parts: Any) -> Any:
    made = np.empty(len(parts), object)
    made[:] = [np.asarray(part)[None, :] for part in parts]
    return made


def features() -> Any:
    rng = np.random.default_rng(0)
    return np.where(ACTS, 3.0, 0.0)[:, None] * np.eye(1, 6) + 0.3 * rng.normal(size=(TRACKS, 6))


def assignment() -> Any:
    return np.tile([0.1, 0.8, 0.1], (TRACKS - 1, 1))  # the last track has no face


def write_hdf5(path: Path, name: str, matrix: Any) -> None:
    """As MATLAB writes version 7.3: its own 512 bytes, then HDF5 with the matrix transposed."""
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w", userblock_size=512) as file:
        file.create_dataset(name, data=matrix.T)
    with path.open("r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(128))


def write_sparse_hdf5(path: Path, name: str, matrix: Any) -> None:
    from scipy.sparse import csc_array

    h5py = pytest.importorskip("h5py")
    sparse = csc_array(matrix)
    with h5py.File(path, "w") as file:
        group = file.create_group(name)
        group.attrs["MATLAB_sparse"] = np.uint64(matrix.shape[0])
        for part, values in (("data", sparse.data), ("ir", sparse.indices), ("jc", sparse.indptr)):
            group.create_dataset(part, data=values)


def write_v5(path: Path, name: str, matrix: Any) -> None:
    savemat(path, {name: matrix})


@pytest.mark.parametrize("write", [write_v5, write_hdf5, write_sparse_hdf5])
def test_features_and_names_of_every_form_are_read_alike(write: Any, tmp_path: Path) -> None:
    write_release(tmp_path)
    write(tmp_path / "X.mat", "X", features())
    write(tmp_path / "Z_total.mat", "Z", assignment())
    result = import_released(tmp_path, tmp_path / "out")
    assert result.warnings == ()
    for film, rows in (("film-01", slice(0, 30)), ("film-02", slice(30, 60))):
        found = open_matrix(tmp_path / "out" / film / "bodies.npy")
        np.testing.assert_allclose(found, features()[rows], rtol=1e-6)
        names = open_matrix(tmp_path / "out" / film / "names.npy")
        np.testing.assert_allclose(names, assignment()[rows])


def test_actions_are_learned_and_judged_where_truth_is_there(tmp_path: Path) -> None:
    write_release(tmp_path)
    np.save(tmp_path / "X.npy", features())
    savemat(tmp_path / "Z_total.mat", {"Z": assignment()})
    rows = {row["action"]: row for row in paper.run(tmp_path).table}
    assert rows["Kiss"]["bags"] == rows["total"]["bags"] == 6
    assert rows["Kiss"]["bags met"] == 6
    assert "AP" not in rows["Kiss"]
    lines = [f"{track + 1},{'Kiss' if ACTS[track] else ''}\n" for track in range(TRACKS)]
    marked = "\ufefftrack,action\n" + "".join(lines)  # as spreadsheets save UTF-8
    (tmp_path / "truth.csv").write_text(marked, encoding="utf-8")
    judged = {row["action"]: row for row in paper.run(tmp_path).table}
    assert judged["Kiss"]["AP"] > 0.9
    assert judged["Kiss"]["paper AP"] == 0.129
    assert set(judged) == {*ACTIONS, "total"}


@pytest.mark.parametrize(
    ("row", "told"), [("61,Kiss", "1 to 60"), ("0,Kiss", "1 to 60"), ("3,Dance", "no action")]
)
def test_bad_truth_is_a_sentence(row: str, told: str, tmp_path: Path) -> None:
    write_release(tmp_path)
    np.save(tmp_path / "X.npy", features())
    (tmp_path / "truth.csv").write_text(f"track,action\n{row}\n")
    with pytest.raises(InputError, match=told):
        paper.run(tmp_path)


def test_files_that_do_not_fit_are_sentences(tmp_path: Path) -> None:
    write_release(tmp_path)
    with pytest.raises(InputError, match="nothing to learn from"):
        paper.run(tmp_path)
    savemat(tmp_path / "X.mat", {"Y": features()})
    with pytest.raises(InputError, match="lacks X; it holds Y"):
        paper.run(tmp_path)
    write_v5(tmp_path / "X.mat", "X", features())
    write_v5(tmp_path / "Z_total.mat", "Z", assignment()[:20])
    with pytest.raises(InputError, match="not of one release"):
        paper.run(tmp_path)
    (tmp_path / "X.mat").write_bytes(b"MATLAB 7.3 MAT-file, cut off")
    (tmp_path / "Z_total.mat").unlink()
    with pytest.raises(InputError, match="not a MATLAB file"):
        paper.run(tmp_path)


def test_without_h5py_a_new_file_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_release(tmp_path)
    write_hdf5(tmp_path / "X.mat", "X", features())
    monkeypatch.setitem(__import__("sys").modules, "h5py", None)
    with pytest.raises(MissingExtraError, match="pip install h5py"):
        import_released(tmp_path, tmp_path / "out")
