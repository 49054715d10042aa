"""The one family of errors. Every error is a sentence: what is wrong, what was got, what to do.

Below everything else, so that the engine and the words of films can share one base class
without seeing each other. Errors pickle (they cross process borders) and keep their fields.
"""

from __future__ import annotations

from typing import Any


class CallsheetError(Exception):
    """Anything that is not a bug: shown to the user as one sentence, without a traceback."""

    def __init__(self, message: str, **fields: Any) -> None:
        super().__init__(message)
        self.message = message
        self.fields = fields
        for name, value in fields.items():
            setattr(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (type(self), self.message, self.fields))


def _rebuild(kind: type[CallsheetError], message: str, fields: dict[str, Any]) -> CallsheetError:
    return kind(message, **fields)


class InputError(CallsheetError):
    """A file or value from outside cannot be used."""


class ChoiceError(InputError):
    """A name that the caller chose is none of those there are: wrong use of a command."""


class StoreError(CallsheetError):
    """A stored table, matrix or manifest is damaged, foreign or from the future."""


class SettingsError(CallsheetError):
    """A setting is unknown, mistyped or out of range."""


class ModelFileError(CallsheetError):
    """A pretrained network is missing, altered or of the wrong form."""


class MissingExtraError(CallsheetError):
    """An optional dependency is not installed; the message names the command that mends it."""


class EngineError(CallsheetError, ValueError):
    """A problem statement the engine cannot take."""
