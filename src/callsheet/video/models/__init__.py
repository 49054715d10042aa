"""Pretrained networks: which there are (registry), where they lie (cache), how they come here."""

from callsheet.video.models.cache import (
    AddedModel,
    add_model,
    added_models,
    file_sha256,
    is_present,
    model_path,
    model_recipe,
    models_folder,
    part_path,
)
from callsheet.video.models.fetching import pull_models
from callsheet.video.models.registry import (
    REGISTRY,
    Conversion,
    InputRecipe,
    Model,
    Part,
    Task,
    known_model,
    needed_models,
)

__all__ = [
    "REGISTRY",
    "AddedModel",
    "Conversion",
    "InputRecipe",
    "Model",
    "Part",
    "Task",
    "add_model",
    "added_models",
    "file_sha256",
    "is_present",
    "known_model",
    "model_path",
    "model_recipe",
    "models_folder",
    "needed_models",
    "part_path",
    "pull_models",
]
