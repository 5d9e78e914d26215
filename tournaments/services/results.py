"""What follows from a match that is over: its pairing decided, its round closed, the tournament finished."""

from __future__ import annotations

import logging

from django.db import connection, transaction
from django.utils import timezone

from matches.core.lifecycle import OVER, MatchStatus
from matches.models import Match, OutboxKind
from tournaments.formats.lifecycle import PairingStatus, RoundStatus, TournamentStatus
from tournaments.models import Pairing, Round, Tournament
from tournaments.services.publishing import publish_locked
from tournaments.services.state import lock, move

logger = logging.getLogger(__name__)
_DECIDED_BY = {MatchStatus.FINISHED: PairingStatus.DECIDED, MatchStatus.VOID: PairingStatus.VOID}


def take(kind: OutboxKind, match: Match) -> None:
    """The outbox consumer. Looks at the match, not at the news, so that any order and any repetition will do."""
    pairing = Pairing.objects.select_related("round__stage").filter(match=match).first()
    if pairing is not None:
        settle(pairing.round.stage.tournament_id)


@transaction.atomic
def settle(tournament_id: int) -> None:
    """Brings a tournament up to date with its matches. Locks the tournament; does nothing the second time."""
    tournament = lock(tournament_id)
    _decide_pairings(tournament)
    _close_rounds(tournament)
    running = tournament.status in (TournamentStatus.RUNNING, TournamentStatus.PAUSED)
    if running and not _pairings(tournament).filter(status=PairingStatus.OPEN).exists():
        move(tournament, TournamentStatus.FINISHED)
        if tournament.auto_publish:
            publish_locked(tournament, None)


def _pairings(tournament: Tournament):
    return Pairing.objects.filter(round__stage__tournament=tournament)


def _decide_pairings(tournament: Tournament) -> None:
    for match_status, pairing_status in _DECIDED_BY.items():
        _pairings(tournament).filter(match__status=match_status).exclude(status=pairing_status).update(
            status=pairing_status
        )


def _close_rounds(tournament: Tournament) -> None:
    open_rounds = Round.objects.filter(stage__tournament=tournament, status=RoundStatus.RELEASED)
    over = open_rounds.exclude(pairings__status=PairingStatus.OPEN)
    over.update(status=RoundStatus.CLOSED, closed_at=timezone.now())


def sweep() -> int:
    """The backstop: settles every tournament whose matches went on without it; returns how many it settled.

    One that cannot be settled does not keep the others waiting.
    """
    settled = 0
    for tournament_id in _behind():
        try:
            settle(tournament_id)
        except Exception:  # the worker's outermost loop; the next sweep tries again
            if not connection.is_usable():
                raise
            logger.exception("Tournament %s cannot be settled", tournament_id)
        else:
            settled += 1
    return settled


def _behind() -> list[int]:
    """Tournaments with a decided match that is not taken in, or with nothing left to play and no end."""
    late = Pairing.objects.filter(status=PairingStatus.OPEN, match__status__in=list(OVER))
    tournaments = set(late.values_list("round__stage__tournament_id", flat=True))
    going_on = Tournament.objects.filter(status__in=[TournamentStatus.RUNNING, TournamentStatus.PAUSED])
    unended = going_on.exclude(stages__rounds__pairings__status=PairingStatus.OPEN)
    return sorted(tournaments | set(unended.values_list("pk", flat=True)))
