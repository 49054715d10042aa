"""Run a library and say where it stands: the film stages, the join, the labels, the report."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from callsheet.core import Progress, StageResult
from callsheet.errors import ChoiceError
from callsheet.pipeline import plan
from callsheet.pipeline.lock import holding
from callsheet.pipeline.runner import cores, run_films, run_stage
from callsheet.pipeline.stage import Scope, Stage, StageOutcome
from callsheet.pipeline.stages import STAGES
from callsheet.pipeline.watching import Watch, nobody_watches
from callsheet.store import Manifest, remove_leftovers

if TYPE_CHECKING:
    from callsheet.pipeline.library import Library


@dataclass(frozen=True, slots=True)
class RunSummary:
    """Every stage's outcome, in the order they ended."""

    outcomes: tuple[StageOutcome, ...] = field(default_factory=tuple)

    @property
    def failures(self) -> tuple[StageOutcome, ...]:
        return tuple(o for o in self.outcomes if o.failure)

    @property
    def ran(self) -> int:
        return sum(o.ran and not o.failure for o in self.outcomes)

    def of(self, film: str) -> dict[str, StageOutcome]:
        """One film's outcomes by stage."""
        return {o.stage: o for o in self.outcomes if o.film == film}

    def warnings_of(self, film: str) -> tuple[str, ...]:
        """One film's warnings, each once: several stages may meet the same damage."""
        told = (w for o in self.outcomes if o.film == film for w in o.warnings)
        return tuple(dict.fromkeys(told))


def run_library(
    library: Library,
    *,
    stages: Sequence[str] = (),
    workers: int | None = None,
    watch: Watch = nobody_watches,
) -> RunSummary:
    """Do what is out of date: everything, or the named stages and what they need."""
    names = stages_for(stages)
    workers = _workers(library, workers)
    with holding(library.work_folder):
        remove_leftovers(library.work_folder)
        outcomes: list[StageOutcome] = []
        for group in _groups(names):
            if STAGES[group[0]].scope is Scope.LIBRARY:
                outcomes.append(_run_library_stage(library, STAGES[group[0]], watch))
                continue
            films = run_films(library.works, group, library.settings, watch=watch, workers=workers)
            with closing(films):  # an interrupted run ends its workers before it lets go the lock
                for ended in films:
                    outcomes += ended
    return RunSummary(tuple(outcomes))


def stages_for(wanted: Sequence[str]) -> list[str]:
    """The wanted stages and all they need, in order; all of them if none is named."""
    for name in wanted:
        if name not in STAGES:
            near = difflib.get_close_matches(name, STAGES, n=1)
            hint = f"did you mean {near[0]!r}? The" if near else "the"
            raise ChoiceError(f"no stage {name!r}; {hint} stages are {', '.join(STAGES)}")
    needed = set(wanted or STAGES)
    for name in reversed(STAGES):
        if name in needed:
            needed |= {*STAGES[name].after, *STAGES[name].may_follow}
    return [name for name in STAGES if name in needed]


def _workers(library: Library, workers: int | None) -> int:
    chosen = library.settings.run.workers if workers is None else workers
    return chosen or cores()


def _groups(names: Sequence[str]) -> list[list[str]]:
    """Runs of film stages, with each stage of the whole library by itself."""
    groups: list[list[str]] = []
    for name in names:
        alone = STAGES[name].scope is Scope.LIBRARY
        if alone or not groups or STAGES[groups[-1][0]].scope is Scope.LIBRARY:
            groups.append([name])
        else:
            groups[-1].append(name)
    return groups


def _run_library_stage(library: Library, stage: Stage, watch: Watch) -> StageOutcome:
    works = library.works

    def wanted() -> Manifest:
        return plan.wanted_library_manifest(works, stage, STAGES, library.settings)

    def act(progress: Progress) -> StageResult:
        return stage.run(works, library.work_folder, library.settings, progress)  # type: ignore[call-arg, arg-type]

    return run_stage(stage, library.work_folder, wanted, act=act, film="", watch=watch)


def library_status(library: Library) -> list[plan.StageStatus]:
    """Where every stage of every film stands, then the stages of the library."""
    statuses = [
        plan.film_status(work, stage, STAGES, library.settings)
        for work in library.works
        for stage in STAGES.values()
        if stage.scope is Scope.FILM
    ]
    for stage in STAGES.values():
        if stage.scope is Scope.LIBRARY:
            wanted = plan.wanted_library_manifest(library.works, stage, STAGES, library.settings)
            state, reason = plan.state_of(library.work_folder, stage, wanted)
            statuses.append(plan.StageStatus("", stage.name, state, reason))
    return statuses
