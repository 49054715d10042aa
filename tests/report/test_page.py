"""The pages: complete in one file, safe with hostile text, alive in a real browser."""

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from callsheet.report import make_report
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
    assert film_file("a/../b c?") == "film-a_.._b_c_.html"
    assert clock(3723.46) == "1:02:03.5"


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
