"""The authors' files become film folders with exactly their bags."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from callsheet.bags import audit_bags, import_released, read_bags, read_tracks
from callsheet.errors import InputError
from callsheet.store import open_matrix

FRAMES = np.array([[0, 10], [5, 20], [30, 40], [0, 9], [3, 12]])


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """Two films: tracks 1-3 and 4-5; body 2 and 5 have no face."""
    bag = np.zeros(2, dtype=[("action", "O"), ("people", "O"), ("f", "O")])
    bag[0] = (9, 0, np.array([10, 30]))
    bag[1] = (2, 2, np.array([0, 4]))
    cells = np.empty(2, object)
    cells[:] = [np.array([[1]]), np.array([[2]])]
    blocks = np.empty(2, object)
    blocks[:] = [np.array([[1, 2, 3]]), np.array([[4, 5]])]
    savemat(tmp_path / "bags.mat", {"merge_bag": bag, "movie_bag": cells,
                                    "tframes_total": FRAMES})  # fmt: skip
    savemat(tmp_path / "data_block.mat", {"movie_block": blocks})
    savemat(tmp_path / "track_map.mat", {"track_map": np.array([[1], [4], [2], [3], [4]])})
    return tmp_path


def test_bags_labels_and_links(released: Path, tmp_path: Path) -> None:
    np.save(released / "X.npy", np.arange(10, dtype=np.float32).reshape(5, 2))
    savemat(released / "Z_total.mat", {"Z": np.array([[0.5, 0.5, 0], [1, 0, 0], [0.2, 0.3, 0.5]])})
    result = import_released(released, tmp_path / "out")
    first, second = tmp_path / "out" / "film-01", tmp_path / "out" / "film-02"
    # Track 0 ends at frame 10, where the bag begins: it is not in it. Track 2 begins where it ends.
    bags = {b.action: b for b in read_bags(first) + read_bags(second) if b.action}
    assert bags["Kiss"].tracks == (1,)
    assert bags["Kiss"].person is None
    assert (bags["StandUp"].person, bags["StandUp"].tracks) == ("PERSON 2", (0, 1))
    tracks = read_tracks(first)
    assert tracks.linked[:3].tolist() == [3, -1, 4]
    assert np.array_equal(open_matrix(first / "names.npy"), [[0.5, 0.5, 0], [1, 0, 0]])
    assert np.array_equal(open_matrix(second / "bodies.npy"), [[6, 7], [8, 9]])
    assert result.warnings == ()
    assert result.summary["empty"] == 0


def test_names_of_a_hundred_films_sort_as_the_films_do(tmp_path: Path) -> None:
    cells = np.empty(101, object)
    cells[:] = [np.array([[1 + film]]) for film in range(101)]
    bag = np.zeros(101, dtype=[("action", "O"), ("people", "O"), ("f", "O")])
    for film in range(101):
        bag[film] = (9, 0, np.array([0, 10]))
    savemat(tmp_path / "bags.mat", {"merge_bag": bag, "movie_bag": cells,
                                    "tframes_total": np.tile([0, 10], (101, 1))})  # fmt: skip
    savemat(tmp_path / "data_block.mat", {"movie_block": cells})
    savemat(tmp_path / "track_map.mat", {"track_map": np.arange(1, 102)[:, None]})
    np.save(tmp_path / "X.npy", np.arange(101, dtype=np.float32)[:, None])
    import_released(tmp_path, tmp_path / "out")
    folders = sorted((tmp_path / "out").iterdir())
    assert [float(open_matrix(folder / "bodies.npy")[0, 0]) for folder in folders] == [*range(101)]


def test_what_is_missing_is_said(released: Path, tmp_path: Path) -> None:
    assert len(import_released(released, tmp_path / "out").warnings) == 2
    (released / "bags.mat").unlink()
    with pytest.raises(InputError, match=r"lacks bags\.mat; the authors"):
        import_released(released, tmp_path / "out")


def test_wrong_features_are_refused(released: Path, tmp_path: Path) -> None:
    np.save(released / "X.npy", np.zeros((3, 2)))
    with pytest.raises(InputError, match="expected 5 rows"):
        import_released(released, tmp_path / "out")


def test_the_66_films(shared_data: Path, tmp_path: Path) -> None:
    summary = import_released(shared_data / "miech66", tmp_path).summary
    assert summary == {"films": 66, "tracks": 201_874, "bags": 1634, "name bags": 552, "empty": 8}
    audit = audit_bags(sorted(tmp_path.iterdir())).actions
    assert (audit.bags, audit.tracks, audit.median, audit.empty) == (1634, 201_874, 9, 3)
    assert audit.uncovered_share == pytest.approx(0.9153, abs=1e-4)
    assert audit.labels["Kiss"] == 244
