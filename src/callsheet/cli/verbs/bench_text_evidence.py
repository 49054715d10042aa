"""`callsheet bench text evidence`: actions and people of sentences that other eyes labelled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callsheet.cli.frame import console, escape, print_json
from callsheet.cli.verbs.bench_text import print_machine

if TYPE_CHECKING:
    from callsheet.text.measures.told_actions import VoiceScore

TABLE = Path("benchmarks/text/action_sentences.csv")


@click.command("evidence")
@click.option("--table", default=TABLE, show_default=True,
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Labelled sentences: sentence,action,person.")  # fmt: skip
@click.option("--model", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Action model; the shipped one if not given.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a voice and action.")
def command(table: Path = TABLE, model: Path | None = None, as_json: bool = False) -> None:
    """F1 of (sentence, action) and of (sentence, action, person): each voice, and both.

    The words alone, TF-IDF and linear SVMs, are what the paper did.

    Example: callsheet bench text evidence
    """
    from callsheet.text.actions import load_action_model
    from callsheet.text.actions.examples import duplicates, read_examples, shipped_examples
    from callsheet.text.measures.told_actions import voice_scores

    print_machine(as_json=as_json)
    shipped, examples = shipped_examples(), read_examples(table)
    trained = set(duplicates(examples, shipped))
    examples = [e for e in examples if e.sentence not in trained]
    scores = voice_scores(examples, load_action_model(model or ""))
    if as_json:
        for row in _rows(scores, len(examples)):
            print_json(row)
        return
    console().print(escape(
        f"actions of sentences: {table}, {len(examples)} sentences ({len(trained)} that also"
        f" train are left out); macro F1 over {len(scores[-1].actions)} actions"
    ))  # fmt: skip
    _print_voices(scores)
    _print_actions(scores)


def _rows(scores: Sequence[VoiceScore], sentences: int) -> Iterator[dict[str, Any]]:
    for score in scores:
        yield {"what": "all actions", "voice": score.voice.value, "sentences": sentences,
               "action_f1": score.action_f1, "person_f1": score.person_f1}  # fmt: skip
        for action, found in score.actions.items():
            yield {"what": action, "voice": score.voice.value, "found": found.found,
                   "true": found.true, "action_f1": found.f1,
                   "person_f1": score.persons[action].f1}  # fmt: skip


def _print_voices(scores: Sequence[VoiceScore]) -> None:
    out = console()
    out.print(f"{'voice':10} {'action':>8} {'+ person':>9}")
    for score in scores:
        out.print(f"{score.voice.value:10} {score.action_f1:8.3f} {score.person_f1:9.3f}")
    words, both = scores[0], scores[-1]
    out.print(f"errors (1 - F1), words / both: {_ratio(words.action_f1, both.action_f1):.1f},"
              f" with persons {_ratio(words.person_f1, both.person_f1):.1f}")  # fmt: skip


def _ratio(worse: float, better: float) -> float:
    return (1 - worse) / max(1e-9, 1 - better)


def _print_actions(scores: Sequence[VoiceScore]) -> None:
    out, both = console(), scores[-1]
    voices = " ".join(f"{score.voice.value:>9}" for score in scores)
    out.print(f"{'action':14} {voices} {'found':>6} {'true':>6} {'+ person':>9}")
    for action, score in both.actions.items():
        f1 = " ".join(f"{s.actions[action].f1:9.3f}" for s in scores)
        person = both.persons[action].f1
        out.print(f"{action:14} {f1} {score.found:6} {score.true:6} {person:9.3f}")
