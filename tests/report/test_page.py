"""The pages: complete in one file, safe with hostile text, alive in a real browser."""

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from callsheet.report import make_report
from callsheet.report.page import write
from callsheet.report.page.gather import FilmPage
from callsheet.report.page.render import clock, film_file
from callsheet.store import SCHEMAS, write_rows

VOID = {"meta", "link", "img", "br", "input", "hr"}
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
    assert "RICK BLAINE" in text
    assert "ILSA &lt;3 &amp; co" in text
    assert "alert(&#34;x&#34;)" in text
    assert 'alert("x")' not in re.sub(r"\\u003c", "", text).replace('alert(\\"x\\")', "")
    assert "line 7" not in text or "Kiss" in text
    library = (report / "index.html").read_text(encoding="utf-8")
    assert "lost film" in library
    assert "not labelled: no video, or not run yet" in library


def test_file_names_are_safe() -> None:
    assert film_file("film-01") == "film-film-01.html"
    assert re.fullmatch(r"film-a_\.\._b_c_-[0-9a-f]{8}\.html", film_file("a/../b c?"))
    names = ["a b", "a_b", "a/b", "x" * 70, "x" * 80]
    assert len({film_file(name) for name in names}) == len(names)
    assert len(film_file("é" * 200).encode()) < 255
    assert clock(3723.46) == "1:02:03.5"


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


in_a_browser = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (apt install chromium)")


@pytest.mark.slow
@in_a_browser
@pytest.mark.parametrize("page", ["film-casablanca.html", "index.html"])
@pytest.mark.parametrize("scheme", [0, 1])
def test_in_a_browser_without_script_errors(
    report: Path, tmp_path: Path, page: str, scheme: int
) -> None:
    shot = tmp_path / "page.png"
    dark = f"--blink-settings=preferredColorScheme={scheme}"
    browse(report / page, tmp_path, dark, f"--screenshot={shot}")
    assert shot.stat().st_size > 10_000


USE = """<script>
const lanes = document.getElementById("lanes");
document.querySelectorAll("[data-act], [data-time]").forEach((b) => b.click());
for (const key of ["+", "-", "ArrowLeft", "ArrowRight", "Home", "Escape", "Enter"])
  lanes.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
document.getElementById("all").open = true;
</script>"""


@pytest.mark.slow
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
