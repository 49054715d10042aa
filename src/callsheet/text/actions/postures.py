"""Postures that last: who "stays standing" or "stands, arms folded" does not stand up."""

from __future__ import annotations

from callsheet.text.grammar import Sentence, Word

_STAYS = frozenset(("stay", "remain", "leave"))
_MEANWHILE = frozenset(
    ("staring", "watching", "waiting", "looking", "listening", "facing", "holding", "smoking",
     "gazing", "leaning", "trembling", "shivering", "breathing", "thinking", "dripping", "reading",
     "talking", "smiling", "eating", "drinking", "sobbing", "weeping", "crying", "singing")
)  # fmt: skip
"""What is done in a posture, not while one takes it."""


def is_held(sentence: Sentence, verb: Word) -> bool:
    """Whether a verb of posture tells how somebody is, not that he gets there."""
    if verb.tag == "VBG":
        lasts = any(w.lemma == "be" for w in sentence.children(verb, "aux"))
        return lasts or sentence.head(verb).lemma in _STAYS
    if _where(sentence, verb):
        return True
    after = [w for w in sentence.words[verb.index + 1 : verb.index + 4] if w.tag != "RB"]
    if len(after) < 2 or after[0].text != ",":
        return False
    return after[1].is_noun or after[1].tag in ("DT", "PRP$") or after[1].lower in _MEANWHILE


def _where(sentence: Sentence, verb: Word) -> bool:
    """ "The rock on which they stand", "where Steele stands"; but "for Vera, who sits"."""
    subjects = {w.lower for w in sentence.children(verb, "nsubj")}
    if verb.relation == "relcl" and not subjects & {"who", "that"}:
        return True
    return any(w.lower == "where" for w in sentence.children(verb, "advmod"))
