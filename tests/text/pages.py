"""A screenplay of our own, and ways to put it on a page, for the tests of the readers."""

from __future__ import annotations

from collections.abc import Sequence

Piece = tuple[str, str]
"""Tag (S N C D E T) and words."""

STORY: list[Piece] = [
    ("S", "INT. LIGHTHOUSE - LAMP ROOM - NIGHT"),
    ("N", "Rain beats against the glass. MARTHA, sixty, wipes the great lens with a rag and looks"
          " out at the black water below. A bell rings somewhere. She stops and listens."),
    ("C", "MARTHA"),
    ("D", "Do you hear that? I told you there was somebody out on the rocks tonight."),
    ("C", "TOMAS (O.S.)"),
    ("E", "(from the stairs)"),
    ("D", "It's only the wind, mother. Come down and eat your soup before it's cold."),
    ("N", "Martha shakes her head and takes the lantern from its hook."),
    ("C", "MARTHA"),
    ("D", "You always say that. You said it when your father went, too."),
    ("T", "CUT TO:"),
    ("S", "EXT. ROCKS - CONTINUOUS"),
    ("N", "Tomas climbs over the wet stones with a rope on his shoulder. A wave knocks him down."),
    ("N", "He stands up again, and sees a hand."),
    ("C", "TOMAS"),
    ("D", "Hold on! I've got you, don't let go of me!"),
    ("C", "STRANGER"),
    ("D", "My boat... my brother is still in the boat."),
    ("N", "Tomas pulls the man out of the foam and looks past him at the broken hull."),
    ("C", "TOMAS"),
    ("E", "(shouting)"),
    ("D", "Mother! Bring the light, there's another one!"),
    ("S", "INT. LIGHTHOUSE - KITCHEN - LATER"),
    ("N", "The stranger sits by the stove, wrapped in a blanket. Martha pours tea into a cup."),
    ("C", "MARTHA"),
    ("D", "Drink this. You'll stay here until the road is open. We have a bed upstairs."),
    ("C", "STRANGER"),
    ("D", "I can't pay you for it. I lost everything I had."),
    ("C", "MARTHA"),
    ("D", "Nobody asked you to pay. What is your name?"),
    ("N", "The stranger looks into the fire. Tomas leans against the door and watches him."),
    ("C", "STRANGER"),
    ("E", "(after a while)"),
    ("D", "You wouldn't believe me if I told you."),
    ("T", "FADE OUT."),
]  # fmt: skip

WIDTHS = {"S": 60, "N": 60, "C": 40, "D": 35, "E": 25, "T": 20}


def typed(
    story: Sequence[Piece], indents: dict[str, int], *, blank: str = "SNCT"
) -> tuple[list[str], list[str]]:
    """Lines as typed, and the tag of each ("" for blank lines); a blank line before the tags
    in `blank`."""
    lines: list[str] = []
    tags: list[str] = []
    for tag, words in story:
        if tag in blank and lines:
            lines.append("")
            tags.append("")
        for line in _wrapped(words, WIDTHS[tag]):
            lines.append(" " * indents[tag] + line)
            tags.append(tag)
    return lines, tags


def _wrapped(words: str, width: int) -> list[str]:
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def small_pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """A PDF with a text layer: Courier 12, one line of text an object of the page."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b"",
                            b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier"
                            b" /Encoding /WinAnsiEncoding >>"]  # fmt: skip
    kids = []
    for lines in pages:
        stream = b"BT /F1 12 Tf\n" + b"\n".join(map(_shown, range(len(lines)), lines)) + b"\nET"
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R"
            b" /Resources << /Font << /F1 3 0 R >> >> >>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(kids))
    return _bound(objects)


def _shown(row: int, line: str) -> bytes:
    words = line.lstrip()
    x, y = 72 + 7.2 * (len(line) - len(words)), 720 - 12 * row
    escaped = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"1 0 0 1 {x:.1f} {y} Tm ({escaped}) Tj".encode("latin-1")


def _bound(objects: Sequence[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\n" % (len(objects) + 1)
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % start)
