"""Two tiny made episodes in the form of the real ones: read, bagged, named and judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.io import savemat

from callsheet.experiments import tv
from callsheet.experiments.tv_films import FaceLook, read_face_tracks, simulated_faces

NAMES = ("anna", "bert", "carla")
LINES, FRAME = 45, 1 / 25


def struct_array(rows: list[dict[str, Any]]) -> Any:
    made = np.zeros(len(rows), dtype=[(name, "O") for name in rows[0]])
    for place, row in enumerate(rows):
        made[place] = tuple(row.values())
    return made


def write_episode(folder: Path, seed: int) -> None:
    """A line every four seconds; its speaker is seen with moving lips beside a silent listener."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(seed)
    speakers = [NAMES[n] for n in rng.integers(len(NAMES), size=LINES)]
    words = [" ".join(f"{a}{b}{c}" for a, b, c in rng.choice(list("bdfgklmnprst"), (6, 3)))
             for _ in range(LINES)]  # fmt: skip
    starts = 4.0 * np.arange(LINES)
    lines = [
        {"starttime": start, "endtime": start + 3, "line": said, "origline": said,
         "Speaker": name, "groundTruthIdentity": name}
        for start, said, name in zip(starts, words, speakers, strict=True)
    ]  # fmt: skip
    faces = []
    for start, name in zip(starts, speakers, strict=True):
        listener = NAMES[(NAMES.index(name) + 1) % len(NAMES)]
        faces += [_face(start, name, 0.01), _face(start, listener, 0.0)]
    stem = folder / folder.name
    savemat(f"{stem}.subtt_trans_align.mat", {"AllTextStruct": struct_array(lines)})
    savemat(f"{stem}.facetracks.mat", {"FaceTracks": struct_array(faces)})
    savemat(f"{stem}.track_threads.mat", {"track_in_thread": np.zeros(len(faces), int)})
    Path(f"{stem}.videvents").write_text(
        "CVHCI_VIDEOEVENTS_V1\n" + "".join(f"{int(s * 25)} {s} CUT\n" for s in starts[1:])
    )
    cast = {"Characters": [{"name": name} for name in NAMES]}
    Path(f"{stem}.cast").write_text(json.dumps(cast))
    spoken = (f"{n} {said}\n" for n, said in zip(speakers, words, strict=True))
    (folder / "transcript.txt").write_text("".join(spoken))


def _face(start: float, name: str, lips: float) -> dict[str, Any]:
    times = start + FRAME * np.arange(75)
    return {"x": np.zeros(75), "y": np.zeros(75), "w": np.full(75, 80.0), "h": np.full(75, 80.0),
            "pan": np.zeros(75), "timestamps": times, "groundTruthIdentity": name,
            "lip_diff": lips * (np.arange(75) % 2)}  # fmt: skip


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tv")
    for seed, name in enumerate(("buffy_s05e03", "made_s01e01")):
        write_episode(folder / name, seed)
    return folder


def test_every_method_names_the_made_episodes(episodes: Path) -> None:
    outcome = tv.run(episodes)
    rows = {row["method"]: row for row in outcome.table}
    assert set(tv.METHODS) | {tv.SUPERVISED} <= set(rows)
    assert rows["callsheet, few extras"]["mean accuracy"] > 0.8
    assert rows[tv.SUPERVISED]["mean AP"] > 0.9
    assert rows["  paper, Sivic 2009"]["buffy_s05e03 AP"] == 0.70
    assert rows["  paper, Sivic 2009"]["made_s01e01 AP"] is None
    assert "simulated descriptors" in outcome.made_of
    told = [f for f in outcome.findings if f.startswith("made_s01e01: 90 face tracks")]
    assert len(told) == 1
    assert any("compare methods within a column" in finding for finding in outcome.findings)


def test_most_bags_hold_who_speaks(episodes: Path, tmp_path: Path) -> None:
    for film in map(tv.faces_of, tv.television(episodes, tmp_path)):
        count, share = tv.share_true(*film)
        assert count > 30
        assert share > 0.9


def test_faces_of_a_person_lie_together_and_noise_follows_the_dial(episodes: Path) -> None:
    tracks = read_face_tracks(episodes / "made_s01e01")
    person = np.array([track.person for track in tracks])
    apart = {}
    for separation in (2.0, 20.0):
        faces = simulated_faces(tracks, FaceLook(separation=separation))
        np.testing.assert_allclose(np.linalg.norm(faces, axis=1), 1, atol=1e-5)
        alike = (faces @ faces.T)[person[:, None] == person].mean()
        apart[separation] = alike - (faces @ faces.T)[person[:, None] != person].mean()
    assert apart[20.0] > 2 * apart[2.0]
