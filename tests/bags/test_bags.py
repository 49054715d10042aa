"""Bags hold the tracks of a span, and the sets made of them are what their words say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet.bags import (
    BagSettings,
    FilmTracks,
    audit_bags,
    background_tracks,
    cooccurring_groups,
    crowded_shots,
    make_bags,
    read_bags,
)
from callsheet.bags.tracks import tracks_in_spans
from callsheet.core import Bag, EvidenceKind
from callsheet.errors import SettingsError, StoreError
from callsheet.store import SCHEMAS, read_rows, write_rows


def tracks_of(spans: list[tuple[float, float]], shots: list[int] | None = None) -> FilmTracks:
    n = len(spans)
    return FilmTracks(
        track=np.arange(n), is_face=np.ones(n, bool),
        shot=np.array(shots if shots is not None else [0] * n),
        start=np.array([s for s, _ in spans], float), end=np.array([e for _, e in spans], float),
        linked=np.full(n, -1), row=np.arange(n),
    )  # fmt: skip


SPANS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 12)).map(lambda p: (p[0], p[0] + p[1])),
    max_size=12,
)


@given(SPANS, st.integers(0, 30), st.integers(1, 10))
def test_members_are_exactly_the_overlapping_tracks(
    spans: list[tuple[float, float]], start: int, length: int
) -> None:
    found = next(tracks_in_spans(tracks_of(spans), np.array([start]), np.array([start + length])))
    wanted = [i for i, (s, e) in enumerate(spans) if s < start + length and start < e]
    assert found.tolist() == wanted


@given(SPANS)
def test_groups_are_the_maximal_sets_that_share_an_instant(
    spans: list[tuple[float, float]],
) -> None:
    groups = [set(g.tolist()) for g in cooccurring_groups(tracks_of(spans), shortest=0.0)]
    seen = [{i for i, (s, e) in enumerate(spans) if s <= t < e} for t in range(45)]
    maximal = {frozenset(a) for a in seen if len(a) > 1 and not any(a < b for b in seen)}
    assert {frozenset(g) for g in groups} == maximal
    assert len(groups) == len(maximal)


def test_a_crowd_is_counted_at_one_instant() -> None:
    passing = tracks_of([(0, 1), (1, 2), (2, 3)], [4, 4, 4])
    standing = tracks_of([(0, 3), (1, 3), (2, 3)], [4, 4, 4])
    assert crowded_shots(passing, 1).tolist() == []
    assert crowded_shots(standing, 2).tolist() == [4]
    assert crowded_shots(standing, 3).tolist() == []
    assert crowded_shots(tracks_of([(0, 3)] * 9, [-1] * 9), 2).tolist() == []


def test_background_is_what_no_bag_speaks_of_and_crowds() -> None:
    tracks = tracks_of([(0, 1), (5, 6), (8, 9), (8, 9)], [0, 1, 2, 2])
    bag = Bag(0, 0, EvidenceKind.MENTION, "RICK", None, (0, 2))
    assert background_tracks(tracks, [bag]).tolist() == [1, 3]
    assert background_tracks(tracks, [bag], crowd=1).tolist() == [1, 2, 3]
    assert background_tracks(tracks, []).tolist() == [0, 1, 2, 3]


def _track(track: int, kind: str, start: float, end: float, linked: int | None) -> dict[str, Any]:
    return {"track": track, "kind": kind, "shot": 0, "start": start, "end": end,
            "best_time": start, "quality": 1.0, "linked": linked, "row": track}  # fmt: skip


def _evidence(evidence: int, kind: str, start: float, end: float, person: str | None,
              action: str | None = None, confidence: float = 1.0) -> dict[str, Any]:  # fmt: skip
    return {"evidence": evidence, "kind": kind, "start": start, "end": end, "person": person,
            "action": action, "source_line": 1, "rule": "test", "confidence": confidence,
            "text": ""}  # fmt: skip


def _member(person: str, *, background: bool = False) -> dict[str, Any]:
    return {"person": person, "aliases": [], "actor": None, "background": background,
            "lines": 0, "words": 0, "mentions": 0}  # fmt: skip


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Faces 0 (0-4 s) and 1 (2-6 s) of bodies 2 and 3; face 4 alone at 10-12 s."""
    write_rows(tmp_path / "tracks.parquet", SCHEMAS["tracks"], [
        _track(0, "face", 0, 4, 2), _track(1, "face", 2, 6, 3), _track(2, "body", 0, 4, 0),
        _track(3, "body", 2, 6, 1), _track(4, "face", 10, 12, None),
    ])  # fmt: skip
    write_rows(tmp_path / "evidence.parquet", SCHEMAS["evidence"], [
        _evidence(0, "mention", 0, 3, "RICK"),
        _evidence(1, "statement", 3, 5, "ILSA", "Kiss"),
        _evidence(2, "statement", 0, 1, None, "Run"),
        _evidence(3, "mention", 0, 3, "CROWD"),
        _evidence(4, "line", 2, 4, "ILSA", confidence=0.4),
        _evidence(5, "mention", 20, 30, "RICK"),
    ])  # fmt: skip
    write_rows(tmp_path / "cast.parquet", SCHEMAS["cast"],
               [_member("RICK"), _member("ILSA"), _member("CROWD", background=True)])  # fmt: skip
    return tmp_path


def _told(film: Path) -> list[tuple[int, str | None, str | None, tuple[int, ...]]]:
    return [(b.evidence, b.person, b.action, b.tracks) for b in read_bags(film)]


def test_persons_bag_faces_and_actions_bag_bodies(film: Path) -> None:
    make_bags(film)
    assert _told(film) == [
        (0, "RICK", None, (0, 1)),
        (1, "ILSA", None, (0, 1)),
        (4, "ILSA", None, (0, 1)),
        (5, "RICK", None, ()),
        (1, "ILSA", "Kiss", (2, 3)),
        (2, None, "Run", (2,)),
    ]


def test_unsure_evidence_and_extras_make_no_bag(film: Path) -> None:
    result = make_bags(film, BagSettings(least_confidence=0.5))
    assert 4 not in [b.evidence for b in read_bags(film)]
    assert result.summary["left_out"] == {"unsure": 1, "extras": 1}
    assert result.summary["empty"] == 1


def _speak(film: Path, scores: dict[int, float]) -> None:
    write_rows(film / "cues.parquet", SCHEMAS["cues"],
               [{"cue": 7, "start": 2.2, "end": 3.8, "text": "", "speaker": None,
                 "sound": False}])  # fmt: skip
    write_rows(film / "speaking.parquet", SCHEMAS["speaking"],
               [{"cue": 7, "track": t, "score": s} for t, s in scores.items()])  # fmt: skip


def test_a_line_is_narrowed_to_who_speaks(film: Path) -> None:
    _speak(film, {0: 0.1, 1: 0.9})
    make_bags(film)
    assert (4, "ILSA", None, (1,)) in _told(film)
    assert (0, "RICK", None, (0, 1)) in _told(film)  # a mention is not


def test_a_line_spoken_off_screen_makes_no_bag_unless_asked(film: Path) -> None:
    _speak(film, {0: 0.1, 1: 0.2})
    assert make_bags(film).summary["left_out"]["silent"] == 1
    assert 4 not in [bag.evidence for bag in read_bags(film)]
    make_bags(film, BagSettings(speakers_only=False))
    assert (4, "ILSA", None, (0, 1)) in _told(film)


def test_a_face_that_was_not_measured_may_be_who_speaks(film: Path) -> None:
    _speak(film, {0: 0.1})
    make_bags(film)
    assert (4, "ILSA", None, (1,)) in _told(film)
    _speak(film, {0: 0.9})
    make_bags(film)
    assert (4, "ILSA", None, (0, 1)) in _told(film)


def test_mouths_measured_in_a_cue_that_is_gone_say_nothing(film: Path) -> None:
    _speak(film, {0: 0.1, 1: 0.9})
    write_rows(film / "speaking.parquet", SCHEMAS["speaking"],
               [{"cue": cue, "track": 0, "score": 0.1} for cue in (3, 9)])  # fmt: skip
    make_bags(film)
    assert (4, "ILSA", None, (0, 1)) in _told(film)


def test_bags_that_cannot_hold_are_counted(film: Path) -> None:
    """Two names for the only face of a span, and a bag whose tracks have no descriptor."""
    rows = read_rows(film / "tracks.parquet", SCHEMAS["tracks"])
    write_rows(film / "tracks.parquet", SCHEMAS["tracks"],
               [row | {"row": None} if row["track"] == 2 else row for row in rows])  # fmt: skip
    write_rows(film / "evidence.parquet", SCHEMAS["evidence"], [
        _evidence(0, "mention", 10, 11, "RICK"), _evidence(1, "mention", 11, 12, "ILSA"),
        _evidence(2, "mention", 10, 12, "RICK"), _evidence(3, "statement", 0, 1, None, "Run"),
        _evidence(4, "statement", 3, 4, None, "Kiss"),
    ])  # fmt: skip
    make_bags(film)
    audit = audit_bags([film])
    assert (audit.names.bags, audit.names.contradictory) == (3, 3)
    assert (audit.actions.undescribed, audit.actions.contradictory) == (1, 0)
    assert audit.names.undescribed == 0


def test_audit_counts(film: Path) -> None:
    make_bags(film)
    audit = audit_bags([film])
    assert (audit.names.bags, audit.names.empty, audit.names.covered) == (4, 1, 2)
    assert audit.names.uncovered_share == pytest.approx(1 / 3)
    assert audit.actions.labels == {"Kiss": 1, "Run": 1}
    assert "Total" in audit.table()


def test_missing_tables_and_settings_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="tracks"):
        make_bags(tmp_path)
    with pytest.raises(SettingsError, match="speaking"):
        BagSettings(speaking=2.0)
