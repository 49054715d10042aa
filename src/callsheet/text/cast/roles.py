"""Which characters are extras or groups: named by what they are, by a number, or as many."""

from __future__ import annotations

from callsheet.text.cast.names import Name
from callsheet.text.grammar.lexicon import given_names, person_nouns

_GROUPS = frozenset(
    [
        *("ALL", "BOTH", "EVERYONE", "EVERYBODY", "OTHERS", "PEOPLE", "CROWD", "MOB", "GROUP"),
        *("MEN", "WOMEN", "CHILDREN", "POLICE", "POLICEMEN", "FIREMEN", "TWINS", "AUDIENCE"),
        *("CHORUS", "CHOIR", "ENSEMBLE", "GANG", "TEAM", "CREW", "FAMILY", "CLASS", "VOICES"),
        *("VARIOUS", "SEVERAL", "SOMEONE", "SOMEBODY", "COPS", "GUESTS", "PATRONS"),
    ]
)
_NOBODY = frozenset(
    [
        *("VOICE", "VOICEOVER", "RADIO", "TV", "TELEVISION", "COMPUTER", "MACHINE", "NARRATOR"),
        *("INTERCOM", "RECORDING", "SPEAKER", "CAPTION", "TITLE", "SUPER", "ANCHORWOMAN"),
        *("ANCHOR", "INTERVIEWER", "TECH", "LEADER", "MALE", "FEMALE"),
        *("SERVER", "EMT", "PROPRIETOR", "NOBODY"),
    ]
)
"""Who is nobody, beside the nouns of `resources/person_nouns.csv`: things that speak, and
words for persons that have other meanings."""
_RELATIVES = frozenset(
    [
        *("MOTHER", "MOM", "MUM", "MAMMA", "MAMA", "MOMMY", "FATHER", "DAD", "DADDY", "PAPA"),
        *("GRANDMOTHER", "GRANDFATHER", "GRANDMA", "GRANDPA", "BROTHER", "SISTER", "UNCLE"),
        *("AUNT", "SON", "DAUGHTER", "WIFE", "HUSBAND", "FATHER-IN-LAW", "MOTHER-IN-LAW"),
    ]
)
"""Somebody's: there is one of them in a film, like a name."""

_PRINCIPAL_LINES = 15
_PRINCIPAL_SHARE = 0.02
"""Whoever speaks this much is no extra, whatever the script calls him (THE KID, DRIVER)..."""
_ANYBODY = frozenset(["MAN", "WOMAN", "GUY", "VOICE", "MALE", "FEMALE", "PERSON"])
_ANYBODY_SHARE = 0.08
"""...but MAN is another man in every scene, unless he speaks all the time."""


def is_background(name: Name, *, lines: int, all_lines: int, with_article: bool = False) -> bool:
    """Whether a character is an extra or a group.

    `with_article`: the descriptions say "the X", as of a role, not "X", as of a name.
    """
    if name.joint or is_group(name):
        return True
    generic = is_generic(name)
    if name.numbered and generic:
        return True
    anybody = all(token in _ANYBODY for token in name.tokens)
    least = max(_PRINCIPAL_LINES, all_lines * (_ANYBODY_SHARE if anybody else _PRINCIPAL_SHARE))
    return lines < least and (generic or _is_only_a_role(name, with_article=with_article))


def is_group(name: Name) -> bool:
    """CROWD, POLICEMEN, THE REPORTERS, SEVERAL VILLAGERS."""
    if not name.tokens:
        return False
    head = name.tokens[-1]
    if head in _GROUPS or name.tokens[0] in ("SEVERAL", "VARIOUS", "OTHER", "ALL"):
        return True
    return _singular(head) != head and is_role(_singular(head)) and not is_role(head)


def is_role(word: str) -> bool:
    """Whether a word says what somebody is, not who: COP, WAITRESS, STRANGER."""
    lower = word.lower()
    return lower in person_nouns() or word in _NOBODY or word in _GROUPS


def is_generic(name: Name) -> bool:
    """MAN, FAT MAN, COP, DESK SERGEANT, VARGA'S AIDE, WOMAN IN RED, ONE OF THE GUYS: a role."""
    if name.title and name.tokens:
        # "DETECTIVE" alone is a role and so is "AGENT" before another; "DR. VOSS" is a name.
        return all(is_role(token) for token in name.tokens)
    head = _head(name.tokens)
    if head in _RELATIVES and len(name.tokens) == 1:
        return False
    named = any(token.lower() in given_names() for token in name.tokens if token != head)
    return is_role(head) and not named


def _is_only_a_role(name: Name, *, with_article: bool) -> bool:
    """THE APPRAISER, A CREAKY VOICE, or somebody the descriptions call "the appraiser"."""
    named = any(token.lower() in given_names() for token in name.tokens)
    return (name.role or with_article) and not named and not name.title


def _head(tokens: tuple[str, ...]) -> str:
    """The noun that a role stands for: MAN in MAN IN LONG RAINCOAT, else the last word."""
    for place, token in enumerate(tokens):
        if place and token in ("IN", "WITH", "ON", "FROM", "OF", "AT", "BEHIND"):
            return tokens[place - 1]
    return tokens[-1] if tokens else ""


def _singular(word: str) -> str:
    if word.endswith("MEN") and len(word) > 4:
        return word[:-3] + "MAN"
    if word.endswith("IES") and len(word) > 5:
        return word[:-3] + "Y"
    return word[:-1] if word.endswith("S") and len(word) > 3 and word[-2] != "S" else word
