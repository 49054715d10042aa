"""Writes the screenplay of a plot, in Fountain or in the studio's typewriter layout."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field

from callsheet.theatre.stage.plot import Deed, Line, Plot, Scene


def write_fountain(plot: Plot) -> str:
    """Fountain text: headings, descriptions, cues; emphasis and notes as writers use them."""
    parts = [f"Title: {plot.title}\nCredit: written by\nAuthor: The Plot Generator\n"]
    introduced: set[int] = set()
    for number, scene in enumerate(plot.scenes):
        parts.append(scene.heading)
        parts.extend(_fountain_beats(plot, scene, introduced))
        if number % 3 == 2:
            parts.append("CUT TO:")
    return "\n\n".join([*parts, "> THE END <"]) + "\n"


def _fountain_beats(plot: Plot, scene: Scene, introduced: set[int]) -> list[str]:
    out = [_introduction(plot, scene, introduced)]
    for beat in scene.beats:
        if isinstance(beat, Line):
            mark = f"\n({beat.parenthetical})" if beat.parenthetical else ""
            out.append(f"{_cue(plot, beat)}{mark}\n{beat.text}")
        else:
            out.append(beat.sentence or "")
    return [part for part in out if part]


def _cue(plot: Plot, line: Line) -> str:
    name = str(plot.company[line.speaker].name).upper()
    return f"{name} (O.S.)" if line.off else name


def _introduction(plot: Plot, scene: Scene, introduced: set[int]) -> str:
    """Whoever is new gets a sentence with the full name, in capitals, as scripts do."""
    fresh = [p for p in scene.present if p not in introduced]
    introduced.update(fresh)
    sentences = []
    for p in fresh:
        person = plot.company[p]
        name = f"{person.name} {person.surname}".upper()
        age = f"{20 + int(50 * person.look.age) // 10 * 10}s"
        kind = "woman" if person.woman else "man"
        sentences.append(f"{name}, a {kind} in {'her' if person.woman else 'his'} {age}.")
    return " ".join(sentences)


@dataclass(slots=True)
class _Page:
    """Lines of a typewritten script, with page numbers and (CONTINUED) marks."""

    lines: list[str] = field(default_factory=list)
    page: int = 1
    used: int = 0

    def put(self, text: str, indent: int, width: int) -> None:
        wrapped = textwrap.wrap(text, width) or [""]
        if self.used + len(wrapped) + 1 > 52:
            self.page += 1
            self.lines += ["", " " * 56 + f"{self.page}.", ""]
            self.used = 0
        self.lines += [" " * indent + line for line in wrapped]
        self.used += len(wrapped)

    def gap(self) -> None:
        self.lines.append("")
        self.used += 1


def write_studio(plot: Plot) -> str:
    """Typewriter layout: numbered scenes, indented cues and speech, page numbers."""
    page = _Page(
        [" " * 20 + plot.title.upper(), "", " " * 20 + "Written by the plot generator", "", ""]
    )
    introduced: set[int] = set()
    page.put("FADE IN:", 15, 60)
    page.gap()
    for number, scene in enumerate(plot.scenes, start=1):
        page.put(f"{number:<5}{scene.heading}", 10, 65)
        page.gap()
        _studio_beats(page, plot, scene, introduced)
    page.put("FADE OUT.", 55, 20)
    return "\n".join(page.lines) + "\n"


def _studio_beats(page: _Page, plot: Plot, scene: Scene, introduced: set[int]) -> None:
    if introduction := _introduction(plot, scene, introduced):
        page.put(introduction, 15, 58)
        page.gap()
    for beat in scene.beats:
        if isinstance(beat, Line):
            page.put(_cue(plot, beat), 37, 30)
            if beat.parenthetical:
                page.put(f"({beat.parenthetical})", 31, 25)
            page.put(beat.text, 25, 35)
            page.gap()
        elif beat.sentence:
            page.put(beat.sentence, 15, 58)
            page.gap()


def told_count(plot: Plot) -> int:
    """How many of the played actions the script describes."""
    beats = [beat for scene in plot.scenes for beat in scene.beats]
    return sum(isinstance(beat, Deed) and beat.sentence is not None for beat in beats)
