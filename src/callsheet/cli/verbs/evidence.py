"""`callsheet evidence`: what a script claims on the film's clock, and how sentences are read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callsheet.cli.frame import console, escape, print_json, warn
from callsheet.cli.verbs.align import frame_rate, refuse_below
from callsheet.text.settings import AlignmentSettings, SubtitleSettings

if TYPE_CHECKING:
    from callsheet.core import Evidence
    from callsheet.text import SentenceActions, TrainingReport

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


class _Evidence(click.Group):
    """`evidence SCRIPT SUBTITLES` is short for `evidence find SCRIPT SUBTITLES`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["find", *args]
        return super().parse_args(ctx, args)


@click.command("evidence", cls=_Evidence, no_args_is_help=True,
               subcommand_metavar="SCRIPT SUBTITLES | classify | train")  # fmt: skip
def command() -> None:
    """Find what a script claims: who speaks, is there, and does what, and when.

    \b
    Examples:
      callsheet evidence casablanca.txt casablanca.srt
      echo "Lana rushes toward him." | callsheet evidence classify --json
      callsheet evidence train sentences.csv
    """


@command.command("find")
@click.argument("script", type=_FILE)
@click.argument("subtitles", type=_FILE)
@click.option("--cast", "cast_csv", type=_FILE, help="Table of the cast: name, aliases, actor.")
@click.option("--model", type=_FILE, help="Action model of `callsheet evidence train`.")
@click.option("--extras", is_flag=True, help="Lines and mentions of extras and groups, too.")
@refuse_below
@frame_rate
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a piece of evidence.")
def find(
    script: Path, subtitles: Path, cast_csv: Path | None, model: Path | None, extras: bool,
    refuse_below: float, frame_rate: float, as_json: bool,
) -> None:  # fmt: skip
    """Spoken lines, mentions and statements of a script on its film's clock.

    Prints how many there are of each kind, action and person; with --json each of them. A
    script of another film leaves with 1.

    Example: callsheet evidence casablanca.txt casablanca.srt --json
    """
    from callsheet.errors import InputError
    from callsheet.text import (
        EvidenceSettings,
        Verdict,
        align,
        find_cast,
        find_evidence,
        read_screenplay,
        read_subtitles,
    )
    from callsheet.text.alignment import refusal

    screenplay = read_screenplay(script)
    cues = read_subtitles(subtitles, SubtitleSettings(frame_rate=frame_rate))
    cast = find_cast(screenplay, cast_csv)
    alignment = align(screenplay, cues, AlignmentSettings(refuse_below=refuse_below))
    for warning in (*screenplay.warnings, *cues.warnings, *cast.warnings):
        warn(warning)
    if alignment.verdict is Verdict.REFUSED:
        raise InputError(refusal(alignment))
    for warning in alignment.warnings:
        warn(warning)
    settings = EvidenceSettings(action_model=str(model or ""), extras=extras)
    evidence = find_evidence(screenplay, alignment, cast, settings)
    if as_json:
        for one in evidence:
            print_json(_row(one))
    else:
        _print_counts(evidence)


def _row(one: Evidence) -> dict[str, Any]:
    return {
        "kind": one.kind.value, "start": round(one.span.start, 3), "end": round(one.span.end, 3),
        "person": one.person, "action": one.action, "source_line": one.source_line,
        "rule": one.rule, "confidence": round(one.confidence, 4), "text": one.text,
    }  # fmt: skip


def _print_counts(evidence: tuple[Evidence, ...]) -> None:
    """The paper's constraint table, then each person."""
    from rich.table import Table

    from callsheet.text import count_evidence

    counts = count_evidence(evidence)
    kinds = ", ".join(f"{number} {kind}s" for kind, number in counts.kinds.items())
    console().print(f"{len(evidence)} pieces of evidence: {kinds}")
    actions = Table("action", "statements", title="Statements by action")
    for action, number in counts.actions.items():
        actions.add_row(escape(action), str(number))
    actions.add_row("Total", str(sum(counts.actions.values())), style="bold")
    console().print(actions)
    people = Table("person", *(f"{kind}s" for kind in counts.kinds), title="Evidence by person")
    for person, found in counts.people.items():
        people.add_row(escape(person), *(str(number) for number in found.values()))
    console().print(people)


@command.command("classify")
@click.option("--model", type=_FILE, help="Action model of `callsheet evidence train`.")
@click.option("--threshold", type=click.FloatRange(0.0, 1.0), default=0.5, show_default=True,
              help="Leave out actions that are less probable.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a sentence.")
def classify(model: Path | None, threshold: float, as_json: bool) -> None:
    """Read sentences from standard input: which actions they tell, and who does them.

    One line, one sentence (or a few). `people` are names as they stand in the sentence, in
    title case, or nouns without article ("waiter"); `pronouns` are doers whose name the line
    does not say.

    Example: echo "Jack is exiting the room, then Lana rushes toward him." |
    callsheet evidence classify --json
    """
    from callsheet.text import classify_sentences

    sentences = [line.strip() for line in _standard_input() if line.strip()]
    for read in classify_sentences(sentences, model=model or "", threshold=threshold):
        if as_json:
            print_json({"sentence": read.sentence, "actions": _actions(read)})
        else:
            _print_reading(read)


def _standard_input() -> list[str]:
    from callsheet.errors import InputError

    raw = sys.stdin.buffer.read()
    try:
        return raw.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(
            f"standard input is not UTF-8 text (byte {error.start}); convert it, for instance"
            " with iconv"
        ) from error


def _actions(read: SentenceActions) -> list[dict[str, Any]]:
    return [
        {
            "action": s.action, "score": round(s.score, 4), "people": list(s.people),
            "pronouns": list(s.pronouns), "rule": s.rule,
        }
        for s in read.actions
    ]  # fmt: skip


def _print_reading(read: SentenceActions) -> None:
    told = [
        f"{s.action} {s.score:.2f} ({', '.join((*s.people, *s.pronouns)) or 'nobody named'})"
        for s in read.actions
    ]
    console().print(escape(f"{read.sentence}\n    {'; '.join(told) or 'no action'}"))


@command.command("train")
@click.argument("sentences", type=_FILE, required=False)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path),
              help="Where to keep the model. [default: actions.npz beside SENTENCES]")  # fmt: skip
@click.option("--unlabelled", type=_FILE, multiple=True,
              help="A screenplay to learn more sentences from; may be repeated.")  # fmt: skip
@click.option("--only-mine", is_flag=True, help="Leave the sentences of callsheet out.")
@click.option("--folds", type=click.IntRange(2, 20), default=5, show_default=True,
              help="Parts of the cross-validation.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of the parts.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def train(
    sentences: Path | None, out: Path | None, unlabelled: tuple[Path, ...], only_mine: bool,
    folds: int, seed: int, as_json: bool,
) -> None:  # fmt: skip
    """Learn actions from a table of sentences, and say how well that went.

    SENTENCES is a CSV table with the columns sentence, action and (if known) person, one row
    for each action and person a sentence tells, `background` for none. Its sentences join those
    of callsheet. Without SENTENCES the model of callsheet is trained again.

    Example: callsheet evidence train sentences.csv --unlabelled casablanca.txt
    """
    from callsheet.text import train_actions

    report = train_actions(
        sentences, unlabelled=unlabelled, with_shipped=not only_mine, folds=folds, seed=seed
    )
    for warning in report.warnings:
        warn(warning)
    path = out or (sentences.parent if sentences else Path()) / "actions.npz"
    report.training.model.save(path)
    if as_json:
        print_json(_figures(report, path))
    else:
        _print_training(report, path)


def _figures(report: TrainingReport, path: Path) -> dict[str, Any]:
    figures: dict[str, Any] = {
        "model": str(path), "sentences": report.training.sentences, "own": report.own,
        "svm": round(report.training.svm, 4), "patterns": round(report.training.patterns, 4),
        "both": round(report.training.both, 4),
        "actions": {a: round(f1, 4) for a, f1 in report.training.per_action.items()},
    }  # fmt: skip
    if report.before is not None:
        figures["self_training"] = {
            "added": report.grown, "kept": report.kept,
            "svm_before": round(report.before.svm, 4), "both_before": round(report.before.both, 4),
            "svm_after": round(report.after.svm, 4) if report.after else None,
            "both_after": round(report.after.both, 4) if report.after else None,
        }  # fmt: skip
    return figures


def _print_training(report: TrainingReport, path: Path) -> None:
    out, training = console(), report.training
    for sentence in report.repeated:
        warn(f"already among the sentences of callsheet, your labels are used: {sentence}")
    out.print(f"{training.sentences} sentences ({report.own} yours), cross-validated macro F1 of"
              f" (sentence, action): words {training.svm:.3f}, verb patterns"
              f" {training.patterns:.3f}, both {training.both:.3f}")  # fmt: skip
    for action, f1 in training.per_action.items():
        out.print(escape(f"  {action:<14} {f1:.3f}"))
    if report.before is not None and report.after is not None:
        verb = "kept" if report.kept else "not kept, as it is no better"
        out.print(
            f"self-training: {report.grown} sentences added; words {report.before.svm:.3f} ->"
            f" {report.after.svm:.3f}, both {report.before.both:.3f} -> {report.after.both:.3f}"
            f" ({verb})"
        )
    elif report.before is not None:
        out.print("self-training: the scripts hold no sentence that is sure enough")
    out.print(escape(f'{path} is written; use it with action_model = "{path}" under [evidence]'
                     " in callsheet.toml, or with --model"))  # fmt: skip
