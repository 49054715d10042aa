"""Fit the confidence of line speakers, and count how often each rule of inference is right.

    python benchmarks/text/line_confidence.py TV/

Prints the numbers of `callsheet.text.alignment.decisions`, fitted on annotated episodes as they
are and on transcripts damaged in several ways, and what the fit is worth on episodes left out.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from callsheet.text.alignment.decisions import Backing, Rule
from callsheet.text.alignment.lines import Speech, claims_of, line_words, lines_of, word_counts
from callsheet.text.alignment.matching import match_words
from callsheet.text.alignment.speakers import decide
from callsheet.text.alignment.words import split_words
from callsheet.text.measures.damage import Damage, damaged
from callsheet.text.measures.episodes import Episode, find_episodes, read_episode

DAMAGES = (
    (Damage(), 6),
    (Damage(utterances=0.1), 1),
    (Damage(sentences=0.1), 1),
    (Damage(words=0.3), 1),
    (Damage(0.05, 0.05, 0.15), 2),
)
"""Each with how often it is played: most transcripts are good."""


def judged(episode: Episode, damage: Damage, rng: random.Random):
    """Yield rule, backing and whether the speaker is right, for every line with a truth."""
    speech = Speech.of(damaged(episode.screenplay, damage, rng))
    lines = lines_of(episode.subtitles.cues)
    film = line_words(lines)
    matches = match_words(speech.words, film)
    counts = word_counts(film, len(lines))
    decisions = decide(lines, claims_of(matches, speech, film, len(lines)), counts, speech)
    ours = iter(zip(lines, decisions, strict=True))
    for true in episode.lines:
        words = split_words(true.text)
        found = next((d for line, d in ours if split_words(line.text) == words), None)
        if true.speaker and found is not None:
            yield found.rule, found.backing, episode.cast_name(found.speaker) == true.speaker


def features(backing: Backing) -> list[float]:
    return [backing.found, float(np.log1p(backing.votes)), backing.margin]


def main(folder: Path) -> None:
    episodes = [e for e in map(read_episode, find_episodes(folder)) if e.annotated]
    rng = random.Random(0)
    by_rule, rows, right, group = defaultdict(list), [], [], []
    for number, episode in enumerate(episodes):
        for damage, times in DAMAGES:
            for _ in range(times):
                for rule, backing, ok in judged(episode, damage, rng):
                    by_rule[rule].append(ok)
                    if rule is Rule.WORDS:
                        rows.append(features(backing))
                        right.append(ok)
                        group.append(number)
    report(np.array(rows), np.array(right), np.array(group))
    for rule, answers in sorted(by_rule.items()):
        print(f"{rule.name:12} {np.mean(answers):.3f} of {len(answers)}")


def report(rows: np.ndarray, right: np.ndarray, group: np.ndarray) -> None:
    model = LogisticRegression(C=10.0).fit(rows, right)
    bias, (found, votes, margin) = model.intercept_[0], model.coef_[0]
    print(f"_BIAS, _FOUND, _VOTES, _MARGIN = {bias:.2f}, {found:.2f}, {votes:.2f}, {margin:.2f}")
    left_out = np.zeros(len(right))
    for number in np.unique(group):
        others, mine = group != number, group == number
        fold = LogisticRegression(C=10.0).fit(rows[others], right[others])
        left_out[mine] = fold.predict_proba(rows[mine])[:, 1]
    brier = np.mean((left_out - right) ** 2)
    constant = np.mean((right.mean() - right) ** 2)
    print(f"Brier score on episodes left out {brier:.4f}; a constant: {constant:.4f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
