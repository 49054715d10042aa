"""Docs are tests: generated pages are fresh, links lead somewhere, every verb is told of."""

import re
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from callsheet.cli.main import VERBS
from callsheet.pipeline.named_films import KEYS
from callsheet.pipeline.stages import STAGES
from callsheet.report.exports.rows import MEANINGS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")]


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = spec_from_file_location("generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["generate"] = module
    spec.loader.exec_module(module)
    return module


def test_file_formats_are_up_to_date(generate: ModuleType) -> None:
    text = (DOCS / "file-formats.md").read_text(encoding="utf-8")
    assert text == generate.formats_page(), "run make docs"


def test_command_pages_are_up_to_date(generate: ModuleType) -> None:
    pages = generate.command_pages()
    assert {f"{verb}.md" for verb in VERBS} < set(pages)
    on_disk = {p.name: p.read_text(encoding="utf-8") for p in (DOCS / "commands").glob("*.md")}
    assert on_disk == pages, "run make docs"


def links(page: Path) -> Iterator[str]:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not target.startswith(("http:", "https:", "#", "mailto:")):
            yield target.split("#")[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    broken = [target for target in links(page) if not (page.parent / target).exists()]
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_verbs_that_pages_name_exist(page: Path) -> None:
    text = "".join(re.findall(r"```.*?```", page.read_text(encoding="utf-8"), flags=re.DOTALL))
    named = set(re.findall(r"^\s*(?:\$ )?(?:\.venv/bin/)?callsheet ([a-z]+)\b", text, re.MULTILINE))
    assert named <= set(VERBS), f"{page.name} names a verb that is not there"


def test_every_file_that_a_stage_writes_is_told_of() -> None:
    text = (DOCS / "file-formats.md").read_text(encoding="utf-8")
    for stage in STAGES.values():
        for output in stage.outputs:
            name = output.rstrip("*").rpartition("/")[2]
            assert name == "*.html" or f"`{name}`" in text, f"{output} of {stage.name}"
    beside = ("thumbnails/<track>.jpg", "thumbnails/shot-<shot>.jpg", "truth_section.json",
              "<stage>.failure.txt", "pins.parquet", "report/film-<film>.html")  # fmt: skip
    assert [name for name in beside if f"`{name}`" not in text] == []
    for column in (*MEANINGS, *KEYS):
        assert f"`{column}`" in text
