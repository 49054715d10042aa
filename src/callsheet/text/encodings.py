"""Text files as they are found: any encoding, any line end, and clear words for what is no text.

UTF-8 (with or without its mark) and UTF-16/32 with a mark are tried first; then
charset-normalizer guesses from a part of the file.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

from callsheet.errors import InputError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_GUESS_BYTES = 1 << 16
"""charset-normalizer tries some ninety encodings: a part of a long file is enough."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_BINARY_SHARE = 0.02


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text, the encoding it was read with, and warnings (whole sentences)."""

    text: str
    encoding: str
    warnings: tuple[str, ...] = ()


def read_text(path: Path) -> Decoded:
    """Read a text file of unknown encoding; empty and binary files are refused."""
    raw = read_bytes(path)
    decoded = decode(raw, name=path.name)
    if not decoded.text.strip():
        raise InputError(f"{path.name} holds nothing but white space", path=str(path))
    return decoded


def read_bytes(path: Path) -> bytes:
    """Read a file that must hold something."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot read {path}: {error.strerror or error}", path=str(path)
        ) from error
    if not raw:
        raise InputError(f"{path.name} is empty", path=str(path))
    return raw


def decode(raw: bytes, *, name: str) -> Decoded:
    """Decode bytes; `name` is said in errors."""
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return _checked(raw.decode(encoding, errors="replace"), encoding, name=name)
    if wide := _utf16_without_mark(raw):
        return _checked(raw.decode(wide, errors="replace"), wide, name=name)
    try:
        return _checked(raw.decode("utf-8"), "utf-8", name=name)
    except UnicodeDecodeError:
        return _guessed(raw, name=name)


def split_lines(text: str) -> list[str]:
    """Split at line ends only: form feeds and exotic separators stay within their line,
    so that line numbers are those every editor shows."""
    lines = _LINE_END.split(text)
    if lines[-1] == "":
        lines.pop()
    return lines


def _guessed(raw: bytes, *, name: str) -> Decoded:
    from charset_normalizer import from_bytes

    if raw.count(b"\0") > _BINARY_SHARE * len(raw):
        raise _binary(name)
    encoding = _western(raw)
    if not encoding:
        match = from_bytes(_telling_part(raw)).best()
        encoding = match.encoding if match is not None else "cp1252"
    text = raw.decode(encoding, errors="replace")
    warning = f"{name} is not UTF-8; it was read as {encoding}"
    return _checked(text, encoding, name=name, warnings=(warning,))


_WESTERN = frozenset(
    "\u2018\u2019\u201c\u201d\u2013\u2014\u2026\u2022\u2122\u20ac\xa0\xa3\xa9\xae\xb0\xbd\xbf\xa1\xb4\xb7\xab\xbb"
    "\u0152\u0153\u0160\u0161\u0178"
) | frozenset(
    chr(code) for code in range(0xC0, 0x100) if chr(code) not in "\xd7\xf7\xd0\xf0\xde\xfe"
)
_MAC_QUOTES = re.compile(rb"[A-Za-z]\xd5[a-z]|\xd2[A-Z][^\xd2]{0,300}?[.,!?]\xd3(?=\s)")
"""Curly quotes of old Macintosh files, which elsewhere would be a capital letter in a word."""
_FOREIGN_SHARE = 0.05


def _western(raw: bytes) -> str:
    """The encoding of a file whose few bytes that are not ASCII are the quotes, dashes and
    letters of western Windows or Macintosh files; they are too few for a guess from statistics,
    which likes rarer alphabets. Empty where they are none of these."""
    foreign = bytes(byte for byte in raw if byte > 127)
    if len(foreign) > _FOREIGN_SHARE * len(raw):
        return ""
    if _MAC_QUOTES.search(raw):
        return "mac_roman"
    shown = set(foreign.decode("cp1252", errors="replace"))
    return "cp1252" if shown <= _WESTERN else ""


def _telling_part(raw: bytes) -> bytes:
    """The part around the first byte that is not ASCII, where encodings differ."""
    first = next((i for i, byte in enumerate(raw) if byte > 127), 0)
    start = max(0, first - _GUESS_BYTES // 2) & ~3
    return raw[start : start + _GUESS_BYTES]


def _utf16_without_mark(raw: bytes) -> str | None:
    """UTF-16 of western text has a zero in every second byte, and hardly one in the others."""
    sample = raw[: _GUESS_BYTES & ~1]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if max(even, odd) < 0.3 * len(sample) / 2 or max(even, odd) < 10 * min(even, odd):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _checked(text: str, encoding: str, *, name: str, warnings: tuple[str, ...] = ()) -> Decoded:
    if len(_UNPRINTABLE.findall(text)) > _BINARY_SHARE * len(text):
        raise _binary(name)
    return Decoded(_UNPRINTABLE.sub(" ", text), encoding, warnings)


def _binary(name: str) -> InputError:
    return InputError(f"{name} is not text (it is full of unprintable bytes); give a text file")
