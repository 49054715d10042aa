"""The simplex projection of one row: nearest, and done whatever the rounding."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet.optim.kernels.simplex import project_row, threshold_without

ALREADY_THERE = [
    [0.7211655824735577, 0.0, 0.2788344175264421, 0.0],
    [0.0, 0.06330431888116084, 0.0, 0.9366956811188389],
    [0.9078252012509147, 0.0, 0.012345640141695313, 0.07982915860739004],
]


def projected(point: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    out = np.empty_like(point)
    project_row(point, np.ones(point.size, bool) if allowed is None else allowed, out)
    return out


@pytest.mark.parametrize("row", ALREADY_THERE)
def test_a_row_whose_zeros_lie_on_the_threshold_is_left_alone(row):
    """These once went round and round: rounding dropped and took back the same label."""
    assert projected(np.array(row)) == pytest.approx(np.array(row), abs=1e-15)


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=8),
    st.integers(0, 255),
    st.sampled_from([1.0, 1e-9]),
)
def test_the_projection_is_nearest_and_projecting_again_changes_nothing(entries, mask, scale):
    point = scale * np.array(entries)
    allowed = np.array([bool(mask >> k & 1) for k in range(point.size)])
    allowed[0] = True
    near = projected(point, allowed)
    size = 1.0 + np.abs(point).max()
    assert near.min() >= 0
    assert not near[~allowed].any()
    assert near.sum() == pytest.approx(1.0, abs=1e-12 * size)
    # No vertex of the allowed simplex lies in an improving direction.
    assert np.max((point - near) @ near) >= (point - near)[allowed].max() - 1e-9 * size
    assert projected(near, allowed) == pytest.approx(near, abs=1e-9)


def test_a_label_without_company_takes_the_row_at_once():
    only = np.array([False, True, False])
    assert threshold_without(np.zeros(3), only, 1) == (-np.inf, -np.inf)
