"""What can go wrong at the table, under one root with a stable `code`.

Malformed (CardError, ActionError, RecordError), unknown or not agreed (RulesError, SetupError), illegal now
(IllegalAction, which carries its Reason) are different things.
"""

from __future__ import annotations

from dataclasses import dataclass


class EngineError(ValueError):
    """Root of this package's errors."""

    code = "engine_error"


class CardError(EngineError):
    """A text that names no card or no suit."""

    code = "malformed_card"


class ActionError(EngineError):
    """A text that is no action at all, at any table."""

    code = "malformed_action"


class RecordError(EngineError):
    """A document that cannot be read as the record of a party."""

    code = "malformed_record"


class SetupError(EngineError):
    """A party that cannot be dealt as asked."""

    code = "bad_setup"


class RulesError(EngineError):
    """A preset, option or value that cannot be used; the text says what to write instead.

    `code`: unknown_preset, unknown_option, bad_value, wrong_table.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an action is not legal now: a stable code, and a text for whoever chose it that ends with the clause."""

    code: str
    text: str


class IllegalAction(EngineError):
    """A well-formed action that this seat may not take now."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.text)
        self.code = reason.code
        self.reason = reason

    def __reduce__(self) -> tuple[type[IllegalAction], tuple[Reason]]:
        return type(self), (self.reason,)  # whoever is in another process gets it, too
