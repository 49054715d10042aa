"""The stage: puppet films with pictures, a screenplay, subtitles and the known truth.

How its parts follow each other:

    looks -> plot -> shooting -> frames -> film
    who     what      which       pictures   files
    plays   happens   shots       and truth

`tracing` (numba) and `paint` (OpenCV) make pixels, `encoder` (PyAV) makes the video; nothing
else here loads a heavy library.
"""
