"""Measure the script wing against annotated films: read them, damage them, score the answers."""

from callsheet.text.measuring.damage import Damage, damaged
from callsheet.text.measuring.episodes import Episode, find_episodes, read_episode
from callsheet.text.measuring.judged import Judged, judged_lines, summarise

__all__ = [
    "Damage",
    "Episode",
    "Judged",
    "damaged",
    "find_episodes",
    "judged_lines",
    "read_episode",
    "summarise",
]
