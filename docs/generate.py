"""Write the generated pages: `docs/file-formats.md` and `docs/commands/*.md`. Run: make docs

The file formats come from the declared schemas, the command pages from `--help`, so they
cannot say anything else than the code; `tests/docs` checks that they are up to date.
"""

from __future__ import annotations

from pathlib import Path

import click

from callsheet.cli.main import app
from callsheet.report.exports.rows import MEANINGS
from callsheet.store import SCHEMAS, Schema

DOCS = Path(__file__).parent

FORMATS_HEAD = DOCS / "file-formats.head.txt"
"""What is not said by a schema; EXPORT_ROWS stands for the columns of the table exports."""


def _export_rows() -> str:
    rows = "".join(f"| `{name}` | {meaning} |\n" for name, meaning in MEANINGS.items())
    return "| column | meaning |\n|---|---|\n" + rows


def formats_page() -> str:
    """Every table, column by column."""
    head = FORMATS_HEAD.read_text(encoding="utf-8").replace("EXPORT_ROWS", _export_rows())
    return head + "".join(_table(schema) for schema in SCHEMAS.values())


def _table(schema: Schema) -> str:
    rows = "".join(
        f"| `{c.name}` | {c.type} | {'yes' if c.nullable else ''} | {c.meaning} |\n"
        for c in schema.columns
    )
    head = f"\n## `{schema.name}.parquet` (version {schema.version})\n\n{schema.meaning}\n\n"
    return head + "| column | type | may be null | meaning |\n|---|---|---|---|\n" + rows


def command_pages() -> dict[str, str]:
    """File name -> page, one a verb, and an index."""
    context = click.Context(app, info_name="callsheet", **app.context_settings)
    pages: dict[str, str] = {}
    lines = ["# Commands\n", "Made from `--help` by `make docs`.\n", "| verb | what it does |",
             "|---|---|"]  # fmt: skip
    for verb in app.list_commands(context):
        command = app.get_command(context, verb)
        assert command is not None
        pages[f"{verb}.md"] = f"# callsheet {verb}\n" + _help(command, verb, context)
        lines.append(f"| [`{verb}`]({verb}.md) | {command.get_short_help_str(100)} |")
    pages["README.md"] = "\n".join(lines) + "\n"
    return pages


def _help(command: click.Command, name: str, parent: click.Context) -> str:
    """The help of a command and of the commands below it."""
    context = click.Context(command, info_name=name, parent=parent, terminal_width=90)
    text = f"\n```\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            assert found is not None
            text += f"\n## {name} {below}\n" + _help(found, below, context)
    return text


def main() -> None:
    (DOCS / "file-formats.md").write_text(formats_page(), encoding="utf-8")
    folder = DOCS / "commands"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.md"):
        old.unlink()
    for name, page in command_pages().items():
        (folder / name).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
