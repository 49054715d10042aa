"""Hard quotas that share rows: can they hold all at once?

Each alone was checked when the layout was compiled. Quotas of a component are put to the LP
solver together; most statements have no such component and pay nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import EngineError
from callsheet.optim import lp
from callsheet.optim.layout import Layout


def check_together(layout: Layout) -> None:
    """Refuse hard quotas that no assignment meets together."""
    table = layout.hard
    joint = np.flatnonzero(np.diff(table.component_quota) > 1)
    if not joint.size or _possible(layout, joint):
        return
    for component in joint:
        if not _possible(layout, np.array([component])):
            span = slice(*table.component_quota[component : component + 2])
            names = layout.hard_names[span]
            listed = "; ".join(names[:4]) + (f"; and {len(names) - 4} more" * (len(names) > 4))
            raise EngineError(f"hard quotas cannot be met together: {listed}; lower a bound or"
                              " give one of them slack")  # fmt: skip


def _possible(layout: Layout, components: NDArray[np.int64]) -> bool:
    table = layout.hard
    places = np.concatenate([table.component_rows[slice(*table.component_start[c : c + 2])]
                             for c in components])  # fmt: skip
    quotas = np.concatenate([np.arange(*table.component_quota[c : c + 2]) for c in components])
    cost = np.zeros((places.size, layout.n_labels))
    try:
        lp.minimise(cost, layout.allowed[places], places, quotas, table)
    except lp.InfeasibleError:
        return False
    return True
