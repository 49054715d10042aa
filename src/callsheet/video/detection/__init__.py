"""Boxes in one frame: faces with five landmarks, persons."""

from callsheet.video.detection.choosing import detector_files, face_detector, person_detector
from callsheet.video.detection.detections import LANDMARKS, NOTHING, Detections, Detector

__all__ = [
    "LANDMARKS",
    "NOTHING",
    "Detections",
    "Detector",
    "detector_files",
    "face_detector",
    "person_detector",
]
