"""Actions in sentences: the two voices, their blend, models on disk, training."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callsheet.core import ACTIONS
from callsheet.errors import InputError
from callsheet.text import classify_sentences, train_actions
from callsheet.text.actions import Voice, load_action_model, read_paragraphs
from callsheet.text.actions.classifier import word_terms
from callsheet.text.actions.examples import Example, read_examples, read_table, shipped_examples
from callsheet.text.actions.patterns import Pattern, shipped_patterns
from callsheet.text.actions.reading import line_tokens, paragraphs_of
from callsheet.text.actions.scoring import action_scores, macro_f1, person_scores
from callsheet.text.actions.selftraining import SURE, grown
from callsheet.text.actions.training import fit_actions
from callsheet.text.grammar import Naming, load_parser


def told(sentence: str, people: Sequence[str] | None = None) -> dict[str, set[str]]:
    (read,) = classify_sentences([sentence], people)
    return {s.action: {*s.people, *s.pronouns} for s in read.actions}


@pytest.mark.parametrize(
    ("sentence", "actions"),
    [
        ("Jack is exiting the room, then Lana rushes toward him.", {"Run": {"Lana"}}),
        ("JOHN and KATE sit down.", {"SitDown": {"John", "Kate"}}),
        (
            "Rick gets out of the car and shakes hands with Renault.",
            {"GetOutOfCar": {"Rick"}, "HandShake": {"Rick", "Renault"}},
        ),
        ("Ilsa is kissed by Rick.", {"Kiss": {"Ilsa", "Rick"}}),
        ("The phone rings. Kate picks it up.", {"AnswerPhone": {"Kate"}}),
        ("He hugs her.", {"Hug": {"he", "she"}}),
        ("Ellen holds out her hand and Carver shakes it.", {"HandShake": {"Ellen", "Carver"}}),
        ("The door is flung open.", {"OpenDoor": set()}),
        ("Two cops wrestle Tom to the ground.", {"Fight": {"cops", "Tom"}}),
        ("Anton pulls Ruth to her feet.", {"StandUp": {"Ruth"}}),
        ("Startled, Danny bolts upright in bed.", {"SitUp": {"Danny"}}),
        ("Marge drives the ambulance.", {"Drive": {"Marge"}}),
        ("The old man bites into an apple.", {"Eat": {"man"}}),
        ("A long kiss.", {"Kiss": set()}),
        ("Danny bolts down the alley.", {"Run": {"Danny"}}),
        ("Two cops come running around the corner.", {"Run": {"cops"}}),
        ("The driver is dragged out of the car by two cops.", {"GetOutOfCar": {"driver"}}),
        ("The prisoner is shoved into a chair.", {"SitDown": {"prisoner"}}),
        ("Pruitt and Dane go at it, fists flying.", {"Fight": {"Pruitt", "Dane"}}),
        ("Rocco slugs Sully across the jaw.", {"Fight": {"Rocco", "Sully"}}),
        ("The twins take turns driving the tractor.", {"Drive": {"twins"}}),
        ("In the kitchen, Sid stands and leaves.", {"StandUp": {"Sid"}}),
        ("He makes a sharp U-turn.", {"Drive": {"he"}}),
        ("A knock. The butler opens.", {"OpenDoor": {"butler"}}),
        ("Tully shakes the ambassador's hand.", {"HandShake": {"Tully", "ambassador"}}),
        ("TOM, 40s, a burly truck driver, runs.", {"Run": {"Tom"}}),
        ("Otis races after him, out of breath.", {"Run": {"Otis"}}),
        ("A Buick. NELL climbs out of it.", {"GetOutOfCar": {"Nell"}}),
        ("Meg walks to the cell door and opens it.", {"OpenDoor": {"Meg"}}),
        ("The neighbors hug one another.", {"Hug": {"neighbors"}}),
        ("Nina and Abe are locked in an embrace.", {"Hug": {"Nina", "Abe"}}),
        ("Opal is driven to church by Silas.", {"Drive": {"Silas"}}),
        ("Exhausted, Sid slides down against the door.", {"SitDown": {"Sid"}}),
        ("Judge Marsh stands when she comes in.", {"StandUp": {"Judge Marsh"}}),
        ("Fists swing between the cousins.", {"Fight": {"cousins"}}),
        ("The van crawls along, IDA behind the wheel.", {"Drive": {"Ida"}}),
        ("BECK, a waitress, 20, and GUS, the cook, fight.", {"Fight": {"Beck", "Gus"}}),
    ],
)
def test_what_a_sentence_tells(sentence: str, actions: dict[str, set[str]]) -> None:
    assert told(sentence) == actions


@pytest.mark.parametrize(
    "sentence",
    [
        "He doesn't sit down.",
        "She wants to kiss him.",
        "The road runs north.",
        "Tom runs a company.",
        "She drives him mad.",
        "Kate is open minded.",
        "A fight over money in 1952 broke up the family.",
        "He shakes his head.",
        "Rick stands at the window.",
        "She answers the question.",
        "He fights back tears.",
        "The sun rises.",
        "He gets out of bed.",
        "He picks up the phone and dials.",
        "Rain hits the window.",
        "Doug runs a small garage off Route 9.",
        "Tina hugs her knees to her chest.",
        "Jay struggles to open the door, but it's jammed.",
        "They embrace modern technology.",
        "Al gets up early these days.",
        "They drove here in the old days.",
        "A knock. The door opens by itself.",
        "He stays standing.",
        "Kate is standing when he comes in.",
        "A guard stands, rifle in hand.",
        "Jack stands, watching her go.",
        "The ledge on which they stand is narrow.",
        "Envy eats at him.",
        "The clerk fights to stay awake.",
        "He picks up his phone to check the time.",
        "No kiss, no word, only a nod.",
        "He sits up straighter in his chair.",
        "",
        "...",
        "?!",
    ],
)
def test_what_a_sentence_does_not_tell(sentence: str) -> None:
    assert told(sentence) == {}


def test_known_people_are_called_by_their_names() -> None:
    assert told("HOOD kisses STONE.", ["Hood", "Stone"]) == {"Kiss": {"Hood", "Stone"}}
    (read,) = classify_sentences(["Blaine runs."], {"Blaine": "RICK BLAINE"})
    assert read.actions[0].people == ("RICK BLAINE",)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=80), max_size=4))
def test_any_text_is_read(lines: list[str]) -> None:
    read = classify_sentences(lines)
    assert [one.sentence for one in read] == lines
    for statement in (s for one in read for s in one.actions):
        assert statement.action in ACTIONS
        assert 0.5 <= statement.score <= 1.0


def test_a_higher_threshold_never_adds_actions() -> None:
    lines = [e.sentence for e in shipped_examples()[::40]]
    loose = classify_sentences(lines, threshold=0.3)
    strict = classify_sentences(lines, threshold=0.9)
    for more, fewer in zip(loose, strict, strict=True):
        assert {s.action for s in fewer.actions} <= {s.action for s in more.actions}


def test_the_shipped_table_is_as_large_and_clean_as_promised() -> None:
    examples = shipped_examples()
    for action in ACTIONS:
        assert sum(action in e.actions for e in examples) >= 60, action
    assert sum(not e.told for e in examples) >= 600
    folded = [e.sentence.casefold() for e in examples]
    assert len(set(folded)) == len(folded)


def test_the_shipped_model_is_of_the_shipped_patterns_and_actions() -> None:
    model = load_action_model()
    assert set(model.actions) == set(ACTIONS)
    assert set(model.patterns.patterns) == set(shipped_patterns())
    assert {p.action for p in shipped_patterns()} == set(ACTIONS)


def test_pattern_rows_survive_the_model_file() -> None:
    for pattern in shipped_patterns():
        assert Pattern.of_row(pattern.as_row()) == pattern


def test_the_runtime_margins_are_those_of_scikit_learn() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.svm import LinearSVC

    examples = small_examples()
    model = fit_actions(examples, folds=4).model
    paragraphs = paragraphs_of([e.sentence for e in examples], load_parser(), Naming())
    tokens = [line_tokens(p) for p in paragraphs]
    vectorizer = TfidfVectorizer(analyzer=word_terms)
    X = vectorizer.fit_transform(tokens)
    for column, action in enumerate(model.actions):
        truth = [action in e.actions for e in examples]
        machine = LinearSVC(C=1.0, class_weight="balanced", random_state=0).fit(X, truth)
        expected = machine.decision_function(X)
        np.testing.assert_allclose(model.margins(tokens)[:, column], expected, atol=1e-6)


def small_examples() -> list[Example]:
    """A user's own action beside one of ours."""
    smokes = ["lights a cigarette", "smokes in the dark", "lights a cigar", "smokes a pipe",
              "lights another cigarette", "smokes by the door", "lights her cigarette",
              "smokes slowly"]  # fmt: skip
    eats = ["eats an apple", "eats alone", "is eating soup", "eats her bread", "bites an apple",
            "eats a pie", "eats cake", "eats quickly"]  # fmt: skip
    quiet = ["looks up", "closes the window", "reads", "writes a letter", "laughs", "leaves",
             "opens a letter", "sings a song", "sleeps", "waits by the car"]  # fmt: skip
    names = ["Rick", "Ilsa", "Sam", "Kate", "The waiter", "He", "She", "Tom", "Ann", "Lou"]
    return [
        Example(f"{name} {words}.", frozenset({(action, name)} if action else ()))
        for action, phrases in (("Smoke", smokes), ("Eat", eats), ("", quiet))
        for name, words in zip(names, phrases, strict=False)
    ]


def test_a_users_own_action_is_learnt_with_its_people() -> None:
    model = fit_actions(small_examples(), folds=4).model
    assert set(model.actions) == {"Smoke", "Eat"}
    assert any(p.action == "Smoke" and "smoke" in p.verbs for p in model.patterns.patterns)
    read = classify_sentences(["JACK smokes near the gate.", "Jack does not smoke."], model=model)
    assert [(s.action, s.people) for s in read[0].actions] == [("Smoke", ("Jack",))]
    assert read[1].actions == ()


def test_a_model_survives_its_file_and_holds_no_pickle(tmp_path: Path) -> None:
    model = fit_actions(small_examples(), folds=4).model
    path = tmp_path / "mine.npz"
    model.save(path)
    again = load_action_model(path)
    assert again.actions == model.actions
    assert dict(again.terms) == dict(model.terms)
    assert again.blend == model.blend
    assert again.patterns.patterns == model.patterns.patterns
    np.testing.assert_allclose(again.weights, model.weights, atol=1e-6)
    with np.load(path, allow_pickle=False) as arrays:
        assert all(arrays[name].dtype != object for name in arrays.files)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b"hello", b"\x93NUMPY"])
def test_a_damaged_model_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    with pytest.raises(InputError, match="not an action model"):
        load_action_model(path)


def test_a_missing_model_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="evidence train"):
        load_action_model(tmp_path / "none.npz")


def write_table(path: Path, examples: Sequence[Example]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["sentence", "action", "person"])
        for one in examples:
            rows.writerows((one.sentence, a, p) for a, p in one.told or {("background", "")})
    return path


def test_a_table_of_sentences_survives_its_file(tmp_path: Path) -> None:
    examples = small_examples()
    assert read_examples(write_table(tmp_path / "mine.csv", examples)) == examples


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_tables_as_spreadsheets_write_them(delimiter: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    rows = [["sentence", "action"], ["Ren\u00e9 \u2013 at last \u2013 sits, smiling.", "SitDown"]]
    path.write_bytes(
        "\r\n".join(delimiter.join(f'"{c}"' for c in r) for r in rows).encode(encoding)
    )
    (one,), warnings = read_table(path)
    assert (one.sentence, one.actions) == (rows[1][0], {"SitDown"})
    assert ["cp1252" in w for w in warnings] == ([True] if encoding == "cp1252" else [])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("text,label\na,b\n", "lacks action and sentence"),
        ("sentence,action\n", "no sentences"),
        ("sentence,action\nHe runs.,\n", "needs a sentence and an action"),
        ('sentence,action\n"He runs.,Run\n', "not a CSV table"),
    ],
)
def test_a_bad_table_is_one_sentence(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        read_examples(path)


def test_too_few_sentences_are_refused(tmp_path: Path) -> None:
    few = [Example("He smokes.", frozenset({("Smoke", "")})), Example("He waits.", frozenset())]
    with pytest.raises(InputError, match="'Smoke' has 1 sentences"):
        train_actions(write_table(tmp_path / "few.csv", few), with_shipped=False)


def test_training_is_reproducible() -> None:
    first, second = (fit_actions(small_examples(), folds=4, seed=3) for _ in range(2))
    assert first.both == second.both
    np.testing.assert_array_equal(first.model.weights, second.model.weights)


def test_self_training_adds_only_new_sentences_it_is_sure_of() -> None:
    model = load_action_model()
    known = [Example("Rick sits down.", frozenset({("SitDown", "Rick")}))]
    lines = ["Rick sits down.", "Ilsa sits down at the table.", "Ilsa runs.", "The moon is pale."]
    new = grown(model, lines, known=known)
    assert "Rick sits down." not in [e.sentence for e in new]
    sure = {e.sentence: e.actions for e in new if e.actions}
    assert sure["Ilsa sits down at the table."] == {"SitDown"}
    for sentence in sure:
        (read,) = classify_sentences([sentence])
        assert max(s.score for s in read.actions) >= SURE


def test_words_alone_do_not_hear_a_negation_but_both_voices_do() -> None:
    paragraphs = paragraphs_of(["He doesn't sit down at the table."], load_parser(), Naming())
    model = load_action_model()
    alone = read_paragraphs(paragraphs, model, voice=Voice.WORDS, threshold=0.3)
    both = read_paragraphs(paragraphs, model, threshold=0.3)
    assert both[0][0].statements == ()
    assert both[0][0].denied == {"SitDown"}
    assert alone[0][0].denied == frozenset()


def test_scores_count_pairs_and_triples() -> None:
    examples = [
        Example("a", frozenset({("Run", "Rick"), ("Run", "Ilsa")})),
        Example("b", frozenset({("Eat", "the waiter")})),
        Example("c", frozenset()),
    ]
    found = [frozenset({("Run", "rick")}), frozenset({("Eat", "waiter")}), frozenset({("Eat", "")})]
    actions, persons = action_scores(examples, found), person_scores(examples, found)
    assert actions["Run"].f1 == 1.0
    assert persons["Run"].f1 == pytest.approx(2 / 3)
    assert persons["Eat"].f1 == pytest.approx(2 / 3)
    assert macro_f1(actions) == pytest.approx((1 + 2 / 3) / 2)


def test_statements_are_plain_json_values() -> None:
    (read,) = classify_sentences(["Rick sits down."])
    json.dumps([[s.action, s.score, s.people] for s in read.actions], allow_nan=False)
