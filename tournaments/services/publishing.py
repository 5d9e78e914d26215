"""Standings: the live table as a fold over results, and the snapshots that an organiser publishes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.db import transaction

from matches.models import User
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import PairingStatus, TournamentStatus
from tournaments.models import Pairing, Stage, StandingsSnapshot, Tournament
from tournaments.services.history import closed_rounds
from tournaments.services.ranking import criteria_of, live_standings, newest_stage, stage_standings
from tournaments.services.state import lock, move
from tournaments.services.telling import tell_published
from tournaments.standings.table import Row

__all__ = ["canonical", "freeze", "live_standings", "plain", "publish", "publish_locked", "snapshot_rows"]


@transaction.atomic
def publish(tournament_id: int, by: User | None = None) -> StandingsSnapshot:
    """Publishes the standings as they are; a finished tournament becomes published. Locks the tournament."""
    return publish_locked(lock(tournament_id), by)


def publish_locked(tournament: Tournament, by: User | None) -> StandingsSnapshot:
    """`publish` under a lock that the caller holds; raises TournamentError."""
    if not tournament.is_frozen or tournament.status == TournamentStatus.CANCELLED:
        raise TournamentError("nothing_to_publish", f"“{tournament}” is {tournament.status}: it has no standings.")
    rows = snapshot_rows(tournament)
    latest = tournament.snapshots.order_by("-number").first()
    if tournament.status == TournamentStatus.FINISHED:
        move(tournament, TournamentStatus.PUBLISHED)
    elif latest and latest.sha256 == digest(rows):
        raise TournamentError("nothing_new", f"Standings {latest.number} are published and nothing has changed since.")
    return _stored(tournament, newest_stage(tournament), rows, by)


def freeze(stage: Stage, by: User | None = None) -> StandingsSnapshot:
    """Stores a stage's standings as they are, for those who go on to be taken from; whatever comes later changes
    nothing there. To be called under the tournament's lock."""
    return _stored(stage.tournament, stage, plain(stage.tournament, stage_standings(stage)), by)


def _stored(
    tournament: Tournament, stage: Stage | None, rows: list[dict[str, Any]], by: User | None
) -> StandingsSnapshot:
    latest = tournament.snapshots.order_by("-number").first()
    pairings = Pairing.objects.filter(round__stage__tournament=tournament).exclude(status=PairingStatus.BYE)
    snapshot = StandingsSnapshot.objects.create(
        tournament=tournament,
        stage=stage,
        after_round=closed_rounds(stage) if stage else 0,
        criteria=list(criteria_of(tournament)),
        number=latest.number + 1 if latest else 1,
        rows=rows,
        matches_counted=pairings.filter(status=PairingStatus.DECIDED).count(),
        matches_total=pairings.exclude(status=PairingStatus.VOID).count(),
        sha256=digest(rows),
        published_by=by,
    )
    tell_published(snapshot)
    return snapshot


def snapshot_rows(tournament: Tournament) -> list[dict[str, Any]]:
    """The live table as plain values, with names and trails, fit to be stored and compared byte by byte."""
    return plain(tournament, live_standings(tournament))


def plain(tournament: Tournament, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Rows as they come back from the database. One query."""
    names = dict(tournament.entries.values_list("public_id", "name"))
    return [{**_lists(row), "name": names[row.entry]} for row in rows]


def _lists(row: Row) -> dict[str, Any]:
    trail = [
        {
            "criterion": step.criterion,
            "value": step.value,
            "tied_before": step.tied_before,
            "tied_after": step.tied_after,
        }
        for step in row.trail
    ]
    told = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(row).items()}
    return told | {"trail": trail}


def canonical(rows: Sequence[dict[str, Any]]) -> bytes:
    """The bytes whose SHA-256 a snapshot carries: JSON, keys sorted, no spaces, UTF-8."""
    return json.dumps(rows, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(rows: Sequence[dict[str, Any]]) -> str:
    return hashlib.sha256(canonical(rows)).hexdigest()
