"""A character's name taken apart: "MR. BLAINE'S VOICE" is Blaine, with a title, heard only.

What tells two people apart is kept (YOUNG, OLD, a number); what does not is dropped (articles,
'S VOICE, ON TV). "RICK AND ILSA" are two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from callsheet.text.grammar.lexicon import TITLES

_VOICE = re.compile(
    r"(?P<whose>['\u2019`]\s?S?(?:\s+[A-Z]+){0,2}|\s?S['\u2019]?)?"
    r"\s+(?:(?:RECORDED|DISTANT|FILTERED|MUFFLED|AMPLIFIED) )?VOICE(?:\s?OVER)?$"
    r"|\s+V/O$|\s+O/S$"
    r"|\s+(?:OVER|ON|THROUGH) (?:THE )?(?:TV|PHONE|RADIO|SPEAKER|INTERCOM|MEGAPHONE)$"
    r"|['\u2019]S$"
)
_VOICE_OF = re.compile(r"^(?:THE )?VOICE OF (?:THE )?")
_LINE_NUMBER = re.compile(r"^\d+\s+(?=\S)")  # the scan's, before "0 ORSOLYA"
_JOINT = re.compile(r"\s*[/&@+]\s*|\s+AND\s+")
_QUOTED = re.compile(r"^[\"\u201c](?P<name>[^\"\u201c\u201d]+)[\"\u201d]$")
_NUMBER = re.compile(r"^(?:#|NO\.?\s?)?\d+(?:ST|ND|RD|TH)?$")
_NUMBER_WORDS = frozenset(
    [
        *("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT"),
        *("FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH", "ANOTHER", "OTHER"),
    ]
)
_AGES = frozenset(
    [
        *("YOUNG", "YOUNGER", "OLD", "OLDER", "ELDERLY", "LITTLE", "TEEN", "TEENAGE", "BABY"),
        *("CHILD", "KID", "ADULT", "AGED", "FUTURE", "PAST", "GHOST", "FAKE", "EVIL"),
    ]
)
_ARTICLES = frozenset(["THE", "A", "AN"])
_FEMALE_TITLES = frozenset(["MRS", "MS", "MISS", "MADAME", "MADAM", "LADY", "QUEEN", "SISTER"])
_MALE_TITLES = frozenset(["MR", "SIR", "LORD", "KING", "FATHER", "BROTHER"])
_SHORT_TITLES = frozenset(title.strip(".").upper() for title in TITLES) | {"REV", "CHIEF"}


@dataclass(frozen=True, slots=True)
class Name:
    """`tokens`: what is left of a name without title, age, number and voice; `apart`: what
    makes it another person than the bare name. `joint` holds the names of several people.
    `role`: called with an article (THE GUARD), or only as a kind of voice.
    """

    raw: str
    tokens: tuple[str, ...]
    title: str = ""
    apart: tuple[str, ...] = ()
    numbered: bool = False
    joint: tuple[str, ...] = ()
    role: bool = False

    @property
    def letters(self) -> str:
        """Letters and digits alone: "K.L.D" and "KLD", "ORSO LYA" and "ORSOLYA" are one."""
        return re.sub(r"[\W_]", "", "".join(self.tokens))

    @property
    def gender(self) -> str:
        """What the title tells: "m", "f" or ""."""
        if self.title in _FEMALE_TITLES:
            return "f"
        return "m" if self.title in _MALE_TITLES else ""


def parse_person(raw: str) -> Name:
    """Take a character's name apart."""
    upper = " ".join(raw.upper().replace("_", " ").split())
    voice = _VOICE.search(upper)
    upper = _LINE_NUMBER.sub("", _VOICE_OF.sub("", _VOICE.sub("", upper))) or upper
    joint = _people_of(upper)
    if len(joint) > 1:
        return Name(raw, tuple(upper.split()), joint=joint)
    # An impostor is written in quotes beside the real one.
    quoted = _QUOTED.match(upper)
    words = [word.strip('.,:;"\u201c\u201d*') for word in upper.split()]
    bare = [word for word in words if word and word not in _ARTICLES] or words
    is_role = len(bare) < len([w for w in words if w]) or _is_kind_of_voice(voice)
    title = bare[0] if len(bare) > 1 and bare[0] in _SHORT_TITLES else ""
    rest = bare[1:] if title else bare
    numbers = [
        w.lstrip("#") for w in rest if _NUMBER.match(w) or (w in _NUMBER_WORDS and len(rest) > 1)
    ]
    ages = [w for w in rest[:-1] if w in _AGES or "-YEAR-OLD" in w]
    tokens = tuple(word for word in rest if word.lstrip("#") not in numbers and word not in ages)
    apart = (*ages, *numbers, *(['"'] if quoted else []))
    return Name(raw, tokens or tuple(rest), title, apart, bool(numbers), role=is_role)


def _people_of(upper: str) -> tuple[str, ...]:
    """ "RICK, ILSA AND SAM" are three; "HOLLOWAY, JR." is one."""
    parts = [part for part in _JOINT.split(upper) if part]
    if len(parts) > 1:
        parts = [name.strip() for part in parts for name in part.split(",") if name.strip()]
    return tuple(parts)


def _is_kind_of_voice(voice: re.Match[str] | None) -> bool:
    """A CREAKY VOICE, not RICK'S VOICE."""
    return voice is not None and "VOICE" in voice.group() and not voice["whose"]
