"""Look at the stage and measure how well real detectors see it.

    python benchmarks/theatre/stage.py picture docs/pictures/theatre-actions.jpg
    python benchmarks/theatre/stage.py detectors [TAKES]
    python benchmarks/theatre/stage.py speed

`detectors` stages every action and three sizes of talk TAKES times (default 6), looks at four
frames of each and prints the share of true boxes that a detector covers at IoU 0.5. `speed`
prints CPU milliseconds a frame. Everything is seeded.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import cv2
import numpy as np

from callsheet.core import ACTIONS
from callsheet.theatre.stage.frames import Seen, ShotPainter
from callsheet.theatre.stage.looks import draw_cast
from callsheet.theatre.stage.shot import Shot, Size
from callsheet.theatre.stage.staging import (
    PAIRED,
    PLACES,
    Staging,
    stage_action,
    stage_talk,
    with_crowd,
)

_FRAMES = 68
_BEST = {"GetOutOfCar": 36, "OpenDoor": 34, "AnswerPhone": 48, "Run": 44, "SitDown": 38,
         "StandUp": 40, "SitUp": 34, "Kiss": 44, "Hug": 46}  # fmt: skip


def _painter(staging: Staging, place: str, cast, rng: np.random.Generator) -> ShotPainter:
    seed = int(rng.integers(1000))
    shot = Shot(
        0, _FRAMES, place, seed, staging.size, staging.framing, staging.players, staging.props
    )
    return ShotPainter(shot, cast, seed=0)


def action_painter(action: str, rng: np.random.Generator) -> ShotPainter:
    cast = draw_cast(rng, [bool(rng.random() < 0.5) for _ in range(2)])
    place = str(rng.choice(PLACES[action]))
    who = (0, 1) if action in PAIRED or action in ("Eat", "Drive") else (0,)
    return _painter(stage_action(action, rng, place, who), place, cast, rng)


def talk_painter(size: Size, place: str, rng: np.random.Generator, *, crowd: bool) -> ShotPainter:
    cast = draw_cast(rng, [True, False, True, False])
    staging = stage_talk(rng, place, 0, [1], cast[0].height, size)
    if crowd:
        staging = with_crowd(staging, rng, place, [2, 3])
    return _painter(staging, place, cast, rng)


def picture(path: str) -> None:
    rng = np.random.default_rng(2)
    cells = []
    for action in ACTIONS:
        frame, _ = action_painter(action, rng).paint(_BEST.get(action, 30))
        cells.append(_cell(frame, action))
    for size, place in ((Size.CLOSE, "cafe"), (Size.MEDIUM, "park")):
        frame, _ = talk_painter(size, place, rng, crowd=size is not Size.CLOSE).paint(30)
        cells.append(_cell(frame, ""))
    rows = [np.hstack(cells[n : n + 3]) for n in range(0, len(cells), 3)]
    cv2.imwrite(path, np.vstack(rows)[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 86])


def _cell(frame: np.ndarray, title: str) -> np.ndarray:
    cell = cv2.resize(frame, (400, 225), interpolation=cv2.INTER_AREA)
    if title:
        cv2.rectangle(cell, (0, 203), (12 * len(title) + 14, 225), (0, 0, 0), -1)
        cv2.putText(cell, title, (7, 219), 0, 0.55, (255, 255, 255), 1, cv2.LINE_AA)
    return cell


def _takes(takes: int, rng: np.random.Generator) -> Iterator[tuple[str, ShotPainter]]:
    for action in ACTIONS:
        for _ in range(takes):
            yield action, action_painter(action, rng)
    for size in Size:
        for _ in range(takes):
            place = str(rng.choice(["living_room", "office", "cafe", "street", "park", "hall"]))
            yield f"talk, {size.value}", talk_painter(size, place, rng, crowd=False)


def detectors(takes: int) -> None:
    from callsheet.video.detection import face_detector, person_detector
    from callsheet.video.settings import TrackSettings

    finders = {"face": face_detector(TrackSettings()), "body": person_detector(TrackSettings())}
    found: dict[str, dict[str, list[bool]]] = {}
    for name, painter in _takes(takes, np.random.default_rng(1)):
        row = found.setdefault(name, {"face": [], "body": []})
        for number in (8, 24, 40, 56):
            frame, seen = painter.paint(number)
            for kind, finder in finders.items():
                boxes = finder.detect([np.ascontiguousarray(frame[..., ::-1])])[0].boxes
                row[kind] += [_covered(box, boxes) for box in _true(seen, kind)]
    print(f"{'':14}{'face':>12}{'body':>12}   share of true boxes found at IoU 0.5 (boxes)")
    for name, row in found.items():
        print(f"{name:14}" + "".join(f"{_share(v):>7} ({len(v):3})" for v in row.values()))
    for kind in finders:
        every = [hit for row in found.values() for hit in row[kind]]
        print(f"all, {kind}: {np.mean(every):.3f} of {len(every)}")


def _share(hits: list[bool]) -> str:
    return f"{np.mean(hits):.2f}" if hits else "-"


def _true(seen: list[Seen], kind: str) -> list[tuple[float, float, float, float]]:
    boxes = [one.face if kind == "face" else one.body for one in seen]
    return [box for box in boxes if box is not None]


def _covered(box: tuple[float, float, float, float], found: np.ndarray) -> bool:
    if not len(found):
        return False
    x, y, w, h = box
    wide = np.minimum(x + w, found[:, 0] + found[:, 2]) - np.maximum(x, found[:, 0])
    high = np.minimum(y + h, found[:, 1] + found[:, 3]) - np.maximum(y, found[:, 1])
    shared = np.maximum(wide, 0) * np.maximum(high, 0)
    return bool((shared / (w * h + found[:, 2] * found[:, 3] - shared)).max() >= 0.5)


def speed() -> None:
    rng = np.random.default_rng(3)
    for name, painter in _takes(1, rng):
        painter.paint(0)
        start = time.process_time()
        for number in range(0, 60, 6):
            painter.paint(number)
        print(f"{name:14}{100 * (time.process_time() - start):7.1f} ms a frame (CPU)")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["picture", path]:
            picture(path)
        case ["detectors", *rest]:
            detectors(int(rest[0]) if rest else 6)
        case ["speed"]:
            speed()
        case _:
            sys.exit(__doc__)
