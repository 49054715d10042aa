"""Who is in a film: character names with their aliases, extras, and how much each says."""

from callsheet.text.cast.casting import find_cast, make_cast
from callsheet.text.cast.listing import read_cast

__all__ = ["find_cast", "make_cast", "read_cast"]
