"""Is the script of this film? The shares found on both sides, and the words that say so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from callsheet.text.alignment.matching import Matches
from callsheet.text.alignment.words import Words
from callsheet.text.readings import Verdict
from callsheet.text.settings import AlignmentSettings

_FEWEST_WORDS = 20
"""Subtitles or scripts with fewer words prove nothing."""
_FOREIGN_SHARE = 0.25
"""When fewer of the subtitles' words occur anywhere in the script, the languages differ."""
_MOVED_SHARE = 0.02
"""With more of the film's words out of the script's order, it is worth saying."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """`share` of the script's dialogue words found in the film, `heard` of the film's words
    found in the script."""

    share: float
    heard: float
    verdict: Verdict
    warnings: tuple[str, ...]


def judge(matches: Matches, script: Words, film: Words, settings: AlignmentSettings) -> Judgement:
    """Judge by the larger share whether it is this film, by the smaller whether this draft.

    A film may use a third of a long draft; then nearly all it says is still found.
    """
    equal = matches.equal
    share = len(np.unique(matches.script[equal])) / max(1, len(script))
    heard = float(equal.sum()) / max(1, len(film))
    verdict = _verdict(share, heard, min(len(script), len(film)), settings)
    warnings = tuple(_warnings(verdict, share, heard, matches, script, film))
    return Judgement(share, heard, verdict, warnings)


def _verdict(share: float, heard: float, fewest: int, settings: AlignmentSettings) -> Verdict:
    if max(share, heard) < settings.refuse_below:
        return Verdict.REFUSED
    if min(share, heard) < settings.doubt_below or fewest < _FEWEST_WORDS:
        return Verdict.DOUBTFUL
    return Verdict.GOOD


def _warnings(
    verdict: Verdict, share: float, heard: float, matches: Matches, script: Words, film: Words
) -> Iterator[str]:
    both = f"{share:.0%} of its dialogue is said in the film, {heard:.0%} of the film stands in it"
    if verdict is Verdict.REFUSED:
        yield f"the script is not of this film: {both}{_foreign(script, film)}"
    elif min(len(script), len(film)) < _FEWEST_WORDS:
        yield f"too little is said to be sure that the script is of this film: {both}"
    elif verdict is Verdict.DOUBTFUL:
        yield f"the script is another draft, or much was cut: {both}"
    moved = float(matches.moved.mean()) if len(film) else 0.0
    if verdict is not Verdict.REFUSED and moved > _MOVED_SHARE:
        yield f"{moved:.0%} of what is said comes in another order than in the script"


def _foreign(script: Words, film: Words) -> str:
    known = set(script.words)
    familiar = sum(word in known for word in film.words) / max(1, len(film))
    if len(film) < _FEWEST_WORDS or familiar >= _FOREIGN_SHARE:
        return ""
    return (
        f"; are the subtitles in another language? only {familiar:.0%} of their words occur in it"
    )
