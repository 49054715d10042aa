"""Truth in CVAT's XML for video: tracks of boxes, with attributes `person` and `action`.

`<track label="face|body|...">` holds `<box frame xtl ytl xbr ybr outside>`; frames count from 0.
Frames between two given boxes are interpolated in a straight line, as CVAT does. Attributes
may be called person or name, and action; the first non-empty value of a track counts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import InputError
from callsheet.evaluation.truth.truth import Boxes, Truth

KINDS = ("face", "body")
SIDES = ("xtl", "ytl", "xbr", "ybr")


def read_cvat_truth(path: Path) -> Truth:
    """Read a CVAT annotation file."""
    tracks = list(_root(path).iter("track"))
    if not tracks:
        raise InputError(f"{path} has no <track>; export as 'CVAT for video 1.1'")
    boxes = [_track_boxes(path, number, track) for number, track in enumerate(tracks)]
    counts = [len(frames) for frames, _ in boxes]
    return Truth(
        track=np.arange(len(tracks)),
        person=tuple(_attribute(track, ("person", "name")) for track in tracks),
        action=tuple(_attribute(track, ("action",)) for track in tracks),
        kind=tuple(_kind(track) for track in tracks),
        boxes=Boxes(
            np.repeat(np.arange(len(tracks)), counts),
            np.concatenate([frames for frames, _ in boxes]),
            np.concatenate([corners for _, corners in boxes]),
            "frame",
        ),
        form="cvat",
    )


def _kind(track: Any) -> str | None:
    label = str(track.get("label", "")).lower()
    return label if label in KINDS else None


def _root(path: Path) -> Any:
    from xml.etree.ElementTree import ParseError

    try:
        from defusedxml import DefusedXmlException
        from defusedxml.ElementTree import parse
    except ImportError:
        from callsheet.errors import MissingExtraError

        raise MissingExtraError("reading CVAT needs: pip install 'callsheet[text]'") from None
    try:
        return parse(path).getroot()
    except (ParseError, DefusedXmlException) as error:
        raise InputError(f"{path} is not a readable XML file ({error})") from error


def _track_boxes(path: Path, number: int, track: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Frames and corners of a track, gaps between seen boxes filled."""
    try:
        given = [_given_box(box) for box in track.iter("box")]
    except (TypeError, ValueError):
        raise InputError(
            f"{path}: a <box> of track {number} lacks a number among frame, {', '.join(SIDES)}"
        ) from None
    given.sort(key=lambda box: box[0])
    frames, corners = [np.zeros(0, np.int64)], [np.zeros((0, 4))]
    for box, following in zip(given, [*given[1:], None], strict=True):
        if box[1]:
            continue
        here = np.arange(box[0], following[0] if following else box[0] + 1)
        goal = np.array(following[2] if following and not following[1] else box[2])
        share = (here - box[0]) / max(len(here), 1)
        frames.append(here)
        corners.append(np.array(box[2]) + share[:, None] * (goal - np.array(box[2])))
    return np.concatenate(frames), np.concatenate(corners)


def _given_box(box: Any) -> tuple[int, bool, list[float]]:
    """Frame, whether the track is out of sight from here on, and the corners."""
    corners = [float(box.get(side)) for side in SIDES]
    return int(box.get("frame")), box.get("outside") == "1", corners


def _attribute(track: Any, names: tuple[str, ...]) -> str | None:
    for attribute in track.iter("attribute"):
        if attribute.get("name", "").lower() in names and (attribute.text or "").strip():
            return str(attribute.text).strip()
    return None
