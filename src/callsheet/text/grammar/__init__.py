"""English grammar of screenplays: parsed sentences, the people in them, who does which verb.

`parser` is the only module that knows spaCy. It hands out plain `Sentence` trees; the others
walk them: `people` finds names, persons named by a noun, and pronouns; `coreference` says whom
a pronoun means; `roles` finds the doers and receivers of a verb; `stated` says whether the
sentence claims that the verb happens now. `casing` undoes the capitals of screenplays first.
"""

from callsheet.text.grammar.coreference import Paragraph
from callsheet.text.grammar.lexicon import gender_of
from callsheet.text.grammar.parser import Parser, load_parser
from callsheet.text.grammar.people import Mention, MentionKind, Naming
from callsheet.text.grammar.roles import doers
from callsheet.text.grammar.sentences import Sentence, Word
from callsheet.text.grammar.split import split_sentences
from callsheet.text.grammar.stated import denial

__all__ = [
    "Mention",
    "MentionKind",
    "Naming",
    "Paragraph",
    "Parser",
    "Sentence",
    "Word",
    "denial",
    "doers",
    "gender_of",
    "load_parser",
    "split_sentences",
]
