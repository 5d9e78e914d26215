"""What follows from a match that is over: its pairing decided, its round closed, the next one drawn, the end."""

from __future__ import annotations

import logging

from django.db import connection, transaction

from matches.core.lifecycle import OVER
from matches.models import Match, OutboxKind
from tournaments.formats.lifecycle import PairingStatus, RoundStatus, TournamentStatus
from tournaments.models import Pairing, Tournament
from tournaments.services.advancing import advance, forfeited
from tournaments.services.state import lock
from tournaments.services.writing import DRAWN_FROM, WITH_MATCHES

logger = logging.getLogger(__name__)


def take(kind: OutboxKind, match: Match) -> None:
    """The outbox consumer. Looks at the match, not at the news, so that any order and any repetition will do."""
    pairing = Pairing.objects.select_related("round__stage").defer(*DRAWN_FROM).filter(match=match).first()
    if pairing is not None:
        settle(pairing.round.stage.tournament_id)


@transaction.atomic
def settle(tournament_id: int) -> None:
    """Brings a tournament up to date with its matches. Locks the tournament; does nothing the second time."""
    advance(lock(tournament_id))


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
    """Tournaments with a decided match that is not taken in, with a table that is to be forfeited, or that has no
    match, or with nothing left to play and no end."""
    open_pairings = Pairing.objects.filter(status=PairingStatus.OPEN).exclude(round__status=RoundStatus.WITHDRAWN)
    late = open_pairings.filter(match__status__in=list(OVER))
    away = forfeited(open_pairings)
    unmade = open_pairings.filter(match=None, round__status__in=WITH_MATCHES)
    rooms = "round__stage__tournament_id"
    tournaments = {found for rows in (late, away, unmade) for found in rows.values_list(rooms, flat=True)}
    going_on = Tournament.objects.filter(status__in=[TournamentStatus.RUNNING, TournamentStatus.PAUSED])
    unended = going_on.exclude(stages__rounds__pairings__in=open_pairings)
    return sorted(tournaments | set(unended.values_list("pk", flat=True)))
