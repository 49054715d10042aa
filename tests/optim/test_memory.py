"""Features on disk stay there: what a solve holds does not grow with N × d."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

PROGRAM = """
    import numpy as np
    from callsheet.experiments.engine.memory import _anonymous, watching
    from callsheet.optim import AtLeast, Block, Problem, solve

    def statement(features):
        n = len(features)
        return Problem(features, 3, [Block(range(n), [AtLeast(range(50), 1, 9.0, slack=1e-3),
                                                      AtLeast(range(50, n), 0, 0.4 * n)])])

    solve(statement(np.random.default_rng(0).normal(size=(99, 4))))  # kernels are loaded
    before = _anonymous()
    with watching(interval=0.005) as peak:
        solve(statement(np.load({path!r}, mmap_mode="r")), tol=1e-12, max_passes=15, workers=1)
    print(peak.anonymous - before)
"""


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_memory_for_a_mapped_file_is_bounded_by_tiles_and_not_by_the_file(dtype, tmp_path):
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc")
    n_rows, width = 120_000, 768
    path = tmp_path / "x.npy"
    features = np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=(n_rows, width))
    rng = np.random.default_rng(0)
    for start in range(0, n_rows, 10_000):
        features[start : start + 10_000] = rng.standard_normal((10_000, width), dtype=np.float32)
    del features
    program = textwrap.dedent(PROGRAM.format(path=str(path)))
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                         check=True)  # fmt: skip
    in_memory = 4 * n_rows * width
    assert 0 < int(run.stdout) <= 0.5 * in_memory
