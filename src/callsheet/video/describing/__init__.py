"""The stage `features`: one reading of a film that describes all its tracks."""

from callsheet.video.describing.features import make_features

__all__ = ["make_features"]
