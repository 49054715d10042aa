"""Labels made: names film by film, actions over all films, scores, decisions, reasons.

`names` and `actions` state the two problems and solve them, `demands` turns bags into quotas,
`crossfitting` scores every track by what the others say, `rounding` and `calibration` decide,
`labels` writes the answer with its reasons, and `predicting` labels films without a script.
"""

from callsheet.model.actions import ActionFilm, FilmsActions, label_actions, make_actions
from callsheet.model.classifiers import Classifier, read_classifier, write_classifier
from callsheet.model.film_inputs import FilmInputs, read_film, read_persons
from callsheet.model.labels import make_labels
from callsheet.model.names import FilmNames, make_names, name_film
from callsheet.model.predicting import predict
from callsheet.model.settings import ActionSettings, LabelSettings, NameSettings

__all__ = [
    "ActionFilm",
    "ActionSettings",
    "Classifier",
    "FilmInputs",
    "FilmNames",
    "FilmsActions",
    "LabelSettings",
    "NameSettings",
    "label_actions",
    "make_actions",
    "make_labels",
    "make_names",
    "name_film",
    "predict",
    "read_classifier",
    "read_film",
    "read_persons",
    "write_classifier",
]
