"""Fill the templates. What comes from files is escaped: a script may hold `</script>`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from importlib.resources import files
from typing import Any

from callsheet._version import __version__
from callsheet.report.page.gather import ActionRow, FilmPage


def film_html(page: FilmPage, *, back: str | None) -> str:
    """One film's page; `back` is the address of the library's page, if there is one."""
    return _render("film.html.j2", page=page, back=back, timeline=_script_json(page.timeline))


def library_html(
    pages: Sequence[FilmPage],
    unlabelled: Sequence[tuple[str, str]],
    *,
    moments: Mapping[str, Sequence[tuple[str, ActionRow]]],
    failures: Mapping[str, str],
) -> str:
    """The library's page; `unlabelled` are films without a page and why, `failures` those of
    the stages of all films together.
    """
    return _render("library.html.j2", pages=pages, unlabelled=unlabelled, moments=moments,
                   failures=failures)  # fmt: skip


_LONGEST = 60
"""Letters of a film's name kept in the name of its page."""


def film_file(film: str) -> str:
    """File name of a film's page, safe in an address; two films never share one.

    A name that had to be changed ends with a mark of the whole name: "a b" is not "a_b".
    """
    safe = "".join(c if c.isalnum() or c in "-_." else "_" for c in film)[:_LONGEST]
    mark = "" if safe == film else "-" + blake2b(film.encode(), digest_size=4).hexdigest()
    return f"film-{safe}{mark}.html"


def _render(template: str, **values: Any) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=PackageLoader("callsheet.report.page"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = {"clock": clock, "minutes": _minutes, "counted": _counted, "film_file": film_file}
    environment.filters |= filters
    template_folder = files("callsheet.report.page") / "templates"
    style = (template_folder / "style.css").read_text(encoding="utf-8")
    code = (template_folder / "timeline.js").read_text(encoding="utf-8")
    shared = {"style": style, "code": code, "version": __version__}
    return environment.get_template(template).render(**values, **shared)


def _script_json(value: Any) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def clock(seconds: float | None) -> str:
    """0:01:02.5"""
    if seconds is None:
        return ""
    minutes, tenths = divmod(round(seconds * 10), 600)  # rounded first: no minute has 60.0 seconds
    return f"{minutes // 60}:{minutes % 60:02}:{tenths / 10:04.1f}"


def _counted(number: int, what: str) -> str:
    """1 scene; 2 scenes"""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _minutes(seconds: float) -> str:
    """3:07 min; 2 h 05 min"""
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600} h {whole // 60 % 60:02} min"
    return f"{whole // 60}:{whole % 60:02} min"
