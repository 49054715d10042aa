"""Partially labelled sets: any file of the community's form is read, bad ones are told apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import savemat
from scipy.sparse import csc_matrix

from callsheet.errors import InputError
from callsheet.experiments import lost
from callsheet.experiments.partial_labels import read_partial_labels

COUNT, LABELS = 90, 3


def content(seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, LABELS, COUNT)
    data = 4 * np.eye(LABELS, 5)[truth] + 0.5 * rng.normal(size=(COUNT, 5))
    listed = rng.random((COUNT, LABELS)) < 0.3
    listed[np.arange(COUNT), truth] = True
    return {"data": data, "partial_target": csc_matrix(listed.T.astype(float)),
            "target": csc_matrix(np.eye(LABELS)[truth].T)}  # fmt: skip


def test_a_file_or_its_folder_and_dense_or_sparse(tmp_path: Path) -> None:
    made = content()
    savemat(tmp_path / "faces.mat", made)
    read = read_partial_labels(tmp_path / "faces.mat")
    assert np.array_equal(read.features, made["data"])
    assert np.array_equal(read.candidates, made["partial_target"].toarray().T > 0)
    assert np.array_equal(read.truth, made["target"].toarray().T.argmax(axis=1))
    assert read_partial_labels(tmp_path).name == "faces"
    dense = {name: np.asarray(m.toarray() if name != "data" else m) for name, m in made.items()}
    savemat(tmp_path / "faces.mat", dense)
    assert np.array_equal(read_partial_labels(tmp_path).candidates, read.candidates)


def test_rare_classes_go_with_their_rows_and_no_row_is_left_without_a_name(tmp_path: Path) -> None:
    made = content()
    target = np.zeros((COUNT, LABELS + 1))
    target[:, :LABELS] = made["target"].toarray().T
    target[0] = np.eye(LABELS + 1)[LABELS]
    listed = np.c_[made["partial_target"].toarray().T, np.zeros(COUNT)]
    listed[0], listed[1] = target[0], 0
    large = {"data": np.tile(made["data"], (2, 1)), "partial_target": np.tile(listed, (2, 1)).T,
             "target": np.tile(target, (2, 1)).T}  # fmt: skip
    large["target"][:, COUNT] = target[2]  # the rare class has one row of 180
    savemat(tmp_path / "rare.mat", large)
    read = read_partial_labels(tmp_path / "rare.mat")
    assert read.candidates.shape == (2 * COUNT - 1, LABELS)
    assert read.candidates[0].all()  # listed nobody: may be anybody


def test_own_folds_inside_a_struct(tmp_path: Path) -> None:
    train = np.zeros((COUNT, 2), np.uint8)
    train[:60, 0] = train[30:, 1] = 1
    savemat(tmp_path / "folds.mat", {"set": {**content(), "tr_idx": train, "te_idx": 1 - train}})
    read = read_partial_labels(tmp_path / "folds.mat")
    assert [len(test) for _, test in read.splits()] == [30, 30]
    table = lost.run(tmp_path / "folds.mat").table
    assert {row["source"] for row in table} == {"here"}
    assert all(row["test"] > 0.9 for row in table)


def test_matrices_lie_and_hide_as_they_like(tmp_path: Path) -> None:
    made = content()
    marks = {name: made[name].toarray() for name in ("partial_target", "target")}
    numbers = marks["target"].argmax(axis=0)
    forms: list[dict[str, Any]] = [
        {**made, "data": made["data"].T},
        {"data": made["data"].T, **{name: matrix.T for name, matrix in marks.items()}},
        {**made, "target": numbers + 1},
        {**made, "target": numbers[:, None]},
        {"Data": made["data"], "Labels": {**marks}},
        {"set": {"inner": made}, "Note": "by hand"},
    ]
    for form in forms:
        savemat(tmp_path / "form.mat", form)
        read = read_partial_labels(tmp_path / "form.mat")
        assert np.array_equal(read.features, made["data"])
        assert np.array_equal(read.candidates, marks["partial_target"].T > 0)
        assert np.array_equal(read.truth, numbers)


def test_own_folds_may_be_row_numbers(tmp_path: Path) -> None:
    order = np.random.default_rng(0).permutation(COUNT)
    parts = [np.sort(order[:40]), np.sort(order[40:80])]
    train = [np.setdiff1d(np.arange(COUNT), part) for part in parts]
    cells = np.empty((2, 2), object)
    for fold in range(2):
        cells[0, fold], cells[1, fold] = train[fold] + 1, parts[fold] + 1
    for tr, te in ((cells[:1], cells[1:]), (np.stack(train, 1) + 1, np.stack(parts, 1) + 1)):
        savemat(tmp_path / "folds.mat", {**content(), "tr_idx": tr, "te_idx": te})
        splits = list(read_partial_labels(tmp_path / "folds.mat").splits())
        assert [test.tolist() for _, test in splits] == [part.tolist() for part in parts]
        assert [rows.tolist() for rows, _ in splits] == [rows.tolist() for rows in train]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"target": None}, r"lacks target; it holds data, partial_target"),
        ({"target": np.ones((LABELS, 7))}, r"target has shape \(3, 7\), data has 90 rows"),
        ({"target": np.zeros((LABELS, COUNT))}, "one true label for each row"),
        ({"data": np.full((COUNT, 2), np.nan)}, "finite matrix"),
        ({"tr_idx": np.ones((COUNT, 2))}, "folds of its own, but no te_idx"),
        ({"tr_idx": np.ones((COUNT, 2)), "te_idx": np.ones((COUNT, 3))}, "2 folds, te_idx 3"),
        ({"tr_idx": [1, 2, 400], "te_idx": [3, 4, 5]}, "tr_idx must mark or number rows of data"),
    ],
)
def test_bad_files_are_sentences(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    made = {name: value for name, value in (content() | change).items() if value is not None}
    savemat(tmp_path / "bad.mat", made)
    with pytest.raises(InputError, match=told):
        read_partial_labels(tmp_path)


def test_what_is_no_matlab_file_or_not_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not there"):
        read_partial_labels(tmp_path / "none")
    with pytest.raises(InputError, match="it has none"):
        read_partial_labels(tmp_path)
    (tmp_path / "text.mat").write_text("no matrix")
    with pytest.raises(InputError, match="not a MATLAB file"):
        read_partial_labels(tmp_path)


def test_the_relaxation_of_many_rows_is_lifted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """To factor the kernel of n rows costs n³: of 8,000 rows over two minutes."""
    made = content()
    rows, listed = made["data"], made["partial_target"].toarray().T > 0
    exact = lost.fit_relaxed(rows, listed)
    monkeypatch.setattr(lost, "KERNEL_ROWS", 50)
    monkeypatch.setattr(lost.Kernel, "of", None)
    lifted = lost.fit_relaxed(rows, listed)
    np.testing.assert_allclose(lifted.scores(rows), exact.scores(rows), atol=0.15)


def test_many_rows_are_lifted_and_rank_on_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    from callsheet.model import candidates as room

    made = content()
    rows, listed = made["data"], made["partial_target"].toarray().T > 0
    truth = made["target"].toarray().T.argmax(axis=1)
    exact = room.fit_candidates(rows, listed)
    monkeypatch.setattr(room, "KERNEL_ROWS", 50)
    monkeypatch.setattr(room, "RANKED_ROWS", 60)
    lifted = room.fit_vote(rows, listed, room.GRID[:4], voters=2)
    assert np.mean(lifted.predict(rows) == truth) > 0.95
    one = room.fit_candidates(rows, listed)
    np.testing.assert_allclose(one.scores(rows), exact.scores(rows), atol=0.15)
