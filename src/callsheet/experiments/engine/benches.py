"""The benches behind `callsheet bench engine`: compare, paper scale, two million rows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from callsheet.experiments.engine.films import (
    SIGNAL,
    Planted,
    authors_films,
    made_films,
    mapped_features,
    simulated_features,
    statement,
)
from callsheet.experiments.engine.runs import (
    OracleRace,
    Run,
    bare_pair_seconds,
    machine,
    race_oracles,
    run_method,
)
from callsheet.optim import BlockFrankWolfe, Envelope

PAPER_FEATURES = 14_028


@dataclass(frozen=True, slots=True)
class Bench:
    """What was measured, on what, where."""

    statement: str
    n_rows: int
    n_features: int
    seed: int
    machine: dict[str, Any]
    runs: tuple[Run, ...]
    notes: dict[str, Any]
    oracles: OracleRace | None = None


def compare(
    folder: Path | None, *, n_features: int, seed: int, minutes: float, n_films: int | None = None,
    signal: float = SIGNAL,
) -> Bench:  # fmt: skip
    """All methods on one statement, each from nothing; Algorithm 1 gets `minutes`."""
    planted = _films(folder, seed, n_films)
    problem = statement(planted, simulated_features(planted, n_features, seed, signal=signal))
    limit = 60 * minutes
    _warm_up()
    runs = (
        run_method("envelope", problem, planted, method="envelope", tol=1e-4),
        run_method("envelope (to 1e-2)", problem, planted, method="envelope", tol=1e-2),
        run_method("envelope, Anderson", problem, planted, tol=1e-4,
                   method=Envelope(acceleration="anderson", memory=10), time_limit=limit),
        run_method("bcfw (Algorithm 1)", problem, planted, method=BlockFrankWolfe(), tol=1e-2,
                   time_limit=limit),
        run_method("fw", problem, planted, method="fw", tol=1e-2, time_limit=min(limit, 60)),
    )  # fmt: skip
    notes: dict[str, Any] = {
        "actions lie apart by": signal,
        "bare pair of products, seconds": bare_pair_seconds(problem),
        **{f"envelope against bcfw in seconds, to gap {gap:g}": _ratio(runs[0], runs[3], gap)
           for gap in (0.5, 0.1)},
    }  # fmt: skip
    return _bench(planted, n_features, seed, runs, notes, race_oracles(problem, 3))


def per_pass(folder: Path | None, *, n_features: int, seed: int, passes: int = 30) -> Bench:
    """Seconds a pass against the bare products, and one process against two (least of each)."""
    planted = _films(folder, seed, None)
    problem = statement(planted, simulated_features(planted, n_features, seed))
    _warm_up()
    bare = bare_pair_seconds(problem)
    runs = tuple(
        run_method(name, problem, planted, method="envelope", tol=1e-9, max_passes=passes,
                   workers=workers)
        for name, workers in (("threads", None), ("1 process", 1), ("2 processes", 2))
    )  # fmt: skip
    bare = min(bare, bare_pair_seconds(problem))
    notes: dict[str, Any] = {
        "bare pair of products, seconds": bare,
        "pass against bare pair": _quotient(runs[0].least_per_pass, bare),
        "two processes against one, times faster":
            _quotient(runs[1].least_per_pass, runs[2].least_per_pass),
    }  # fmt: skip
    return _bench(planted, n_features, seed, runs, notes)


def paper_scale(folder: Path | None, out: Path, *, seed: int, n_films: int | None = None) -> Bench:
    """The paper's N and d, features in float32 on disk, to a gap of 1e-2."""
    planted = _films(folder, seed, n_films)
    path = _features_file(out, "paper-scale", planted, PAPER_FEATURES, seed)
    features = mapped_features(planted, PAPER_FEATURES, seed, path, dtype="float32")
    problem = statement(planted, features)
    _warm_up()
    run = run_method("envelope", problem, planted, method="envelope", tol=1e-2)
    return _bench(planted, PAPER_FEATURES, seed, (run,), {"features": "float32, mapped"})


def two_million(out: Path, *, seed: int) -> Bench:
    """Two million rows of 512 features, float16 on disk, to a gap of 1e-2."""
    planted = made_films(654, seed)
    path = _features_file(out, "two-million", planted, 512, seed)
    problem = statement(planted, mapped_features(planted, 512, seed, path, dtype="float16"))
    small = made_films(66, seed)
    beside = _features_file(out, "two-million-part", small, 512, seed)
    part = statement(small, mapped_features(small, 512, seed, beside, dtype="float16"))
    _warm_up()
    runs = (
        run_method("envelope, 66 films", part, small, method="envelope", tol=1e-2),
        run_method("envelope, 654 films", problem, planted, method="envelope", tol=1e-2),
    )
    per_row = [_quotient(run.least_per_pass, n) for run, n in
               zip(runs, (small.n_rows, planted.n_rows), strict=True)]  # fmt: skip
    notes = {"features": "float16, mapped",
             "time a pass and row against 66 films": _quotient(per_row[1], per_row[0])}  # fmt: skip
    return _bench(planted, 512, seed, runs, notes)


def quick(folder: Path | None, seed: int) -> Bench:
    """A small comparison that takes seconds."""
    return compare(folder, n_features=64, seed=seed, minutes=0.1, n_films=6)


def _films(folder: Path | None, seed: int, n_films: int | None) -> Planted:
    if folder is None:
        return made_films(n_films or 66, seed)
    return authors_films(folder, seed, n_films)


def _features_file(out: Path, bench: str, planted: Planted, n_features: int, seed: int) -> Path:
    """One name for each source, size and seed: features of other films are never taken."""
    return out / f"{bench}-{planted.slug}-{planted.n_rows}x{n_features}-{seed}.npy"


def _warm_up() -> None:
    """Load the compiled kernels, so that no run pays for it."""
    planted = made_films(1, 0, tracks=200)
    problem = statement(planted, simulated_features(planted, 8, 0))
    for method in ("envelope", "bcfw", "fw"):
        run_method(method, problem, planted, method=method, tol=1.0, max_passes=3)


def _quotient(seconds: float | None, other: float | None) -> float | None:
    return seconds / other if seconds and other else None


def _ratio(ours: Run, theirs: Run, gap: float) -> str:
    mine, other = ours.seconds_to(gap), theirs.seconds_to(gap)
    if mine is None:
        return "not reached"
    if other is None:
        return f"at least {theirs.seconds / mine:.1f} times faster (it did not arrive)"
    return f"{other / mine:.1f} times faster"


def _bench(
    planted: Planted, n_features: int, seed: int, runs: tuple[Run, ...], notes: dict[str, Any],
    oracles: OracleRace | None = None,
) -> Bench:  # fmt: skip
    return Bench(planted.source, planted.n_rows, n_features, seed, machine(), runs, notes, oracles)
