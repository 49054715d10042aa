"""Rows under quotas brought to the nearest point, by the quickest way that gets there.

The kernels do nearly all of them. A component whose quotas they leave unmet goes to the interior
point, and from its multipliers to the kernel once more, for the exact face. Should even that
miss a hard quota, the nearest assignment in sum that holds is taken (lp.restore).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from callsheet.optim import interior, lp
from callsheet.optim.kernels import quotas as kernels
from callsheet.optim.layout import Layout
from callsheet.optim.segments import Segment

Matrix = NDArray[np.float64]
MET = 1e-11
"""Residual of a component, relative to its bounds, that counts as done."""
HOLDS, ASTRAY = 1e-10, 1e12
"""The same of hard quotas alone; above it the linear program mends what is left."""


def project_quotas(
    points: Matrix, layout: Layout, segment: Segment, multipliers: Matrix, out: Matrix
) -> float:
    """Write the nearest rows to `out` for all rows in quotas; return the residual left."""
    left = _kernel(points, layout, segment, segment.components, multipliers, out)
    if left <= MET:
        return left
    left = 0.0
    for component in range(*segment.components):
        left = max(left, _one(points, layout, segment, component, multipliers, out))
    return left


def _kernel(
    points: Matrix, layout: Layout, segment: Segment, components: tuple[int, int],
    multipliers: Matrix, out: Matrix,
) -> float:  # fmt: skip
    return float(kernels.project_components(points, layout.allowed[segment.places], out,
                 segment.start, components, layout.every, multipliers))  # fmt: skip


def _one(
    points: Matrix, layout: Layout, segment: Segment, component: int, multipliers: Matrix,
    out: Matrix,
) -> float:  # fmt: skip
    alone = (component, component + 1)
    left = _kernel(points, layout, segment, alone, multipliers, out)
    if left <= MET:
        return left
    table = layout.every
    mine = slice(*table.component_quota[component : component + 2])
    places = table.component_rows[slice(*table.component_start[component : component + 2])]
    found = interior.project_component(points[places - segment.start], layout, places, mine)
    multipliers[mine] = found.multipliers
    again = _kernel(points, layout, segment, alone, multipliers, out)
    if again <= MET:
        return again
    # Multipliers that went astray would lead the next projection astray too.
    multipliers[mine] = np.where(np.abs(found.multipliers) < ASTRAY, found.multipliers, 0.0)
    rows, left = found.rows, found.left
    if left > HOLDS:
        rows, left = lp.restore(rows, layout, places, np.arange(mine.start, mine.stop)), 0.0
    out[places - segment.start] = rows
    return left
