"""Motion words: the fixed points that trajectory descriptors are counted at.

Descriptors of different films can only be compared when they are counted at the same words, so
one set serves a whole library. A set ships with callsheet ("default"); `train_words` makes a
larger one from the user's own films.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import InputError, ModelFileError
from callsheet.store import replacing
from callsheet.video.trajectories.tracer import CHANNELS, descriptor_width

DEFAULT = "default"
_SHIPPED = "motion-words.npz"
_PASSES = 20
_BATCH = 4096


@dataclass(frozen=True, slots=True)
class MotionWords:
    """Channel -> its words (count, descriptor width) float32."""

    words: Mapping[str, NDArray[np.float32]]

    def count(self, channel: str) -> int:
        return len(self.words[channel])

    def nearest(self, channel: str, descriptors: NDArray[np.float32]) -> NDArray[np.int64]:
        """Index of the nearest word of each descriptor (n,), by Euclidean distance."""
        words = self.words[channel]
        # |d - w|² is least where d·w - |w|²/2 is largest.
        near = descriptors @ words.T - 0.5 * (words**2).sum(axis=1)
        return np.asarray(near.argmax(axis=1), dtype=np.int64)


def load_words(name: str = DEFAULT) -> MotionWords:
    """The shipped words ("default") or those of a file that `train_words` wrote."""
    path = words_file(name)
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            words = {channel: stored[channel].astype(np.float32) for channel in CHANNELS}
    except (ValueError, KeyError, OSError, BadZipFile) as error:
        raise ModelFileError(f"{path} does not hold motion words: {error}", path=str(path)) from (
            error
        )
    return MotionWords(_checked(words, path))


def words_file(name: str = DEFAULT) -> Path:
    """Where the words of that name lie: the shipped ones, or a user's own file."""
    if name == DEFAULT:
        return Path(str(files("callsheet.video.trajectories") / _SHIPPED))
    if not Path(name).is_file():
        raise InputError(
            f"{name} does not exist; make it with `callsheet features --train-words`, or use the"
            f" words called {DEFAULT}",
            path=name,
        )
    return Path(name)


def save_words(path: Path, words: MotionWords) -> None:
    """Write them as float16 numbers, no pickle."""
    half: dict[str, Any] = {c: w.astype(np.float16) for c, w in words.words.items()}
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **half)


def train_words(
    samples: Mapping[str, NDArray[np.float32]], count: int, *, seed: int = 0
) -> MotionWords:
    """Mini-batch k-means of each channel's descriptors (n, width)."""
    from sklearn.cluster import MiniBatchKMeans

    fewest = min(len(rows) for rows in samples.values())
    if fewest < 2 * count:
        raise InputError(
            f"{count} words need at least {2 * count} trajectories to learn from, got {fewest};"
            " give more films or ask for fewer words"
        )
    words = {}
    for channel, rows in samples.items():
        method = MiniBatchKMeans(
            count, batch_size=_BATCH, max_iter=_PASSES, n_init=1, random_state=seed
        )
        words[channel] = method.fit(rows).cluster_centers_.astype(np.float32)
    return MotionWords(words)


def _checked(words: dict[str, NDArray[np.float32]], path: Path) -> dict[str, NDArray[np.float32]]:
    for channel, rows in words.items():
        if rows.ndim != 2 or rows.shape[1] != descriptor_width(channel) or not len(rows):
            raise ModelFileError(
                f"{path}: {channel} has the shape {rows.shape}, expected (words,"
                f" {descriptor_width(channel)})",
                path=str(path),
            )
    return words
