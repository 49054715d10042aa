"""The kernels against geometry done by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from callsheet.theatre.stage import shading, tracing
from callsheet.theatre.stage.camera import Camera
from callsheet.theatre.stage.solids import Material, Panel, Solids, union_box

ROWS, COLUMNS = 90, 160
CAMERA = Camera((0.0, 0.0, 4.0), (0.0, 0.0, 0.0), 150.0, COLUMNS / 2, ROWS / 2)


def _traced(solids: Solids, camera: Camera = CAMERA):
    depth = np.full((ROWS, COLUMNS), 100.0, np.float32)
    owner = np.full((ROWS, COLUMNS), -1, np.int32)
    rows = solids.pack(camera, (ROWS, COLUMNS))
    tracing.trace_solids(depth, owner, rows, *camera.axes(), camera.lens())
    return depth, owner, rows


def _places(depth: np.ndarray, camera: Camera = CAMERA):
    """World places of the pixels that show a solid."""
    right, up, forward = camera.axes()
    py, px = np.nonzero(depth < 99)
    u, v = (px + 0.5 - camera.cx) / camera.focal, (camera.cy - py - 0.5) / camera.focal
    rays = forward + u[:, None] * right + v[:, None] * up
    return camera.eye + depth[py, px][:, None] * rays


def test_a_ball_is_seen_where_and_as_big_as_it_is() -> None:
    solids = Solids()
    solids.add((0.3, 0.2, 0.0), (0.3, 0.2, 0.0), (0.5, 0.5), material=0)
    depth, _, _ = _traced(solids)
    places = _places(depth)
    assert np.linalg.norm(places - [0.3, 0.2, 0.0], axis=1) == pytest.approx(0.5, abs=1e-3)
    assert depth.min() == pytest.approx(3.5, abs=0.02)


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(*[st.floats(-0.5, 0.5)] * 3), st.tuples(*[st.floats(-0.5, 0.5)] * 3),
    st.floats(0.05, 0.4), st.floats(0.05, 0.4),
)  # fmt: skip
def test_round_cones_are_hulls_of_balls(a, b, ra: float, rb: float) -> None:
    """Every pixel lies on the hull: the nearest inscribed ball touches it, none holds it."""
    assume(np.linalg.norm(np.subtract(a, b)) > 0.05)
    solids = Solids()
    solids.add(a, b, (ra, rb), material=0)
    depth, _, _ = _traced(solids)
    places = _places(depth)
    assert len(places)
    shares = np.linspace(0, 1, 401)
    centres = np.outer(1 - shares, a) + np.outer(shares, b)
    radii = (1 - shares) * ra + shares * rb
    gaps = np.linalg.norm(places[:, None] - centres, axis=2) - radii
    assert np.abs(gaps.min(axis=1)).max() < 5e-3


def test_the_nearer_solid_wins_and_boxes_hold_what_is_drawn() -> None:
    solids = Solids()
    solids.add((0, 0, -1.0), (0, 0.4, -1.0), (0.4, 0.3), material=0, code=5)
    solids.add((0, 0, 0.5), (0, 0, 0.5), (0.2, 0.2), material=1, code=6)
    depth, owner, rows = _traced(solids)
    middle = owner[ROWS // 2, COLUMNS // 2]
    assert rows[middle, tracing.CODE] == 6
    x0, y0, x1, y1 = union_box(rows)
    py, px = np.nonzero(depth < 99)
    assert x0 <= px.min() and px.max() < x1 and y0 <= py.min() and py.max() < y1  # noqa: PT018


def test_shading_writes_codes_and_clears_the_scratch() -> None:
    solids = Solids()
    solids.add((0, 0, 0), (0, 0, 0), (0.5, 0.5), material=0, code=7)
    depth, owner, rows = _traced(solids)
    colour = np.zeros((ROWS, COLUMNS, 3), np.uint8)
    code = np.full((ROWS, COLUMNS), -1, np.int16)
    normal = np.zeros((ROWS, COLUMNS, 3), np.float32)
    materials = np.array([Material((200.0, 100.0, 50.0)).row()])
    light = np.array([0, 0, 1, 0.8, 0.8, 0.8, 0.3, 0.3, 0.3, 0.2, 0.2, 0.2], float)
    box = np.array(union_box(rows))
    axes, lens = CAMERA.axes(), CAMERA.lens()
    shading.solid_normals(normal, depth, owner, rows, materials, *axes, lens, box)
    shading.shade_solids(colour, depth, code, owner, normal, rows, materials,
                         np.zeros((2, 2, 3), np.uint8), np.zeros(26), *axes, np.array(CAMERA.eye),
                         lens, light, box)  # fmt: skip
    assert set(np.unique(code)) == {-1, 7}
    assert (owner == -1).all()
    red, green, blue = colour[ROWS // 2, COLUMNS // 2].astype(float)
    assert red == pytest.approx(2 * green, abs=3)
    assert green == pytest.approx(2 * blue, abs=3)
    lengths = np.linalg.norm(normal[code == 7], axis=1)
    assert lengths == pytest.approx(1.0, abs=1e-4)
    boxes = tracing.code_boxes(code, 7, 1, np.array([0, 0, COLUMNS, ROWS]))
    py, px = np.nonzero(code == 7)
    assert boxes[0].tolist() == [px.min(), py.min(), px.max() + 1, py.max() + 1, len(px)]


def test_a_panel_shows_its_texture_upright() -> None:
    texture = np.zeros((8, 8, 4), np.uint8)
    texture[..., 3] = 255
    texture[:4, :, 0] = 255  # red above
    texture[4:, :, 2] = 255  # blue below
    colour = np.zeros((ROWS, COLUMNS, 3), np.uint8)
    depth = np.full((ROWS, COLUMNS), 100.0, np.float32)
    code = np.full((ROWS, COLUMNS), -1, np.int16)
    panel = Panel((-0.5, -0.5, 0.0), (1.0, 0, 0), (0, 1.0, 0), "t", code=3, glow=1.0)
    light = np.zeros(tracing.LIGHT_COLUMNS)
    light[2] = 1.0
    tracing.trace_panel(colour, depth, code, panel.row(CAMERA, (ROWS, COLUMNS)), texture,
                        *CAMERA.axes(), np.array(CAMERA.eye), CAMERA.lens(), light)  # fmt: skip
    py, px = np.nonzero(code == 3)
    assert px.min() == pytest.approx(COLUMNS / 2 - 0.5 * 150 / 4, abs=1)
    assert depth[code == 3] == pytest.approx(4.0, abs=1e-5)
    assert colour[py.min() + 2, COLUMNS // 2].tolist() == [255, 0, 0]
    assert colour[py.max() - 2, COLUMNS // 2].tolist() == [0, 0, 255]


def test_material_rows_fill_their_columns() -> None:
    """A kernel that reads past a row would read its neighbour, or worse."""
    assert len(Material((1.0, 2.0, 3.0)).row()) == tracing.MATERIAL_COLUMNS
    assert tracing.GROUP == tracing.MATERIAL_COLUMNS - 1
