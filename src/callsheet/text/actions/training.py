"""Make an action model from labelled sentences, and say how good it is by cross-validation.

The SVM's out-of-fold margins serve three ends: its own calibration, the blend of margins and
pattern strengths, and the figures that are reported. scikit-learn is needed here only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from callsheet.errors import InputError, MissingExtraError
from callsheet.text.actions.classifier import (
    LEVELS,
    ActionModel,
    Blend,
    Vector,
    word_terms,
)
from callsheet.text.actions.examples import Example, actions_of
from callsheet.text.actions.learning import learnt_patterns
from callsheet.text.actions.origin import origin_of
from callsheet.text.actions.patterns import PatternTable, shipped_patterns
from callsheet.text.actions.reading import line_tokens, paragraphs_of
from callsheet.text.actions.statements import pattern_matches
from callsheet.text.grammar import Naming, Paragraph, Parser, load_parser

FEWEST = 8
"""Sentences an action must have: below, neither learning nor judging means anything."""


_HIDDEN = 0.15
"""Share of pattern matches hidden from the fit of the blend."""


@dataclass(frozen=True, slots=True)
class Training:
    """A model, and the cross-validated macro F1 of (sentence, action) of each voice."""

    model: ActionModel
    svm: float
    patterns: float
    both: float
    per_action: Mapping[str, float]
    sentences: int


@dataclass(frozen=True, slots=True)
class _Material:
    """Examples made ready: (examples,) tokens; (examples, actions) truth, pattern levels."""

    actions: tuple[str, ...]
    tokens: list[list[str]]
    truth: np.ndarray
    levels: np.ndarray
    table: PatternTable


def fit_actions(
    examples: Sequence[Example], *, more: Sequence[Example] = (), folds: int = 5,
    cost: float = 1.0, seed: int = 0,
) -> Training:  # fmt: skip
    """Fit one SVM an action and the blend with the verb patterns.

    `more` are examples nobody labelled by hand (of self-training): they are learnt from, and
    never judged on.
    """
    _check(examples, folds)
    parser = load_parser()
    material = _prepare(examples, parser)
    extra = _Extra.of(more, material.actions, parser)
    margins = _out_of_fold(material, extra, folds=folds, cost=cost, seed=seed)
    origin = origin_of([*examples, *more], material.table.patterns, seed=seed)
    model = replace(_fit(material, extra, margins, cost=cost, seed=seed), origin=origin)
    return _judged(material, margins, model)


@dataclass(frozen=True, slots=True)
class _Extra:
    """Tokens and truth of examples that are only learnt from."""

    tokens: list[list[str]]
    truth: np.ndarray

    @classmethod
    def of(cls, examples: Sequence[Example], actions: Sequence[str], parser: Parser) -> _Extra:
        paragraphs = paragraphs_of([e.sentence for e in examples], parser, Naming())
        truth = np.array([[a in e.actions for a in actions] for e in examples], dtype=bool)
        return cls([line_tokens(p) for p in paragraphs], truth.reshape(-1, len(actions)))


def _check(examples: Sequence[Example], folds: int) -> None:
    for action in actions_of(examples):
        count = sum(action in e.actions for e in examples)
        if count < max(FEWEST, folds):
            raise InputError(
                f"action {action!r} has {count} sentences; write at least {max(FEWEST, folds)}"
            )
    if not actions_of(examples):
        raise InputError("no sentence tells an action: all rows say background")
    if all(e.told for e in examples):
        raise InputError("no background sentences: give some that tell none of the actions")


def _prepare(examples: Sequence[Example], parser: Parser) -> _Material:
    actions = actions_of(examples)
    paragraphs = paragraphs_of([e.sentence for e in examples], parser, Naming())
    table = PatternTable.of(
        (
            *(p for p in shipped_patterns() if p.action in actions),
            *learnt_patterns(examples, paragraphs, without={p.action for p in shipped_patterns()}),
        )
    )
    truth = np.array([[action in e.actions for action in actions] for e in examples])
    levels = np.array([_levels(paragraph, actions, table) for paragraph in paragraphs])
    return _Material(actions, [line_tokens(p) for p in paragraphs], truth, levels, table)


def _levels(paragraph: Paragraph, actions: Sequence[str], table: PatternTable) -> list[int]:
    found = dict.fromkeys(actions, 0)
    for at in range(len(paragraph.sentences)):
        for match in pattern_matches(paragraph, at, table)[0]:
            found[match.action] = max(found[match.action], LEVELS.index(match.strength))
    return list(found.values())


def _out_of_fold(
    material: _Material, extra: _Extra, *, folds: int, cost: float, seed: int
) -> Vector:
    """Each sentence's margins by a model that has not seen it."""
    order = np.random.default_rng(seed).permutation(len(material.tokens))
    margins = np.zeros(material.truth.shape)
    for fold in range(folds):
        held = order[fold::folds]
        rest = np.setdiff1d(order, held)
        part = _svm(
            material.actions,
            [*(material.tokens[i] for i in rest), *extra.tokens],
            np.vstack([material.truth[rest], extra.truth]),
            cost,
            seed,
        )
        margins[held] = part.margins([material.tokens[i] for i in held])
    return margins


def _fit(
    material: _Material, extra: _Extra, margins: Vector, *, cost: float, seed: int
) -> ActionModel:
    tokens = [*material.tokens, *extra.tokens]
    truth = np.vstack([material.truth, extra.truth])
    bare = _svm(material.actions, tokens, truth, cost, seed)
    slope, offset = _logistic(margins.reshape(-1, 1), material.truth.ravel())
    return ActionModel(
        bare.actions, bare.terms, bare.rarity, bare.weights, bare.bias,
        np.array([slope, offset]), _blend(material, margins, seed), material.table, bare.origin,
    )  # fmt: skip


def _blend(material: _Material, margins: Vector, seed: int) -> Blend:
    """Fit log-odds = a·margin + s(level): one s for each level, shared by all actions.

    The patterns were written beside these sentences and know their verbs better than others':
    a share of what they found is hidden here, so that the words keep their say.
    """
    hidden = np.random.default_rng(seed).random(material.levels.shape) < _HIDDEN
    levels = np.where(hidden, 0, material.levels).ravel()
    steps = np.stack([levels >= level for level in range(1, len(LEVELS))], axis=1)
    columns = np.column_stack([margins.ravel(), steps])
    *weights, offset = _logistic(columns, material.truth.ravel())
    return Blend(
        float(weights[0]),
        tuple(float(offset + sum(weights[1 : 1 + level])) for level in range(len(LEVELS))),
    )


def _logistic(columns: Vector, truth: np.ndarray) -> list[float]:
    """Weights and, last, the offset of a barely regularised logistic regression."""
    from sklearn.linear_model import LogisticRegression

    fitted = LogisticRegression(C=10.0, max_iter=1000).fit(columns, truth)
    return [*map(float, fitted.coef_[0]), float(fitted.intercept_[0])]


def _svm(
    actions: tuple[str, ...], tokens: Sequence[list[str]], truth: np.ndarray, cost: float, seed: int
) -> ActionModel:
    """TF-IDF and one linear SVM an action; not calibrated yet."""
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.svm import LinearSVC
    except ImportError as error:
        raise MissingExtraError(
            "training needs scikit-learn; install it with pip install 'callsheet[text]'"
        ) from error
    vectorizer = TfidfVectorizer(analyzer=word_terms)
    X = vectorizer.fit_transform(tokens)
    machines = [
        LinearSVC(C=cost, class_weight="balanced", random_state=seed).fit(X, truth[:, column])
        for column in range(len(actions))
    ]
    return ActionModel(
        actions,
        {term: int(column) for term, column in vectorizer.vocabulary_.items()},
        vectorizer.idf_,
        np.vstack([machine.coef_ for machine in machines]),
        np.concatenate([machine.intercept_ for machine in machines]),
        np.array([1.0, 0.0]),
        Blend(1.0, (0.0,) * len(LEVELS)),
        PatternTable.of(()),
        origin_of((), (), seed=seed),
    )


def _judged(material: _Material, margins: Vector, model: ActionModel) -> Training:
    both = np.array(
        [
            [model.blend.probability(m, LEVELS[v]) for m, v in zip(ms, vs, strict=True)]
            for ms, vs in zip(margins, material.levels, strict=True)
        ]
    )
    per_action = _f1(material.truth, both >= 0.5)
    return Training(
        model,
        float(np.mean(_f1(material.truth, model.probabilities(margins) >= 0.5))),
        float(np.mean(_f1(material.truth, material.levels >= LEVELS.index("medium")))),
        float(np.mean(per_action)),
        dict(zip(material.actions, map(float, per_action), strict=True)),
        len(material.tokens),
    )


def _f1(truth: np.ndarray, said: np.ndarray) -> Vector:
    right = (truth & said).sum(axis=0)
    return np.asarray(2 * right / np.maximum(1, truth.sum(axis=0) + said.sum(axis=0)))
