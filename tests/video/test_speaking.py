"""Speaking: scores from mouths and cues, and the measure's worth on TV series people labelled."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callsheet.errors import SettingsError, StoreError
from callsheet.store import SCHEMAS, read_rows, write_rows, write_table
from callsheet.video.settings import SpeakingSettings
from callsheet.video.speaking import make_speaking, score, strength


def _write(folder: Path, mouths: dict[int, tuple[float, np.ndarray]], cues: list[tuple]) -> None:
    """Mouths: track -> first second and motions at 25 a second; cues: start, end, sound."""
    tracks = [t for t, (_, motions) in mouths.items() for _ in motions]
    times = [s + n / 25 for s, motions in mouths.values() for n in range(len(motions))]
    motions = [m for _, motions in mouths.values() for m in motions]
    columns = {"track": tracks, "time": times, "motion": motions}
    write_table(folder / "mouths.parquet", SCHEMAS["mouths"], columns)
    rows = [{"cue": n, "start": start, "end": end, "text": "Yes.", "speaker": None, "sound": sound}
            for n, (start, end, sound) in enumerate(cues)]  # fmt: skip
    write_rows(folder / "cues.parquet", SCHEMAS["cues"], rows)


def _speech(count: int) -> np.ndarray:
    return 0.3 * np.abs(np.sin(np.arange(count) * 0.9))


def test_the_face_whose_mouth_moves_scores_higher(tmp_path: Path) -> None:
    mouths = {4: (0.0, _speech(100)), 5: (0.0, np.full(100, 0.02))}
    _write(tmp_path, mouths, [(0.5, 3.0, False)])
    result = make_speaking(tmp_path)
    rows = read_rows(tmp_path / "speaking.parquet", SCHEMAS["speaking"])
    scores = {row["track"]: row["score"] for row in rows}
    assert scores[4] > 0.3 > 0.05 > scores[5]
    assert result.summary == {"scores": 2, "cues with a face": 1}


def test_faces_outside_the_cue_sounds_and_glimpses_do_not_count(tmp_path: Path) -> None:
    mouths = {1: (0.0, _speech(25)), 2: (10.0, _speech(100)), 3: (4.95, _speech(3))}
    _write(tmp_path, mouths, [(2.0, 4.0, False), (4.5, 6.0, False), (11.0, 12.0, True)])
    make_speaking(tmp_path)
    assert read_rows(tmp_path / "speaking.parquet", SCHEMAS["speaking"]) == []


def test_the_order_of_rows_does_not_matter(tmp_path: Path) -> None:
    motions = np.random.default_rng(0).random(80)
    cues = [(0.5, 2.0, False)]
    _write(tmp_path, {1: (0.0, motions)}, cues)
    make_speaking(tmp_path)
    first = read_rows(tmp_path / "speaking.parquet", SCHEMAS["speaking"])
    order = np.random.default_rng(1).permutation(80)
    columns = {"track": np.ones(80), "time": np.arange(80)[order] / 25, "motion": motions[order]}
    write_table(tmp_path / "mouths.parquet", SCHEMAS["mouths"],
                {name: values.tolist() if name != "track" else [1] * 80
                 for name, values in columns.items()})  # fmt: skip
    make_speaking(tmp_path)
    assert read_rows(tmp_path / "speaking.parquet", SCHEMAS["speaking"]) == first


def test_a_film_without_faces_or_cues(tmp_path: Path) -> None:
    _write(tmp_path, {}, [(0.0, 1.0, False)])
    assert make_speaking(tmp_path).summary["scores"] == 0
    _write(tmp_path, {1: (0.0, _speech(50))}, [])
    assert make_speaking(tmp_path).summary["scores"] == 0


def test_without_measured_mouths_the_stage_to_run_is_named(tmp_path: Path) -> None:
    _write(tmp_path, {}, [])
    (tmp_path / "mouths.parquet").unlink()
    with pytest.raises(StoreError, match="run the stage that writes it"):
        make_speaking(tmp_path)


@given(st.floats(0, 1e3), st.floats(1e-3, 10))
@settings(max_examples=50, deadline=None)
def test_scores_rise_from_nought_to_one(value: float, half: float) -> None:
    assert 0 <= score(value, half) <= 1
    assert score(half, half) == pytest.approx(0.5)
    assert score(value, half) <= score(value * 1.5 + 0.01, half)


def test_strength_grows_with_motion_and_with_time_on_screen() -> None:
    speech = _speech(50)
    assert strength(2 * speech, 1.0) == pytest.approx(2 * strength(speech, 1.0))
    assert strength(speech, 0.25) == pytest.approx(0.5 * strength(speech, 1.0))
    assert strength(np.empty(0), 1.0) == 0.0
    assert strength(np.full(50, 0.3), 1.0) == pytest.approx(0.0)


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(SettingsError, match="half_strength"):
        SpeakingSettings(half_strength=0)


def _faces_in_cues(folder: Path) -> list[tuple[int, bool, np.ndarray, float]]:
    """Cue, whether the face speaks, its lip motions and the share of the cue it is seen in."""
    from scipy.io import loadmat

    def read(name: str, key: str):
        path = next(folder.glob(f"*.{name}.mat"))
        return loadmat(path, squeeze_me=True, struct_as_record=False)[key]

    found = []
    tracks = read("facetracks", "FaceTracks")
    for number, cue in enumerate(read("subtt_trans_align", "AllTextStruct")):
        speakers = set(np.atleast_1d(cue.groundTruthIdentity).tolist())
        for track in tracks if len(speakers) == 1 else ():
            times, lips = np.atleast_1d(track.timestamps), np.atleast_1d(track.lip_diff)
            within = (times >= cue.starttime) & (times < cue.endtime) & (len(lips) == len(times))
            lips = np.abs(lips.astype(float)[within[: len(lips)]])
            lips = lips[np.isfinite(lips)]
            if len(lips) >= 5:
                share = within.sum() / 25 / max(cue.endtime - cue.starttime, 0.04)
                found.append((number, track.groundTruthIdentity in speakers, lips, share))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("episode", ["bbt_s01e01", "bbt_s01e02", "bbt_s01e03", "buffy_s05e01"])
def test_strength_tells_speakers_of_tv_series(shared_data: Path, episode: str) -> None:
    """Among the faces on screen the strongest speaks far more often than a face drawn by lot,
    and than the face whose mean motion is largest."""
    cues: dict[int, list[tuple]] = {}
    for number, speaks, lips, share in _faces_in_cues(shared_data / "tv" / episode):
        cues.setdefault(number, []).append((speaks, strength(lips, share), lips.mean()))
    open_cues = [np.array(f) for f in cues.values() if 0 < sum(s for s, *_ in f) < len(f)]
    chance = np.mean([faces[:, 0].mean() for faces in open_cues])
    strongest = np.mean([faces[faces[:, 1].argmax(), 0] for faces in open_cues])
    most_moved = np.mean([faces[faces[:, 2].argmax(), 0] for faces in open_cues])
    assert strongest > chance + 0.25
    assert strongest >= most_moved - 0.01
