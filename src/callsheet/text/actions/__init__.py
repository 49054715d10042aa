"""Which actions a sentence tells, and who does them: two voices and their combination.

`classifier` is the paper's voice: TF-IDF of words and word pairs, one linear SVM an action.
`patterns` is the explainable one: a table of verbs with what must stand around them.
`statements` lets both speak and asks the grammar who acts; `training` makes a model from
sentences, `scoring` judges one.
"""

from callsheet.text.actions.classifier import ActionModel, load_action_model
from callsheet.text.actions.statements import SentenceReading, Statement, Voice, read_paragraphs

__all__ = [
    "ActionModel",
    "SentenceReading",
    "Statement",
    "Voice",
    "load_action_model",
    "read_paragraphs",
]
