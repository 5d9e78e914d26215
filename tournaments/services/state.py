"""The one way in which a tournament changes its state."""

from __future__ import annotations

from django.utils import timezone

from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import TournamentStatus, may_move
from tournaments.models import Tournament


def lock(tournament_id: int) -> Tournament:
    """The tournament's row, locked until the transaction ends."""
    return Tournament.objects.select_for_update().get(pk=tournament_id)


def move(tournament: Tournament, new: TournamentStatus) -> None:
    """Sends a locked tournament to another state; raises TournamentError where that is no legal move."""
    old = TournamentStatus(tournament.status)
    if not may_move(old, new):
        raise TournamentError("illegal_move", f"“{tournament}” is {old}; from there it cannot become {new}.")
    tournament.status = new
    now = timezone.now()
    if new is TournamentStatus.RUNNING and tournament.started_at is None:
        tournament.started_at = now
    if new is TournamentStatus.FINISHED:
        tournament.finished_at = now
    tournament.save(update_fields=["status", "started_at", "finished_at", "seed"])
