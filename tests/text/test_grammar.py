"""Sentences: cut, put into natural case, and asked who does what, and whether it is stated."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callsheet.text.grammar import Naming, Paragraph, denial, doers, load_parser, split_sentences
from callsheet.text.grammar.casing import natural_case, plain
from callsheet.text.grammar.sentences import Sentence, Word


def read(text: str, **naming: dict[str, str]) -> Paragraph:
    parsed = load_parser().parse(split_sentences(text), naming.get("persons", ()))
    return Paragraph(parsed, Naming(**naming))


def verb_of(paragraph: Paragraph, lemma: str) -> tuple[int, Sentence, Word]:
    for at, sentence in enumerate(paragraph.sentences):
        for word in sentence:
            if word.is_verb and word.lemma == lemma:
                return at, sentence, word
    raise AssertionError(f"no verb {lemma} in {[s.text for s in paragraph.sentences]}")


def who(text: str, lemma: str) -> list[str]:
    paragraph = read(text)
    at, sentence, verb = verb_of(paragraph, lemma)
    return [p for word in doers(sentence, verb) for p in paragraph.persons(at, word)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Rick sits. Ilsa stands.", ["Rick sits.", "Ilsa stands."]),
        ("Mr. Blaine sits. He waits...", ["Mr. Blaine sits.", "He waits..."]),
        ("He turns... and runs.", ["He turns... and runs."]),
        ('"Go!" He runs.', ['"Go!"', "He runs."]),
        ("J. Smith eats.", ["J. Smith eats."]),
        ("  \n ", []),
    ],
)
def test_paragraphs_are_cut_into_sentences(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


@pytest.mark.parametrize(
    ("text", "natural"),
    [
        ("RICK SLAMS the door.", "Rick slams the door."),
        ("An OLD MAN enters.", "An old man enters."),
        ("DETECTIVE DIAZ and ILSA run.", "Detective Diaz and Ilsa run."),
        ("The PHONE RINGS.", "The phone rings."),
        ("HOFFMAN stands up.", "Hoffman stands up."),
        ("RICK BLAINE SITS DOWN.", "Rick Blaine sits down."),
        ("BRAN, GROGGY, SITS UP.", "Bran, groggy, sits up."),
        ("O'REILLY runs.", "O'Reilly runs."),
        ("SERGEANT HAYES waits.", "Sergeant Hayes waits."),
        ("ON THE ROOF: RICK runs.", "Rick runs."),
        ("ON TV: two men run.", "On TV: two men run."),
        ("Out comes ILSA, smiling.", "Ilsa comes out, smiling."),
        ("In the cab, RICK at the wheel.", "In the cab, Rick is at the wheel."),
        ("A TALL WOMAN, 30, runs past.", "A tall woman runs past."),
    ],
)
def test_capitals_become_natural_case(text: str, natural: str) -> None:
    assert natural_case(plain(text), frozenset(), load_parser().words) == natural


def test_known_names_win_over_english_words() -> None:
    words = load_parser().words
    assert natural_case("The HOOD of STONE.", frozenset({"STONE"}), words) == "The hood of Stone."


def test_bracketed_asides_and_dashes_go() -> None:
    assert plain("RICK (40s, tall) -- tired -- sits.") == "RICK, tired, sits."
    assert plain("(He sits.)") == "He sits."


@pytest.mark.parametrize(
    ("text", "verb", "people"),
    [
        ("Jack is exiting the room, then Lana rushes toward him.", "rush", ["Lana"]),
        ("Jack is exiting the room, then Lana rushes toward him.", "exit", ["Jack"]),
        ("John and Kate sit down.", "sit", ["John", "Kate"]),
        ("Sam gets out of the car and shakes hands with Renault.", "shake", ["Sam"]),
        ("Kate begins to run.", "run", ["Kate"]),
        ("The door is opened by Jack.", "open", ["Jack"]),
        ("Jack sits up, rubs his eyes, yawns.", "yawn", ["Jack"]),
        ("Dan turns and runs.", "run", ["Dan"]),
        ("Una races after the taxi.", "race", ["Una"]),
        ("Tom watches Kate run.", "run", ["Kate"]),
        ("Mary helps John to stand up.", "stand", ["John"]),
        ("The man who runs the bar waits.", "run", ["man"]),
        ("Standing up, Alice raises her glass.", "stand", ["Alice"]),
        ("The two men rise and bow.", "rise", ["men"]),
        ("A stranger runs.", "run", ["stranger"]),
        ("The general crosses the yard and salutes.", "salute", ["general"]),
        ("Suddenly, Mrs. Tan runs.", "run", ["Mrs. Tan"]),
        ("Tom, now furious, punches the clerk.", "punch", ["Tom"]),
        ("Weary, the baker sits down.", "sit", ["baker"]),
        ("Sighing, the two clerks leave.", "leave", ["clerks"]),
        ("Calmly, quietly, Dorn walks to his horse.", "walk", ["Dorn"]),
        ("Verity, who is pouring tea, nods.", "pour", ["Verity"]),
        ("Lt. Hardy salutes the flag.", "salute", ["Lt. Hardy"]),
        ("Ruth pulls the gate shut and waits.", "wait", ["Ruth"]),
        ("All three of them turn around.", "turn", ["they"]),
        ("Both guards turn around.", "turn", ["guards"]),
        ("At last Nora relents and waves.", "wave", ["Nora"]),
        ("Beside him Nora yawns.", "yawn", ["Nora"]),
        ("Stirred by the noise, Hugh turns over.", "turn", ["Hugh"]),
        ("Norbert swimming, Ada asleep on the shore.", "swim", ["Norbert"]),
        ("He sees Ada and Norbert swimming.", "swim", ["Ada", "Norbert"]),
        ("Detective Ruiz nods, gets up, leaves.", "leave", ["Detective Ruiz"]),
    ],
)
def test_who_does_a_verb(text: str, verb: str, people: list[str]) -> None:
    assert who(text, verb) == people


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("He doesn't sit down.", "sit"),
        ("Nobody eats.", "eat"),
        ("She could kiss him.", "kiss"),
        ("She wants to kiss him.", "kiss"),
        ("He refuses to shake hands.", "shake"),
        ("He remembers kissing her.", "kiss"),
        ("He had kissed her once.", "kiss"),
        ("She asks him to sit down.", "sit"),
        ("He leaves without kissing her.", "kiss"),
        ("Instead of sitting down, he leaves.", "sit"),
        ("If he runs, they will shoot.", "run"),
        ("He runs every morning.", "run"),
        ("She almost slaps him.", "slap"),
        ("In the painting, a man kisses a nun.", "kiss"),
        ("He is too drunk to drive.", "drive"),
        ("He looks as if he hugs a tree.", "hug"),
        ("A mural: three men wrestling a bull.", "wrestle"),
        ("She recalls the summer he sailed to Spain.", "sail"),
    ],
)
def test_what_is_not_stated(text: str, verb: str) -> None:
    _, sentence, word = verb_of(read(text), verb)
    assert denial(sentence, word) is not None


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("Rick sits down.", "sit"),
        ("Kate begins to run.", "run"),
        ("He leans in to kiss her.", "kiss"),
        ("They keep eating.", "eat"),
        ("He wipes his palm before he shakes hands.", "shake"),
        ("Ilsa is running along the road.", "run"),
        ("He doesn't look back; he runs.", "run"),
        ("Tom sees Kate kissing Bill.", "kiss"),
    ],
)
def test_what_is_stated(text: str, verb: str) -> None:
    _, sentence, word = verb_of(read(text), verb)
    assert denial(sentence, word) is None


@pytest.mark.parametrize(
    ("text", "verb", "people"),
    [
        ("Lana looks at Jack. He runs.", "run", ["Jack"]),
        ("Jack looks at Tom. He runs.", "run", ["Jack"]),
        ("Kate and Tom enter. They hug.", "hug", ["Kate", "Tom"]),
        ("As he runs, Jack looks back.", "run", ["Jack"]),
        ("He runs.", "run", ["he"]),
    ],
)
def test_pronouns_take_the_nearest_fitting_name(text: str, verb: str, people: list[str]) -> None:
    assert who(text, verb) == people


def test_the_doer_is_not_its_own_object() -> None:
    paragraph = read("Jack looks on. Ben rushes toward him.")
    him = next(w for w in paragraph.sentences[1] if w.lower == "him")
    assert paragraph.persons(1, him) == ("Jack",)


def test_aliases_become_persons() -> None:
    naming = {"persons": {"BLAINE": "RICK", "RICK": "RICK", "WAITER": "WAITER"}}
    paragraph = read("Blaine sits. The waiter runs.", **naming)
    people = [m.person for mentions in paragraph.mentions for m in mentions]
    assert people == ["RICK", "WAITER"]


def test_context_explains_a_pronoun_that_its_paragraph_does_not() -> None:
    sentences = load_parser().parse(["He sits down."])
    paragraph = Paragraph(sentences, Naming({"Ilsa": "Ilsa", "Rick": "Rick"}), ("Ilsa", "Rick"))
    assert paragraph.persons(0, sentences[0][0]) == ("Rick",)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120))
def test_any_text_parses_to_a_well_formed_tree(text: str) -> None:
    for sentence in load_parser().parse(split_sentences(text)):
        for word in sentence:
            assert sentence[word.index] is word
            assert 0 <= word.head < len(sentence)
            assert len(list(sentence.above(word))) <= len(sentence)
            doers(sentence, word)
            denial(sentence, word)


WORDS = """RICK Ilsa the a old man and , then runs run sits kisses her him door Suddenly In kitchen
    opens begins to hug Bob general stranger two cops 's hand shakes Standing up . - Mrs. who
"""


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=12))
def test_propped_up_sentences_stay_trees(words: list[str]) -> None:
    for sentence in load_parser().parse([" ".join(words)]):
        for word in sentence:
            above = list(islice(sentence.above(word), len(sentence) + 1))
            assert len(above) <= len(sentence), sentence
            assert -1 <= word.shares < word.index
            doers(sentence, word)
            denial(sentence, word)


def test_endless_sentences_are_cut_where_they_pause_and_nothing_is_lost() -> None:
    text = ", ".join(f"Rick runs by door {n}" for n in range(200)) + "."
    pieces = split_sentences(text)
    assert max(map(len, pieces)) <= 1200
    assert " ".join(pieces) == text
    assert "".join(split_sentences("x" * 5000)) == "x" * 5000
    assert any(word.text == "199" for s in load_parser().parse(pieces) for word in s)
