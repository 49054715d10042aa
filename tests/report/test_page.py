"""The pages: complete in one file, safe with hostile text, alive in a real browser."""

import json
import re
import shutil
import subprocess
from colorsys import hls_to_rgb
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from callsheet.report import make_report
from callsheet.report.page import write
from callsheet.report.page.gather import FilmPage
from callsheet.report.page.render import _counted, clock, film_file
from callsheet.store import SCHEMAS, Manifest, write_manifest, write_rows
from made_film import write_crowd

Array = NDArray[Any]

VOID = {"meta", "link", "img", "br", "input", "hr"}
QUOTE = '"'
HOSTILE = '</script><script>alert("x")</script><!-- <b>bold</b> & "quoted"'


class Balanced(HTMLParser):
    """Fails on elements that are not closed in order; collects what is loaded from outside."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.outside: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name in ("src", "href") and value and not value.startswith(("data:", "#")):
                self.outside.append(value)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"closes {tag}, which is not open"
        assert self.open.pop() == tag


@pytest.fixture
def report(film_folder: Path) -> Path:
    claim = {"evidence": 0, "kind": "mention", "start": 0.0, "end": 1.0, "person": "RICK BLAINE",
             "action": None, "source_line": 7, "rule": "name", "confidence": 0.9}  # fmt: skip
    write_rows(film_folder / "evidence.parquet", SCHEMAS["evidence"], [claim | {"text": HOSTILE}])
    said = [("heading", "INT. CAFE"), ("dialogue", HOSTILE), ("description", "cut from the film")]
    write_rows(film_folder / "elements.parquet", SCHEMAS["elements"],
               [{"element": i, "kind": kind, "text": text, "first_line": i + 1, "last_line": i + 1,
                 "scene": 0, "speaker": None, "extension": None}
                for i, (kind, text) in enumerate(said)])  # fmt: skip
    write_rows(film_folder / "alignment.parquet", SCHEMAS["alignment"],
               [{"element": i, "start": i * 1.0, "end": i + 1.0, "confidence": 0.5}
                for i in (0, 1)])  # fmt: skip
    films = [("casablanca", film_folder), ("lost film", film_folder.parent / "lost")]
    make_report(films, film_folder.parent)
    return film_folder.parent / "report"


def parsed(path: Path) -> Balanced:
    parser = Balanced()
    parser.feed(path.read_text(encoding="utf-8"))
    parser.close()
    assert parser.open == []
    return parser


def test_pages_are_whole_and_need_no_other_file(report: Path) -> None:
    film = parsed(report / "film-casablanca.html")
    assert film.outside == ["index.html"]
    assert film.scripts == 2
    assert parsed(report / "index.html").outside == ["film-casablanca.html"] * 2


def test_what_is_known_is_told_as_text(report: Path) -> None:
    text = (report / "film-casablanca.html").read_text(encoding="utf-8")
    assert "<b>RICK BLAINE</b>" in text
    assert "ILSA &lt;3 &amp; co" in text
    escaped = HOSTILE.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert f'<td class="words">{escaped.replace(QUOTE, "&#34;")}</td>' in text
    assert HOSTILE not in text
    assert '<tr class="description cut">' in text  # the alignment did not find it
    library = (report / "index.html").read_text(encoding="utf-8")
    assert "lost film" in library
    assert "not labelled: no video, or not run yet" in library


def test_what_the_drawing_reads_is_all_there(report: Path) -> None:
    text = (report / "film-casablanca.html").read_text(encoding="utf-8")
    (block,) = re.findall(r'<script type="application/json" id="sheet">(.*?)</script>', text)
    sheet = json.loads(block)
    assert sheet["evidence"] == {"0": {"line": 7, "text": HOSTILE, "kind": "mention"}}
    assert sheet["lanes"] == ["ILSA <3 & co", "RICK BLAINE"]
    marks = {mark["i"]: (mark["l"], mark["a"], mark["r"]) for mark in sheet["tracks"]}
    assert marks == {1: (1, "Kiss", [0]), 2: (0, None, [0]), 3: (-1, None, [0])}


def test_file_names_are_safe() -> None:
    assert film_file("film-01") == "film-film-01.html"
    assert re.fullmatch(r"film-a_\.\._b_c_-[0-9a-f]{8}\.html", film_file("a/../b c?"))
    names = ["a b", "a_b", "a/b", "x" * 70, "x" * 80]
    assert len({film_file(name) for name in names}) == len(names)
    assert len(film_file("é" * 200).encode()) < 255


def test_times_and_numbers_are_told_as_people_say_them() -> None:
    assert clock(3723.46) == "1:02:03.5"
    assert clock(59.97) == "0:01:00.0"  # no minute has sixty seconds
    assert [_counted(n, "line") for n in (0, 1, 2)] == ["0 lines", "1 line", "2 lines"]


def test_failures_are_told_and_a_refused_script_is_no_missing_one(
    film_folder: Path, tmp_path: Path
) -> None:
    why = "hardly any of the script is heard; or lower alignment.refuse_below"
    (film_folder / "align.failure.txt").write_text(why + "\n")
    (film_folder.parent / "actions.failure.txt").write_text("no film <teaches> actions\n")
    make_report([("casablanca", film_folder)], tmp_path)
    film = (tmp_path / "report" / "film-casablanca.html").read_text(encoding="utf-8")
    assert f"<li>align: {why}</li>" in film
    assert "<b>refused</b><span>script" in film
    library = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "<td>refused</td>" in library
    assert "<li>actions: no film &lt;teaches&gt; actions</li>" in library


SIGNATURE = "name-accuracy|tracks:13|" + "match:boxes(iou>=0.5)|" * 8 + "callsheet:0.1.0"


@pytest.fixture
def judged(film_folder: Path) -> Path:
    """The page of a film whose truth is known, with many people."""
    names = ["background", *(f"PERSON NUMBER {n}" for n in range(12))]
    rows = [{"name": name, "counts": [0] * 13} for name in names]
    line = f"{'name accuracy':28}  0.923  [0.769, 1.000]  {SIGNATURE}"
    section = {
        "lines": [line],
        "curves": [{"name": "names", "recall": [0.1, 0.9], "precision": [1.0, 0.8]}],
        "confusion": {"names": [*names, "abstained"], "rows": rows},
    }
    (film_folder / "truth_section.json").write_text(json.dumps(section))
    make_report([("casablanca", film_folder)], film_folder.parent)
    return film_folder.parent / "report" / "film-casablanca.html"


def test_a_measure_is_told_before_how_it_was_measured(judged: Path) -> None:
    parsed(judged)
    text = judged.read_text(encoding="utf-8")
    signature = SIGNATURE.replace(">", "&gt;")
    assert f'<li>name accuracy 0.923 [0.769, 1.000] <span class="faint">{signature}<' in text


def test_a_warning_of_several_stages_is_told_once(film_folder: Path, tmp_path: Path) -> None:
    for stage, told in (("shots", "breaks off"), ("tracks", "breaks off"), ("cast", "odd")):
        manifest = Manifest(stage, {}, {}, {}, 0, warnings=[told])
        write_manifest(film_folder / f"{stage}.manifest.json", manifest)
    make_report([("casablanca", film_folder)], tmp_path)
    page = (tmp_path / "report" / "film-casablanca.html").read_text(encoding="utf-8")
    assert "<li>cast: odd</li><li>shots, tracks: breaks off</li>" in page


def test_a_script_without_subtitles_is_no_missing_one(report: Path, film_folder: Path) -> None:
    assert "<b>not aligned</b><span>script" in (report / "film-casablanca.html").read_text()
    (film_folder / "elements.parquet").unlink()
    make_report([("casablanca", film_folder)], film_folder.parent)
    assert "<b>no script</b><span>script" in (report / "film-casablanca.html").read_text()


def test_a_damaged_truth_section_costs_only_itself(film_folder: Path, tmp_path: Path) -> None:
    (film_folder / "truth_section.json").write_text('{"curves": [')
    assert make_report([("casablanca", film_folder)], tmp_path).summary["pages"] == 2
    film = (tmp_path / "report" / "film-casablanca.html").read_text(encoding="utf-8")
    assert "truth_section.json is damaged (JSONDecodeError" in film
    assert "RICK BLAINE" in film


def test_one_odd_film_does_not_cost_the_others_their_pages(
    film_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for odd in ("damaged", "buggy"):
        shutil.copytree(film_folder, film_folder.parent / odd)
    (film_folder.parent / "damaged" / "boxes.parquet").write_bytes(b"no table")
    gathered = write.gather

    def gather(film: str, folder: Path) -> FilmPage:
        if film == "buggy":
            raise ZeroDivisionError("division by zero")
        return gathered(film, folder)

    monkeypatch.setattr(write, "gather", gather)
    films = [(name, film_folder.parent / name) for name in ("damaged", "buggy", "casablanca")]
    result = make_report(films, tmp_path)
    assert result.summary["pages"] == 2
    assert [w.split(":")[0] for w in result.warnings] == ["damaged", "buggy"]
    library = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "boxes.parquet is truncated or not a Parquet file" in library
    assert "unexpected ZeroDivisionError: division by zero" in library


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def browse(page: Path, folder: Path, *what: str) -> "subprocess.CompletedProcess[str]":
    command = [
        str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
        "--no-first-run", "--disable-background-networking", "--disable-component-update",
        "--disable-sync", f"--user-data-dir={folder / 'profile'}", "--window-size=1200,1600",
        "--enable-logging=stderr", "--virtual-time-budget=2000", *what, page.as_uri(),
    ]  # fmt: skip
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "CONSOLE" not in result.stderr
    return result


in_a_browser = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not here: apt-get install chromium (docs/install.md)"
)


def looked_at(page: Path, folder: Path, scheme: str) -> Array:
    """A screenshot of a page in a colour scheme, red, green and blue from 0 to 255."""
    import cv2

    shot = folder / f"{scheme}.png"
    dark = f"--blink-settings=preferredColorScheme={['dark', 'light'].index(scheme)}"
    browse(page, folder, dark, f"--screenshot={shot}")
    picture = cv2.imread(str(shot))
    assert picture is not None
    return np.asarray(picture)[:, :, ::-1].astype(int)


def colours_of(scheme: str) -> dict[str, Array]:
    """The colours that the style sheet names, by scheme."""
    style = files("callsheet.report.page") / "templates" / "style.css"
    light, dark = re.findall(r":root {(.*?)}", style.read_text(encoding="utf-8"), re.DOTALL)
    named = re.findall(r"--([a-z]+): #([0-9a-f]{3,6});", dark if scheme == "dark" else light)
    return {name: rgb(digits) for name, digits in named}


def rgb(digits: str) -> Array:
    digits = digits if len(digits) == 6 else "".join(2 * d for d in digits)
    return np.array([int(digits[i : i + 2], 16) for i in (0, 2, 4)])


def share_of(picture: Array, colour: Array) -> float:
    return float((np.abs(picture - colour).max(axis=2) <= 3).mean())


@in_a_browser
@pytest.mark.parametrize("page", ["film-casablanca.html", "index.html"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_a_browser_in_its_colours_without_script_errors(
    report: Path, tmp_path: Path, page: str, scheme: str
) -> None:
    picture, colours = looked_at(report / page, tmp_path, scheme), colours_of(scheme)
    assert picture.shape == (1600, 1200, 3)
    assert share_of(picture, colours["paper"]) > 0.5
    assert share_of(picture, colours["ink"]) > 0.0005  # text that can be read
    if page != "index.html":  # ILSA is seen for 3 of 4 seconds, drawn over the whole width
        assert share_of(picture, lane_colour(0, 0.75, colours["card"])) > 0.003


def lane_colour(lane: int, score: float, paper: Array) -> Array:
    """As the page draws it: paler where it is less sure."""
    red, green, blue = hls_to_rgb(lane * 137.5 % 360 / 360, 0.5, 0.45)
    strength = 0.45 + 0.55 * score
    return strength * np.array([red, green, blue]) * 255 + (1 - strength) * paper


MANY = 10_000


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a film of two hours with ten thousand tracks of forty people."""
    folder = tmp_path_factory.mktemp("crowd") / "crowd"
    write_crowd(folder, tracks=MANY, people=40)
    assert make_report([("crowd", folder)], folder.parent).warnings == ()
    return folder.parent / "report" / "film-crowd.html"


def test_a_page_of_ten_thousand_tracks_is_small_enough_to_send(crowd: Path) -> None:
    assert crowd.stat().st_size < 150 * MANY
    assert f"All {MANY} tracks as a table" in crowd.read_text(encoding="utf-8")


@in_a_browser
def test_ten_thousand_tracks_are_drawn_and_told(crowd: Path, tmp_path: Path) -> None:
    picture, colours = looked_at(crowd, tmp_path, "light"), colours_of("light")
    for lane in (0, 20, 38):
        assert share_of(picture, lane_colour(lane, 0.75, colours["card"])) > 0.0005
    page = tmp_path / "used.html"
    page.write_text(crowd.read_text(encoding="utf-8").replace("</body>", USE + "</body>"))
    seen = browse(page, tmp_path, "--dump-dom").stdout
    table = seen.partition('<details id="all"')[2].partition("</tbody>")[0]
    assert table.count("<tr>") == 1 + 500  # a head, and the first of many


USE = """<script>
const lanes = document.getElementById("lanes");
document.querySelectorAll("[data-act], [data-time]").forEach((b) => b.click());
for (const key of ["+", "-", "ArrowLeft", "ArrowRight", "Home", "Escape", "Enter"])
  lanes.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
document.getElementById("all").open = true;
</script>"""


@in_a_browser
def test_on_a_narrow_window_nothing_runs_out_of_the_page(judged: Path, tmp_path: Path) -> None:
    """Wide tables scroll in their own boxes; long words break."""
    page = tmp_path / "used.html"
    page.write_text(judged.read_text(encoding="utf-8").replace("</body>", WIDE + "</body>"))
    seen = browse(page, tmp_path, "--window-size=400,900", "--dump-dom").stdout
    (inner, needed) = re.search(r'data-wide="(\d+) (\d+)"', seen).groups()
    assert int(needed) <= int(inner) <= 500


WIDE = """<script>
const root = document.documentElement;
root.dataset.wide = `${window.innerWidth} ${root.scrollWidth}`;
</script>"""


@in_a_browser
def test_by_keyboard_every_track_is_told(report: Path, tmp_path: Path) -> None:
    page = tmp_path / "used.html"
    text = (report / "film-casablanca.html").read_text(encoding="utf-8")
    page.write_text(text.replace("</body>", USE + "</body>"), encoding="utf-8")
    seen = browse(page, tmp_path, "--dump-dom").stdout
    card = re.search(r'<div id="card".*?</div></div>', seen, re.DOTALL)
    assert card is not None
    assert "RICK BLAINE" in card[0]
    assert "line 7" in card[0]
    table = seen.partition('<details id="all"')[2].partition("</tbody>")[0]
    assert table.count("<tr>") == 1 + 3  # a head, and the people of four tracks
    assert "ILSA &lt;3 &amp; co" in table
