"""Whether a sentence claims that a verb happens, here and now.

`denial` names the reason why it does not: negated, possible, wished, remembered, imagined,
habitual, conditional, quoted, or only about to happen.
"""

from __future__ import annotations

from collections.abc import Iterator

from callsheet.text.grammar.lexicon import word_list
from callsheet.text.grammar.sentences import Sentence, Word

_MODALS = word_list("modals")
_NEVER = word_list("never")
_NOBODY = word_list("nobody")
_ALMOST = frozenset(["almost", "nearly", "practically", "virtually"])
_WISHES = word_list("wishes")
"""Verbs whose complement is not claimed to happen."""

_STRUGGLES_ARE_REAL = frozenset(("struggle",))
_TELLS = word_list("tells")
"""Verbs whose clause is somebody's words or thoughts."""

_HABITS = word_list("habits")
_LONG_AGO = frozenset(["ago", "once", "yesterday", "formerly", "previously", "earlier"])
_IF = frozenset(["if", "unless", "whether", "lest"])
_AS_IF = frozenset(["if", "though"])
_PICTURES = word_list("pictures")
_SCREENS = word_list("screens")
_UNREAL_ADJECTIVES = word_list("unreal adjectives")


def denial(sentence: Sentence, verb: Word) -> str | None:
    """Why `verb` is not stated to happen; None if it is."""
    return _own_denial(sentence, verb) or _denied_above(sentence, verb)


def _own_denial(sentence: Sentence, verb: Word) -> str | None:
    if verb.index > 1 and [w.lower for w in sentence.words[verb.index - 2 : verb.index]] == [
        "rather", "than"
    ]:  # fmt: skip
        return "negated"
    below = [*sentence.children(verb), *_shared_auxiliaries(sentence, verb)]
    lowered = {w.lower for w in below}
    if _in_quotes(sentence, verb):
        return "quoted"
    if _captioned(sentence, verb):
        return "imagined"
    bare = verb.tag == "VB" and verb.lower == verb.lemma
    if bare and verb.relation == "ROOT" and verb.index == 0:
        return "ordered"
    around = [*below, *sentence.children(sentence.first_conjunct(verb), "prep")]
    if any(_is_picture(sentence, w) for w in around):
        return "imagined"
    if any(_negates(sentence, w, verb) for w in below):
        return "negated"
    if any(w.tag == "MD" or (w.relation == "aux" and w.lower in _MODALS) for w in below):
        return "possible"
    if lowered & _ALMOST:
        return "almost"
    if lowered & _HABITS or _every_period(sentence, verb):
        return "habitual"
    if _is_past(sentence, verb, below):
        return "past"
    if any(w.relation == "mark" and w.lower in _IF for w in below) or _as_if(below):
        return "conditional"
    return None


def _captioned(sentence: Sentence, verb: Word) -> bool:
    """ "A poster: two boxers fighting"."""
    before = sentence.words[: min(verb.index, 8)]
    colon = next((w.index for w in before if w.text == ":"), 0)
    return any(w.lemma in _SCREENS or w.lower in _SCREENS for w in before[:colon])


def _is_picture(sentence: Sentence, below: Word) -> bool:
    """ "*In the painting* a man kisses a nun"."""
    inner = sentence.children(below, "pobj") if below.relation == "prep" else []
    return below.lower in ("in", "on") and any(w.lemma in _SCREENS for w in inner)


def _shared_auxiliaries(sentence: Sentence, verb: Word) -> Iterator[Word]:
    """Auxiliaries said once for joined verbs: "doesn't stop or sit", "could kiss and hug"."""
    if verb.relation != "conj" or sentence.children(verb, "nsubj", "nsubjpass", "aux", "auxpass"):
        return
    first = sentence.first_conjunct(verb)
    same_form = first.tag == verb.tag and verb.tag in ("VB", "VBN")
    if same_form:
        yield from sentence.children(first, "aux", "neg")


def _negates(sentence: Sentence, word: Word, verb: Word) -> bool:
    if word.relation == "neg" or word.lower in ("never", "neither", "nor", "hardly"):
        return not (word.lower == "no" and word.index > verb.index)
    if word.lower == "no" and word.relation == "det":
        return True  # "No hug, no smile."
    if word.relation in ("nsubj", "nsubjpass"):
        phrase = [word, *sentence.children(word, "det", "neg", "advmod")]
        return any(w.lower in _NOBODY for w in phrase)
    return False


def _every_period(sentence: Sentence, verb: Word) -> bool:
    """ "every morning", "on Sundays", "each night", "for a living"."""
    periods = {"morning", "day", "night", "evening", "week", "year", "sunday", "month", "time",
               "afternoon", "summer", "winter", "weekend", "monday", "saturday"}  # fmt: skip
    for word in sentence.subtree(verb):
        if word.lemma in periods and {"every", "each"} & {c.lower for c in sentence.children(word)}:
            return True
        if word.lower in ("living", "mondays", "sundays", "saturdays", "fridays", "nowadays"):
            return True
        if word.lower == "days" and {"these", "old", "those"} & {
            c.lower for c in sentence.children(word)
        }:
            return True
    return False


def _is_past(sentence: Sentence, verb: Word, below: list[Word]) -> bool:
    if any(w.relation == "aux" and w.lower in ("had", "used") for w in below):
        return True
    when = {w.lower for w in below}
    for word in below:
        when |= {w.lower for w in sentence.children(word)}
    years = any(len(w) == 4 and w.isdigit() and w[:2] in ("18", "19", "20") for w in when)
    past_form = verb.tag in ("VBD", "VBN")
    return past_form and (years or bool(when & _LONG_AGO) or "last" in when)


def _as_if(below: list[Word]) -> bool:
    marks = {w.lower for w in below if w.relation in ("mark", "advmod")}
    return "as" in marks and bool(marks & _AS_IF)


def _in_quotes(sentence: Sentence, verb: Word) -> bool:
    before = sum(w.text in ('"', "``", "''") for w in sentence.words[: verb.index])
    return before % 2 == 1


def _denied_above(sentence: Sentence, verb: Word) -> str | None:
    """Walk up: what governs the verb may take it back."""
    below = verb
    for head in sentence.above(verb):
        reason = _taken_back(sentence, below, head)
        if reason:
            return reason
        if below.relation in ("conj", "ROOT", "relcl") and not _same_clause(sentence, below):
            return None
        below = head
    return None


def _same_clause(sentence: Sentence, verb: Word) -> bool:
    """Whether a conjunct shares the fate of what it is joined to: "wants to sit and eat"."""
    first = sentence.first_conjunct(verb)
    return verb.relation == "conj" and first.tag == verb.tag and verb.tag in ("VB", "VBG", "VBN")


def _taken_back(sentence: Sentence, below: Word, head: Word) -> str | None:
    relation = below.relation
    if relation in ("xcomp", "ccomp", "pcomp") and head.is_verb:
        return _by_verb(sentence, below, head)
    if relation == "pcomp" or head.relation == "prep":
        return _by_preposition(sentence, below, head)
    if relation in ("xcomp", "ccomp", "advcl", "acl") and head.tag.startswith(("JJ", "RB")):
        return "possible" if head.lemma in _UNREAL_ADJECTIVES or _too(sentence, head) else None
    if relation in ("acl", "pobj", "relcl") and head.is_noun:
        told_of = relation != "relcl" or _shown(head) or below.tag == "VBD"
        if head.lemma in _PICTURES and told_of:
            return "imagined"
        above = sentence.head(head)  # "remembers the night he fought"
        return "told" if below.tag == "VBD" and above.lemma in _TELLS else None
    if relation == "advcl" and head.is_verb and below.tag == "VB":
        return _by_purpose(sentence, below, head)
    return None


def _shown(noun: Word) -> bool:
    return noun.lemma in ("photo", "photograph", "picture", "painting", "poster", "statue")


def _by_verb(sentence: Sentence, below: Word, head: Word) -> str | None:
    if head.lemma in _STRUGGLES_ARE_REAL:
        return "wished" if _but(sentence, head) else None
    own_clause = bool(sentence.children(below, "nsubj")) or below.relation == "ccomp"
    finite = below.tag in ("VBZ", "VBP", "VBD")
    if own_clause and finite:
        told = head.lemma in _TELLS | _WISHES and head.index < below.index
        return "told" if told else None
    if head.lemma == "have" and below.tag == "VB" and _has_to(sentence, below):
        return "possible"
    if head.lemma == "go" and head.tag == "VBG" and below.tag == "VB":
        return "possible"
    if head.lemma in ("show", "depict", "portray", "picture"):
        return "imagined"
    if head.lemma in _WISHES | (_TELLS - {"hear_about"}):
        return "wished"
    reason = _own_denial(sentence, head)
    return reason if reason in ("negated", "possible", "almost", "past") else None


def _but(sentence: Sentence, verb: Word) -> bool:
    """ "struggles to open it, *but* it is jammed"."""
    return any(w.lower == "but" and w.index > verb.index for w in sentence.children(verb, "cc"))


def _has_to(sentence: Sentence, below: Word) -> bool:
    return any(w.lower == "to" for w in sentence.children(below, "aux"))


def _by_preposition(sentence: Sentence, below: Word, head: Word) -> str | None:
    if head.lower in ("without", "before", "instead", "from", "against", "than", "about", "like"):
        return "negated"
    before = sentence[head.index - 1].lower if head.index else ""
    if before == "instead":
        return "negated"
    if head.lower in ("of", "for"):
        governor = sentence.head(head)
        words = {governor.lemma, governor.lower}
        if words & (_PICTURES | _WISHES | _TELLS | {"instead", "think", "capable", "scared"}):
            return "imagined"
    return None


def _by_purpose(sentence: Sentence, below: Word, head: Word) -> str | None:
    """ "leans in to kiss her" happens; "waits to eat" and "has to run" do not."""
    if head.lemma in _WISHES - {"struggle", "ready"} or head.lemma in ("be", "have"):
        return "wished"
    if any(w.lower == "for" and w.relation == "mark" for w in sentence.children(below)):
        return "wished"
    reason = _own_denial(sentence, head)
    return reason if reason in ("negated", "possible") else None


def _too(sentence: Sentence, adjective: Word) -> bool:
    return any(w.lower in ("too", "about") for w in sentence.children(adjective, "advmod"))
