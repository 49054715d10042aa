"""The world: films as tables and simulated descriptors, with known truth and dials.

`staging` decides who is seen when and doing what, `telling` what the script says of it (with
gaps and errors), `descriptors` what a network would make of each track, `films` writes it all
with the same tables as the real wings. Nothing is drawn: a 66-film world takes seconds.
"""

from callsheet.theatre.world.films import film_folders, make_world
from callsheet.theatre.world.settings import PAPER_WORLD, WorldSettings

__all__ = ["PAPER_WORLD", "WorldSettings", "film_folders", "make_world"]
