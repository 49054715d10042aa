"""Learn `voice.tsv` from screenplays, without annotation:

    python -m callsheet.text.screenplay.voice_training FOLDER OUTPUT

The layout learner reads every screenplay of the folder without any voice. Where speech and
description have indentations of their own in a file, its lines teach the words; files whose
layout is flat teach nothing. A feature counts only if it is used in several films, so names
and places of one film cannot enter. Same folder, same weights: nothing is random.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from callsheet.core import ElementKind
from callsheet.text.encodings import read_text, split_lines
from callsheet.text.screenplay.lines import lines_of
from callsheet.text.screenplay.plain import tag_lines
from callsheet.text.screenplay.voice import features

FEWEST_FILMS = 4
PENALTY = 0.1
"""Inverse strength of the ridge on the weights."""
SMALLEST_WEIGHT = 0.05
OWN_PLACE = 0.9
"""Share of a kind's lines that must stand in columns where the other kind hardly ever stands."""

Taught = list[tuple[frozenset[str], bool]]


def taught_lines(path: Path) -> Taught:
    """(features, spoken?) of the lines of one film whose layout tells speech from description."""
    texts = split_lines(read_text(path).text)
    indents = {line.number: line.indent for line in lines_of(texts)}
    wanted = (ElementKind.DIALOGUE, ElementKind.DESCRIPTION)
    found = [t for t in tag_lines(texts, weights={}) if t.kind in wanted]
    columns = _own_columns([(indents[t.number], t.kind) for t in found])
    return [
        (frozenset(features(t.text)), t.kind is ElementKind.DIALOGUE)
        for t in found
        if indents[t.number] in columns[t.kind]
    ]


def _own_columns(placed: Sequence[tuple[int, ElementKind]]) -> dict[ElementKind, set[int]]:
    """Columns that belong to one kind; empty where the layout is flat."""
    pairs = Counter(placed)
    totals = Counter(kind for _, kind in placed)
    columns = Counter(column for column, _ in placed)
    own: dict[ElementKind, set[int]] = {ElementKind.DIALOGUE: set(), ElementKind.DESCRIPTION: set()}
    for (column, kind), count in pairs.items():
        if count >= 0.95 * columns[column]:
            own[kind].add(column)
    shares = [sum(pairs[c, k] for c in own[k]) / max(1, totals[k]) for k in own]
    return own if min(shares) >= OWN_PLACE else {kind: set() for kind in own}


def train_voice(films: Sequence[Taught]) -> dict[str, float]:
    """Fit the weights: logistic regression, both kinds weighing the same."""
    import numpy as np
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    known = _known_features(films)
    lines = [(used & known, spoken) for film in films for used, spoken in film]
    vectors = DictVectorizer(sparse=True)
    table = vectors.fit_transform([dict.fromkeys(sorted(used), 1.0) for used, _ in lines])
    model = LogisticRegression(C=PENALTY, class_weight="balanced", max_iter=500)
    model.fit(table, np.array([spoken for _, spoken in lines]))
    weights = dict(zip(vectors.feature_names_, model.coef_[0].tolist(), strict=True))
    kept = {name: weight for name, weight in weights.items() if abs(weight) >= SMALLEST_WEIGHT}
    return {"bias": float(model.intercept_[0]), **kept}


def _known_features(films: Sequence[Taught]) -> frozenset[str]:
    counts = Counter(name for film in films for name in set().union(*(used for used, _ in film)))
    return frozenset(name for name, count in counts.items() if count >= FEWEST_FILMS)


def write_weights(weights: dict[str, float], path: Path, *, films: int) -> None:
    rows = (f"{name}\t{weight:.3f}" for name, weight in sorted(weights.items()))
    head = (
        "# Weights of `voice.py`: above 0 spoken, below 0 told. Made by `voice_training.py`\n"
        f"# from the layouts of {films} screenplays, without annotation.\n"
    )
    path.write_text(head + "\n".join(rows) + "\n", encoding="utf-8")


def main(arguments: Iterable[str]) -> None:
    folder, output = (Path(argument) for argument in arguments)
    films = [taught for p in sorted(folder.glob("*.txt")) if (taught := taught_lines(p))]
    write_weights(train_voice(films), output, films=len(films))


if __name__ == "__main__":
    main(sys.argv[1:])
