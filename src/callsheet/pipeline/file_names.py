"""What a file's name says: its words and title, the film it fits, the language it is in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

Words = tuple[str, ...]

_LANGUAGE_WORDS = """
af sq ar hy az eu be bn bs bg ca zh hr cs da nl en et fi fr gl ka de el he hi hu is id ga it ja
kk ko ku lv lt mk ms mt mn ne nb nn no fa pl pt pa ro ru sr si sk sl es sw sv ta te th tr uk ur
uz vi cy yi afr alb sqi ara arm hye aze baq eus bel ben bos bul cat chi zho hrv cze ces dan dut
nld eng est fin fre fra glg geo kat ger deu gre ell heb hin hun ice isl ind gle ita jpn kaz kor
kur lav lit mac mkd may msa mlt mon nep nob nno nor per fas pol por rum ron rus srp slo slk slv
spa swa swe tam tel tha tur ukr urd uzb vie wel cym yid arabic bulgarian chinese croatian czech
danish dutch english estonian finnish french german greek hebrew hindi hungarian icelandic
indonesian italian japanese korean latvian lithuanian norwegian persian polish portuguese
romanian russian serbian slovak slovenian spanish swedish thai turkish ukrainian vietnamese
"""
# ISO 639-1 and 639-2 of the languages that subtitles come in, and their English names.
LANGUAGES = frozenset(_LANGUAGE_WORDS.split())
ENGLISH = frozenset({"en", "eng", "english"})
_MARKS = frozenset({"forced", "sdh", "cc", "default", "full"})
_REGION = re.compile(r"[a-z]{2,3}-([a-z]{2}|hans|hant|\d{3})")

_SCRIPT_WORD = re.compile(r"(?<![^\W_])(screenplay|transcript|script)(?![^\W_])", re.IGNORECASE)
_NOTE_WORDS = frozenset({"readme", "license", "licence", "licenses", "licences", "note", "notes"})
_RELEASE = re.compile(
    r"(19|20)\d\d|\d{3,4}[ip]|[48]k|uhd|hdr|hdtv|(web|br|bd|dvd)(rip|dl)?|bluray|remux|[xh]26[45]"
    r"|hevc|av1|xvid|divx"
)
_NUMBER = re.compile(r"(?!(19|20)\d\d)\d+|[ivx]+")


def words_of(name: str) -> Words:
    """The words of a name, whatever stands between them and however they are written."""
    return tuple(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", name).casefold()))


def title(words: Words) -> Words:
    """Without what releases append: year, size, source, codec and all that follows."""
    for place, word in enumerate(words[1:], start=1):
        if _RELEASE.fullmatch(word):
            return words[:place]
    return words


def is_script(path: Path) -> bool:
    """Whether the name says that it is a screenplay."""
    return _SCRIPT_WORD.search(path.stem) is not None


def without_script_word(path: Path) -> str:
    """The name of a text without "script", "screenplay" or "transcript"."""
    return _SCRIPT_WORD.sub("", path.stem).strip(" _-.") or path.stem


def without_language(path: Path) -> str:
    """The name of subtitles without the languages and marks at its end."""
    parts = path.stem.split(".")
    return ".".join(parts[: len(parts) - len(_tags(path))])


def fit(film: str, text: Path) -> tuple[int, int] | None:
    """How well a text's name fits a film's (None: not at all): the whole name before its title.

    "alien script.pdf" fits "alien"; "alien 3.srt" does not: a number tells a sequel.
    """
    whole = words_of(film)
    for rank, words in ((2, whole), (1, title(whole))):
        for name in (text.stem, without_script_word(text)):
            said = words_of(name)
            rest = said[len(words) :]
            if said[: len(words)] == words and not (rest and _NUMBER.fullmatch(rest[0])):
                return rank, len(words)
    return None


def is_note(path: Path, bearers: Iterable[Words]) -> bool:
    """Whether a text calls itself notes, a licence, ... by a word that is not of its film's name.

    "Notes on a Scandal.txt" beside the video of that name is a screenplay, "alien notes.txt" is
    none.
    """
    said = words_of(path.stem)
    covered = max((len(b) for b in bearers if b and said[: len(b)] == b), default=0)
    return not _NOTE_WORDS.isdisjoint(said[covered:])


def language_rank(path: Path, beside: Iterable[Path]) -> int:
    """0: no language in the name of these subtitles, 1: English, 2: another, 3: only parts of it.

    What the other files of the film bear too is the film's name and no tag: "Let.It.Be.srt".
    """
    said = words_of(path.stem)
    others = [words_of(p.stem) for p in beside if p != path]
    if any(other[: len(said)] == said for other in others):
        return 0
    shared = max((len(o) for o in others if o and said[: len(o)] == o), default=0)
    tags = set(said[shared:]) if shared else {w for t in _tags(path) for w in t.split("-")}
    if "forced" in tags:
        return 3
    return 1 if tags & ENGLISH else 2 if tags & LANGUAGES else 0


def _tags(path: Path) -> list[str]:
    """The languages and marks that stand behind dots at the end of a name, never all of it."""
    tags: list[str] = []
    for part in reversed(path.stem.lower().split(".")[1:]):
        region = _REGION.fullmatch(part)
        if part not in LANGUAGES | _MARKS and not (region and part.split("-")[0] in LANGUAGES):
            break
        tags.append(part)
    return tags
