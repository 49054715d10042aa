"""Rounding by annealing under bags and quotas: relaxed names made surer without leaving them.

The relaxation spreads labels thinly, over tracks in no bag most of all. A few rounds ask the
classifier what the *other* tracks say of each one, keep the relaxed answer as an anchor (without
it the many tracks in no bag drift to whoever is seen most) and project back onto the film's
bags, background and pins:

    Y ← Π(β F + anchor · Z),   β from 1 to 5,   Z relaxed, F leave-one-out scores of Y

The classifier weighs every label alike: people who are seen little would else be drawn to those
who are seen much. The answer is the mean of Z and Y: both are allowed, so it is, and Z still
tells how sure.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.model.annealing import AnnealingSettings, BalancedRidge, anneal
from callsheet.model.crossfitting import with_constant
from callsheet.optim import Problem
from callsheet.optim.nearest import Nearest

Array = NDArray[Any]

ANCHOR = 2.0
FIRST, LAST = 1.0, 5.0
PLAINER = 3.0
"""The ridge is so many times the problem's: single labels, not the whole film, are learned."""


def sharpen(problem: Problem, relaxed: Array, rounds: int) -> Array:
    """Sharpen the relaxed assignment (N, K); all rows of the features are read into memory."""
    if not rounds:
        return relaxed
    features = with_constant(np.asarray(problem.features[0 : len(relaxed)]), problem.bias)
    annealed = anneal(
        relaxed,
        BalancedRidge(features, PLAINER * len(features) * problem.ridge),
        Nearest(problem),
        settings=AnnealingSettings(rounds, FIRST, LAST),
        opinion=lambda _: ANCHOR * relaxed,
    )
    mean: Array = 0.5 * (relaxed + annealed)
    return mean
