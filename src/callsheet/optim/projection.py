"""Rows under quotas brought to the nearest point, by the quickest way that gets there.

The kernels do nearly all of them. A component whose quotas they leave unmet goes to the interior
point, and from its multipliers to the kernel once more, for the exact face. Should even that
miss a hard quota, the nearest assignment in sum that holds is taken (lp.restore). What was not
done by the kernels alone is counted, for the solution to tell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from callsheet.optim import interior, lp
from callsheet.optim.kernels import quotas as kernels
from callsheet.optim.layout import Layout
from callsheet.optim.segments import Segment

Matrix = NDArray[np.float64]


class Fallbacks(NamedTuple):
    """Components that took more than the kernels: to the interior point; those left near the
    nearest rows only; those of them whose hard quotas a linear program mended."""

    interior: int = 0
    inexact: int = 0
    mended: int = 0

    def plus(self, other: Fallbacks) -> Fallbacks:
        return Fallbacks(*(a + b for a, b in zip(self, other, strict=True)))

    def most(self, other: Fallbacks) -> Fallbacks:
        return Fallbacks(*map(max, self, other))


NONE = Fallbacks()
MET = 1e-11
"""Residual of a component, relative to its bounds, that counts as done."""
HOLDS, ASTRAY = 1e-10, 1e12
"""The same of hard quotas alone; above it the linear program mends what is left."""


def project_quotas(
    points: Matrix, layout: Layout, segment: Segment, multipliers: Matrix, out: Matrix
) -> Fallbacks:
    """Write the nearest rows to `out` for all rows in quotas; say what that took."""
    took = NONE
    if _kernel(points, layout, segment, segment.components, multipliers, out) <= MET:
        return took
    for component in range(*segment.components):
        took = took.plus(_one(points, layout, segment, component, multipliers, out))
    return took


def _kernel(
    points: Matrix, layout: Layout, segment: Segment, components: tuple[int, int],
    multipliers: Matrix, out: Matrix,
) -> float:  # fmt: skip
    return float(kernels.project_components(points, layout.allowed[segment.places], out,
                 segment.start, components, layout.every, multipliers))  # fmt: skip


def _one(
    points: Matrix, layout: Layout, segment: Segment, component: int, multipliers: Matrix,
    out: Matrix,
) -> Fallbacks:  # fmt: skip
    alone = (component, component + 1)
    if _kernel(points, layout, segment, alone, multipliers, out) <= MET:
        return NONE
    table = layout.every
    mine = slice(*table.component_quota[component : component + 2])
    places = table.component_rows[slice(*table.component_start[component : component + 2])]
    found = interior.project_component(points[places - segment.start], layout, places, mine)
    multipliers[mine] = found.multipliers
    if _kernel(points, layout, segment, alone, multipliers, out) <= MET:
        return Fallbacks(interior=1)
    # Multipliers that went astray would lead the next projection astray too.
    multipliers[mine] = np.where(np.abs(found.multipliers) < ASTRAY, found.multipliers, 0.0)
    rows, mends = found.rows, found.left > HOLDS
    if mends:
        rows = lp.restore(rows, layout, places, np.arange(mine.start, mine.stop))
    out[places - segment.start] = rows
    return Fallbacks(interior=1, inexact=1, mended=int(mends))
