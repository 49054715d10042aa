"""The hall where script and picture meet: evidence + tracks -> bags.

`tracks` reads a film's tracks as arrays, `making` puts the tracks of each evidence's span into a
bag, `background` finds the tracks nobody speaks of, `cooccurrence` those seen at the same time,
`audit` counts it all like the paper's table of constraints, and `released` brings in the files
that the paper's authors published.
"""

from callsheet.bags.audit import BagAudit, audit_bags
from callsheet.bags.background import background_tracks, crowded_shots
from callsheet.bags.cooccurrence import cooccurring_groups
from callsheet.bags.making import make_bags, read_bags
from callsheet.bags.released import import_released, read_released
from callsheet.bags.settings import BagSettings
from callsheet.bags.tracks import FilmTracks, read_tracks

__all__ = [
    "BagAudit",
    "BagSettings",
    "FilmTracks",
    "audit_bags",
    "background_tracks",
    "cooccurring_groups",
    "crowded_shots",
    "import_released",
    "make_bags",
    "read_bags",
    "read_released",
    "read_tracks",
]
