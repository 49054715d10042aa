"""Character cues: how likely a line is one, and "RICK BLAINE (V.O.) (CONT'D)" to the bare name
and its extensions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]?")
_TAIL = re.compile(
    r"\s+(V\.?\s?O\.?|O\.?\s?S\.?|O\.?\s?C\.?|CONT(?:['\u2019.]?D|INUING|INUED)\.?)$"
)
_SPACE_BEFORE_DOT = re.compile(r"(?<=\S)\s([.,'\u2019])")
_EDGES = " \t:;,*^-\u2013\u2014_#@"


def parse_name(text: str) -> tuple[str, str | None]:
    """Split a cue into name and extension; several extensions are joined by ", "."""
    extensions = [found.strip() for found in _BRACKETS.findall(text) if found.strip()]
    name = _BRACKETS.sub(" ", text).replace("(", " ").replace(")", " ")
    name = " ".join(name.split()).strip(_EDGES)
    while tail := _TAIL.search(name.upper()):
        extensions.insert(0, name[tail.start(1) :])
        name = name[: tail.start()].strip(_EDGES)
    return _mended(name), ", ".join(extensions) or None


def _mended(name: str) -> str:
    """Take away the spaces that OCR puts before dots ("MR . HOWARD") and a dot at the end."""
    name = _SPACE_BEFORE_DOT.sub(r"\1", name).strip(_EDGES)
    return name if _ABBREVIATED.search(name.upper()) else name.strip(_EDGES + ".")


LONGEST_CUE = 48
_COMES_BACK = 6
_KNOWN_EXTENSION = re.compile(
    r"\((?:V\.?\s?O|O\.?\s?[SC]|CONT|OFF|FILTER|ON\s|OVER|INTO|PHONE|SUBTITLE)", re.IGNORECASE
)
_CAMERA = re.compile(
    r"\b(?:ANGLE|P\.?O\.?V\b|SHOT|CLOSE|CLOSER|CLOSEUP|CLOSE-UP|VIEW|INSERT|REVEAL|INTERCUT|MONTAGE|"
    r"FLASHBACK|FLASH|TITLES?|SUPER|CREDITS?|LATER|CONTINUOUS|BACK\sTO|THE\sEND|END\sOF|CAMERA|"
    r"TRACKING|CUT|FADE|DISSOLVE|SCENE|SERIES|WIDE|WIDER|PAN|ON\sSCREEN|MOMENTS?)\b"
)
_ABBREVIATED = re.compile(r"(?:\b(?:MR|MRS|MS|DR|JR|SR|ST|LT|SGT|CAPT|COL|GEN|NO)|\b[A-Z])\.$")
_SAID = re.compile(r"(?:[?!\u2026]|\.\.+|-{2,}|\u2014)[\"'\u201d\u2019]?$")
_ODD_END = re.compile(r"[,;:.][\"'\u201d\u2019]?$")


def name_scores(texts: Sequence[str]) -> list[float]:
    """How likely each line is a character cue by its form: -6 not at all, 0 even, 5 surely.

    Cues come back: a form seen once is doubted, one seen often is trusted, and a short line
    in mixed case may be a cue only if it comes back.
    """
    keys = [_key(text) if _is_short(text) else "" for text in texts]
    times = Counter(keys)
    mixed = _mixed_case(texts, keys, times)
    return [
        _name_score(t, times=times[k], mixed=mixed) if k else -6.0
        for t, k in zip(texts, keys, strict=True)
    ]


def _mixed_case(texts: Sequence[str], keys: Sequence[str], times: Mapping[str, int]) -> bool:
    """Whether the file writes its cues "Rick": more names that come back are written so than
    in capitals. Then rare names are believed, too."""
    small = {k for t, k in zip(texts, keys, strict=True) if k and _is_titled(_bare(t))}
    back = [k for k in set(keys) if k and times[k] >= _COMES_BACK]
    titled = sum(times[k] for k in back if k in small)
    capital = sum(times[k] for k in back if k not in small and k.upper() == k and not k.isdigit())
    return titled > 2 * capital


def _is_short(text: str) -> bool:
    return len(text) <= LONGEST_CUE and not text.startswith("(")


def _key(text: str) -> str:
    """The letters and digits outside brackets: OCR strews spaces and dots into names."""
    return "".join(c for c in _BRACKETS.sub("", text) if c.isalnum())


def _name_score(text: str, *, times: int, mixed: bool) -> float:
    bare = _bare(text)
    if not any(c.isalpha() for c in bare):
        return -6.0
    if not _is_capital(bare):
        if not _is_titled(bare):
            return -6.0
        if mixed:
            return 1.0 + _trust(times)
        return 1.0 if times >= _COMES_BACK else -6.0
    if _KNOWN_EXTENSION.search(text):
        return 5.0
    return 2.0 + _trust(times) - _doubt(bare)


def _bare(text: str) -> str:
    return _BRACKETS.sub(" ", text).strip()


def _is_titled(bare: str) -> bool:
    """ "Rick Blaine", "Dr. McCoy"; not a whole sentence."""
    words = bare.split()
    return (
        0 < len(words) <= 4
        and bare[-1].isalnum()
        and all(w[0].isupper() or not w[0].isalpha() for w in words)
        and not _is_capital(bare)
    )


def _trust(times: int) -> float:
    return -1.0 if times == 1 else 1.0 if times >= 8 else 0.0


def _doubt(bare: str) -> float:
    """How much speaks against a line in capitals being a cue."""
    doubt = 6.0 if _SAID.search(bare) else 0.0
    if _ODD_END.search(bare) and not _ABBREVIATED.search(bare):
        doubt += 2.0
    return doubt + (3.0 if _CAMERA.search(bare) else 0.0)


def _is_capital(bare: str) -> bool:
    """In capitals, but for the small letters of names like McCLANE or DeVITO."""
    small = sum(c.islower() for c in bare)
    return small == 0 or (small <= 2 and sum(c.isupper() for c in bare) >= 4 * small)
