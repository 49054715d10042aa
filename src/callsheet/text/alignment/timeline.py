"""Dialogue on the film's clock: what was said when, and what is said next."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from callsheet.core import Span
from callsheet.text.alignment.decisions import Decision
from callsheet.text.alignment.lines import Line
from callsheet.text.readings import ElementSpan

_TOUCH = 2.0
"""Seconds by which two things said one after the other may overlap."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Spans of dialogue elements; starts and ends of lines whose words stand in the script;
    and the words of lines that do not (`strange`: (start, words), in order).
    """

    spoken: Mapping[int, ElementSpan]
    starts: Sequence[float]
    ends: Sequence[float]
    strange: Sequence[tuple[float, int]]

    @classmethod
    def of(
        cls,
        spoken: Iterable[ElementSpan],
        lines: Sequence[Line],
        decisions: Sequence[Decision],
        counts: Sequence[int],
    ) -> Timeline:
        known = [
            line.span
            for line, decision in zip(lines, decisions, strict=True)
            if decision.backing is not None
        ]
        strange = [
            (line.span.start, count)
            for line, decision, count in zip(lines, decisions, counts, strict=True)
            if decision.backing is None and count
        ]
        return cls(
            {s.element: s for s in spoken},
            sorted(span.start for span in known),
            sorted(span.end for span in known),
            sorted(strange),
        )

    def next_start(self, time: float) -> float | None:
        """When something of the script is said next, at `time` or later."""
        place = bisect_left(self.starts, time)
        return self.starts[place] if place < len(self.starts) else None

    def last_end(self, time: float) -> float:
        """When something of the script was last said, up to `time`; 0 at the film's start."""
        place = bisect_right(self.ends, time)
        return self.ends[place - 1] if place else 0.0

    def jumps(self, before: Span, after: Span) -> bool:
        """Whether the film goes elsewhere between two things that follow in the script."""
        if after.start < before.end - _TOUCH:
            return True
        following = self.next_start(before.end)
        return following is not None and following < after.start - _TOUCH

    def strange_words(self, span: Span) -> int:
        """Words said in a span that do not stand in the script."""
        first = bisect_left(self.strange, (span.start, 0))
        last = bisect_left(self.strange, (span.end, 0))
        return sum(words for _, words in self.strange[first:last])
