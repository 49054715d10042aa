"""Which picture of a body tells persons apart: its crop, or a box of a map of the whole frame?

Run: python benchmarks/video/appearance.py ../shared/data/mot/TUD-Campus
Data: true person boxes of the MOT15 sequence TUD-Campus, every fifth frame. Each body of one half
of the film is looked up among those of the other half: how often is the nearest the same person?
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from callsheet.video.appearance.looking import PLAIN, Looker
from callsheet.video.models import known_model, part_path
from callsheet.video.network import network_input, picture_network

EVERY = 5
MAP_HEIGHT = 256


def boxes_of_map(feature_map: Any, boxes: Any, size: tuple[int, int]) -> Any:
    """Means of a (channels, rows, columns) map of the whole frame over each box."""
    rows, columns = feature_map.shape[1:]
    found = []
    for x, y, w, h in boxes / np.array([*size, *size]) * np.array([columns, rows] * 2):
        left = int(np.clip(np.floor(x), 0, columns - 1))
        top = int(np.clip(np.floor(y), 0, rows - 1))
        right, bottom = max(left + 1, int(np.ceil(x + w))), max(top + 1, int(np.ceil(y + h)))
        found.append(feature_map[:, top:bottom, left:right].mean(axis=(1, 2)))
    return np.array(found)


def ways() -> dict[str, Callable[[Any, Any], Any]]:
    """The three ways to look at bodies."""
    network = picture_network("efficientnet-lite2", PLAIN)
    looker = Looker(network)
    ssd = known_model("ssd-person")
    net = cv2.dnn.readNetFromTensorflow(*(str(part_path(ssd, part)) for part in ssd.parts))

    def whole(picture: Any, boxes: Any) -> Any:
        height, width = picture.shape[:2]
        size = (round(MAP_HEIGHT * width / height / 32) * 32, MAP_HEIGHT)
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        values = network_input([small], network.recipe)
        feature_map = network._session.run(None, {"pictures": values})[0][0]
        return boxes_of_map(feature_map, boxes, (width, height))

    def detector(picture: Any, boxes: Any) -> Any:
        net.setInput(cv2.dnn.blobFromImage(picture, size=(300, 300), swapRB=True))
        feature_map = net.forward("FeatureExtractor/MobilenetV2/Conv_1/Relu6")[0]
        return boxes_of_map(feature_map, boxes, picture.shape[1::-1])

    return {
        "EfficientNet-Lite2, crop": looker.look,
        "EfficientNet-Lite2, box of the frame's map": whole,
        "SSD-MobileNetV2, box of the frame's map": detector,
    }


def share_right(vectors: Any, persons: Any, late: Any) -> float:
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    right = []
    for row in range(len(vectors)):
        others = late != late[row]
        if (persons[others] == persons[row]).any():
            nearest = np.argmax(vectors[others] @ vectors[row])
            right.append(persons[others][nearest] == persons[row])
    return float(np.mean(right))


def main(folder: Path) -> None:
    truth = np.loadtxt(folder / "gt" / "gt.txt", delimiter=",")
    pictures = sorted((folder / "img1").glob("*.jpg"))
    numbers = range(0, len(pictures), EVERY)
    rows = [truth[truth[:, 0] == number + 1] for number in numbers]
    persons = np.concatenate([r[:, 1] for r in rows])
    late = np.concatenate([r[:, 0] for r in rows]) > len(pictures) / 2
    print(f"{len(persons)} bodies of {len(set(persons))} persons in {len(rows)} frames")
    for name, way in ways().items():
        started = time.process_time()
        found = [
            way(cv2.imread(str(pictures[n])), r[:, 2:6]) for n, r in zip(numbers, rows, strict=True)
        ]
        spent = (time.process_time() - started) / len(rows) * 1e3
        right = share_right(np.concatenate(found), persons, late)
        print(f"{name:44} right {right:.3f}  {spent:.0f} ms of processor time a frame")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
