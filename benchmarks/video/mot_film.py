"""Make a film of a MOT sequence's pictures, shown back and forth, to measure speed on real people.

python benchmarks/video/mot_film.py ../shared/data/mot/TUD-Campus campus.mp4 [SECONDS]
callsheet bench video campus.mp4
"""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import chain, cycle, islice
from pathlib import Path

import av

from callsheet.video.measures.mot import read_sequence

RATE = 24
HEIGHT = 360


def main(sequence: Path, film: Path, seconds: float) -> None:
    """Write H.264 at 24 frames a second and at most 360 lines, without cuts."""
    pictures = list(read_sequence(sequence).pictures.values())
    back_and_forth = cycle(chain(pictures, pictures[-2:0:-1]))
    with av.open(str(film), "w") as container:
        stream = None
        for shown, path in enumerate(islice(back_and_forth, round(seconds * RATE))):
            with av.open(str(path)) as still:
                frame = next(still.decode(video=0))
            if stream is None:
                stream = container.add_stream("libx264", rate=RATE)
                share = min(1.0, HEIGHT / frame.height)
                stream.width, stream.height = (
                    2 * round(side * share / 2) for side in (frame.width, frame.height)
                )
                stream.pix_fmt = "yuv420p"
            picture = frame.reformat(stream.width, stream.height, format="yuv420p")
            picture.pts, picture.time_base = shown, Fraction(1, RATE)
            container.mux(stream.encode(picture))
        container.mux(stream.encode() if stream is not None else [])


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 60.0)
