"""News for the world: told inside the transaction that makes it true, to whoever the settings name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from django.conf import settings
from django.utils.module_loading import import_string


class Listener(Protocol):
    """Writes down what it is told and returns at once; it has no right to fail."""

    def __call__(self, event: str, subject: str, content: Mapping[str, Any], *, tournament: str = "") -> None: ...


def announce(event: str, subject: str, content: Mapping[str, Any], *, tournament: str = "") -> None:
    """Tells every listener of ANNOUNCEMENT_LISTENERS of something that everybody may know from now on.

    `event`: such as `round.drawn`; `subject`: what happened as one text, the same for the same news told twice;
    `content`: plain JSON with public ids and addresses; `tournament`: the public id of the one it is of, if any.
    """
    for path in settings.ANNOUNCEMENT_LISTENERS:
        listener: Listener = import_string(path)
        listener(event, subject, content, tournament=tournament)


def take_back(event: str, subjects: Collection[str]) -> None:
    """Tells every function of RETRACTION_LISTENERS that some news is not for everybody any more.

    `subjects`: as they were announced, or their first word for all that begins with it.
    """
    for path in settings.RETRACTION_LISTENERS:
        import_string(path)(event, subjects)
