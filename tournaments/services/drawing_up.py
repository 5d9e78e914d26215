"""Changing what a tournament is to be, for as long as it may change."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from tournaments.errors import TournamentError
from tournaments.models import Tournament
from tournaments.services.state import lock

DRAWN_UP = (
    "name",
    "slug",
    "description",
    "organiser",
    "rules",
    "overrides",
    "boards",
    "deals",
    "control",
    "strict",
    "rated",
    "auto_publish",
)
"""What an organiser decides about a tournament. Its state is none of these: it moves by `state.move` alone."""

ALWAYS_FREE = frozenset({"name", "description", "auto_publish"})
"""What may change after the start too."""


@transaction.atomic
def redraw(tournament_id: int, changes: Mapping[str, object]) -> Tournament:
    """Writes these fields and no others; raises TournamentError for what froze with the start.

    Locks the tournament, so that nobody who loaded it earlier undoes a start that came between. Raises ValueError for
    a field that is not drawn up.
    """
    if unknown := sorted(set(changes) - set(DRAWN_UP)):
        raise ValueError(f"{', '.join(unknown)}: expected some of {', '.join(DRAWN_UP)}")
    tournament = lock(tournament_id)
    if tournament.is_frozen and (late := sorted(set(changes) - ALWAYS_FREE)):
        raise TournamentError(
            "frozen",
            f"“{tournament}” is {tournament.status}; {', '.join(late)} may no longer change. Nothing is saved.",
        )
    for name, value in changes.items():
        setattr(tournament, name, value)
    tournament.save(update_fields=list(changes))
    return tournament
