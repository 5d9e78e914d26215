"""Who runs a tournament: its organiser, and whoever has the desk's right to change tournaments."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from matches.models import Match, User
from tournaments.formats.lifecycle import RoundStatus
from tournaments.models import Tournament

MAY_DIRECT = "tournaments.change_tournament"


def directs_tournament(user: User | AnonymousUser, tournament: Tournament) -> bool:
    return user.is_authenticated and (user.pk == tournament.organiser_id or user.has_perm(MAY_DIRECT))


def why_not_ruled(round_status: str) -> str:
    """Why no result is ruled in a round of this status; empty where it can be."""
    if round_status in (RoundStatus.RELEASED, RoundStatus.CLOSED):
        return ""
    return f"The round is {round_status}: nothing of it is played before it is released."


def directs(user: User | AnonymousUser, match: Match) -> bool:
    """Whether the user runs the tournament that this match belongs to; a match of none is nobody's here. One query."""
    if not user.is_authenticated:
        return False
    tournament = Tournament.objects.filter(stages__rounds__pairings__match=match).first()
    return tournament is not None and directs_tournament(user, tournament)
