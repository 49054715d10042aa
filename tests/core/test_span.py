"""Spans are half-open; time bases are exact."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet.core import Span, TimeBase
from callsheet.errors import InputError

seconds = st.floats(min_value=0, max_value=1e5, allow_nan=False)


@st.composite
def spans(draw: st.DrawFn) -> Span:
    first, second = sorted([draw(seconds), draw(seconds)])
    return Span(first, second)


def test_touching_spans_do_not_overlap() -> None:
    assert not Span(0, 1).overlaps(Span(1, 2))
    assert Span(0, 1).contains(0)
    assert not Span(0, 1).contains(1)


@pytest.mark.parametrize(("start", "end"), [(1, 0), (float("nan"), 1), (0, float("inf"))])
def test_impossible_spans_are_refused(start: float, end: float) -> None:
    with pytest.raises(InputError, match="span"):
        Span(start, end)


@given(spans(), spans())
def test_overlap_is_symmetric_and_bounded(a: Span, b: Span) -> None:
    assert a.overlap(b) == b.overlap(a)
    assert 0 <= a.overlap(b) <= min(a.duration, b.duration)
    assert 0 <= a.iou(b) <= 1
    assert a.overlaps(b) or a.overlap(b) == 0


@given(spans(), spans())
def test_hull_covers_both(a: Span, b: Span) -> None:
    hull = a.hull(b)
    assert hull.overlap(a) == a.duration
    assert hull.overlap(b) == b.duration


@given(spans(), st.floats(0, 100), st.floats(0, 100))
def test_padding_never_shrinks_nor_goes_below_zero(span: Span, before: float, after: float) -> None:
    wide = span.padded(before, after)
    assert 0 <= wide.start <= span.start
    assert wide.end >= span.end


@given(st.integers(0, 10**9), st.sampled_from([Fraction(1, 24), Fraction(1001, 24000)]))
def test_time_base_round_trips_every_tick(ticks: int, rate: Fraction) -> None:
    base = TimeBase(rate)
    assert base.ticks(base.exact_seconds(ticks)) == ticks
    assert base.ticks(base.seconds(ticks)) == ticks


def test_time_base_must_be_positive() -> None:
    with pytest.raises(InputError, match="positive"):
        TimeBase(Fraction(0))
