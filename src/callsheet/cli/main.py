"""`callsheet VERB`: finds the verb's module, runs it, turns errors into a sentence.

Verb modules are imported when asked for and import their rooms inside the command, so that
`callsheet --help` loads no heavy library. Each defines one click command called `command`.
"""

from __future__ import annotations

import os
import sys
import traceback
from importlib import import_module

import click

from callsheet._version import __version__
from callsheet.cli.frame import EXIT_FAILED, EXIT_WRONG_USE, escape, notes
from callsheet.errors import CallsheetError, ChoiceError

VERBS = {
    "align": "callsheet.cli.verbs.align",
    "bags": "callsheet.cli.verbs.bags",
    "bench": "callsheet.cli.verbs.bench",
    "demo": "callsheet.cli.verbs.demo",
    "doctor": "callsheet.cli.verbs.doctor",
    "evaluate": "callsheet.cli.verbs.evaluate",
    "evidence": "callsheet.cli.verbs.evidence",
    "experiment": "callsheet.cli.verbs.experiment",
    "export": "callsheet.cli.verbs.export",
    "features": "callsheet.cli.verbs.features",
    "fit": "callsheet.cli.verbs.fit",
    "import": "callsheet.cli.verbs.import_",
    "init": "callsheet.cli.verbs.init",
    "models": "callsheet.cli.verbs.models",
    "predict": "callsheet.cli.verbs.predict",
    "report": "callsheet.cli.verbs.report",
    "run": "callsheet.cli.verbs.run",
    "script": "callsheet.cli.verbs.script",
    "shots": "callsheet.cli.verbs.shots",
    "status": "callsheet.cli.verbs.status",
    "tracks": "callsheet.cli.verbs.tracks",
    "who": "callsheet.cli.verbs.who",
}
"""Verb -> module, in the order of the alphabet."""


class Verbs(click.Group):
    """A group that imports a verb's module only when that verb is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command: click.Command = import_module(VERBS[cmd_name]).command
        return command


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="callsheet")
@click.option("--debug", is_flag=True, help="Show a traceback when something fails.")
def app(debug: bool) -> None:
    """Tell who is on screen and what they do, from films, screenplays and subtitles.

    Example: callsheet run films/
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with 0 (done), 1 (failed) or 2 (wrong use)."""
    arguments = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in arguments
    # `--debug` may stand anywhere on the line.
    sys.exit(_run(["--debug"] * debug + [a for a in arguments if a != "--debug"], debug=debug))


def _run(arguments: list[str], *, debug: bool) -> int:
    try:
        result = app.main(arguments, prog_name="callsheet", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.UsageError as error:
        error.show()
        return EXIT_WRONG_USE
    except click.ClickException as error:
        error.show()
        return EXIT_FAILED
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted; what was finished is kept, run again to go on", debug=debug)
    except BrokenPipeError:
        # The reader (head, less) has gone; point stdout elsewhere so that exit stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAILED
    except ChoiceError as error:
        return _fail(error.message, debug=debug, status=EXIT_WRONG_USE)
    except CallsheetError as error:
        return _fail(error.message, debug=debug)
    except MemoryError:
        return _fail("out of memory; use fewer --workers or smaller films", debug=debug)
    except OSError as error:
        return _fail(_os_sentence(error), debug=debug)
    except Exception as error:  # noqa: BLE001 — the outermost door: a bug becomes a sentence too
        return _fail(f"unexpected {type(error).__name__}: {error} (a bug; --debug shows where)",
                     debug=debug)  # fmt: skip


def _fail(sentence: str, *, debug: bool, status: int = EXIT_FAILED) -> int:
    if debug:
        traceback.print_exc()
    notes().print(f"[bold red]error:[/bold red] {escape(sentence)}")
    return status


def _os_sentence(error: OSError) -> str:
    where = f" {error.filename}" if error.filename else ""
    return f"cannot use{where}: {error.strerror or error}"
