"""A block of your own: events in a known order, found in time by dynamic programming.

Each clip is a run of time steps and a list of events that happen in it, in this order: "open
door, then sit down". When is not known. A step shows one event or background (label 0); each
event takes one step or more. The set of such assignments has no quotas that could describe it,
but its cheapest member is a shortest path, and an oracle is all the engine needs.

Run: python examples/engine_ordered_events.py
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from callsheet.optim import Problem, Solution, solve


@dataclass(frozen=True)
class OrderedEvents:
    """A custom block: `rows` are the time steps of a clip, `events` its labels in order."""

    rows: np.ndarray
    events: tuple[int, ...]

    def oracle(self, cost: np.ndarray) -> np.ndarray:
        """Return the cheapest assignment in which the events keep their order."""
        states = self._states()
        price = cost[:, states]
        total = np.full(price.shape, np.inf)
        came = np.zeros(price.shape, dtype=int)
        total[0, :2] = price[0, :2]
        for step in range(1, len(cost)):
            for state in range(len(states)):
                before = max(self._before(state), key=lambda s: -total[step - 1, s])
                came[step, state] = before
                total[step, state] = price[step, state] + total[step - 1, before]
        state = min(len(states) - 1, len(states) - 2, key=lambda s: total[-1, s])
        vertex = np.zeros_like(cost)
        for step in range(len(cost) - 1, -1, -1):
            vertex[step, states[state]] = 1.0
            state = came[step, state]
        return vertex

    def _states(self) -> list[int]:
        """Background, first event, background, second event, ..., background."""
        return [0, *(label for event in self.events for label in (event, 0))]

    def _before(self, state: int) -> list[int]:
        """Stay, come from the state before, or jump the background between two events."""
        jump = [state - 2] if state % 2 and state >= 3 else []
        return [s for s in (state, state - 1) if s >= 0] + jump


def make_clips(n_clips: int = 30, steps: int = 25, seed: int = 0) -> tuple[Problem, np.ndarray]:
    """Clips of two or three events out of four, with noisy features; and the truth."""
    rng = np.random.default_rng(seed)
    centres = 3.0 * rng.normal(size=(5, 12)) / np.sqrt(12)
    truth, blocks = np.zeros(n_clips * steps, dtype=int), []
    for clip in range(n_clips):
        events = tuple(int(e) for e in rng.permutation(4)[: rng.integers(2, 4)] + 1)
        rows = np.arange(clip * steps, (clip + 1) * steps)
        starts = np.sort(rng.choice(np.arange(1, steps - 4, 4), len(events), replace=False))
        for event, start in zip(events, starts, strict=True):
            truth[rows[start : start + rng.integers(3, 5)]] = event
        blocks.append(OrderedEvents(rows, events))
    features = centres[truth] + 0.4 * rng.normal(size=(truth.size, 12))
    return Problem(features, 5, blocks, ridge=1e-2, bias=1.0), truth


def right(solution: Solution, problem: Problem, truth: np.ndarray) -> float:
    """Share of time steps with the right label, rounded to assignments that keep the order."""
    scores = solution.scores(problem.features)
    labels = np.concatenate([np.argmax(block.oracle(-scores[block.rows]), axis=1)
                             for block in problem.blocks])  # fmt: skip
    return float(np.mean(labels == truth))


def main() -> None:
    problem, truth = make_clips()
    solution = solve(problem, method="bcfw", tol=0.5, max_passes=200, seed=0)
    print(f"{solution.status}: gap {solution.gap:.3f} after {solution.passes:.0f} passes")
    print(f"right labels: {right(solution, problem, truth):.2f}"
          f" (all background: {np.mean(truth == 0):.2f})")  # fmt: skip


if __name__ == "__main__":
    main()
