"""Standings: the live table as a fold over results, and the snapshots that an organiser publishes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.db import transaction

from matches.models import ResultSeat, User
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import EntryStatus, PairingStatus, TournamentStatus
from tournaments.models import Pairing, PairingSeat, StandingsSnapshot, Tournament
from tournaments.services.state import lock, move
from tournaments.standings.table import Row, Score, place_points, standings


def scores_of(tournament: Tournament) -> list[Score]:
    """One score per decided pairing, in order of draw. Three queries."""
    pairings = list(
        Pairing.objects.filter(round__stage__tournament=tournament, status=PairingStatus.DECIDED)
        .order_by("round__stage__number", "round__number", "number")
        .values_list("pk", "match_id")
    )
    entries = _by_side(
        PairingSeat.objects.filter(pairing__in=[pk for pk, _ in pairings]).values_list(
            "pairing_id", "side", "entry__public_id"
        )
    )
    results = _by_side(
        (match, index, (place, card_points))
        for match, index, place, card_points in ResultSeat.objects.filter(
            result__in=[match for _, match in pairings]
        ).values_list("result_id", "index", "place", "card_points")
    )
    return [_score(entries[pk], results[match]) for pk, match in pairings]


def _by_side(rows: Any) -> dict[int, dict[int, Any]]:
    sides: dict[int, dict[int, Any]] = {}
    for key, side, value in rows:
        sides.setdefault(key, {})[side] = value
    return sides


def _score(entries: dict[int, str], results: dict[int, tuple[int, int]]) -> Score:
    """Sides are numbered as the match's first seats are, so that theirs are the sides' results."""
    sides = sorted(entries)
    return Score(
        entries=tuple(entries[side] for side in sides),
        points=place_points([results[side][0] for side in sides]),
        card_points=tuple(results[side][1] for side in sides),
    )


def live_standings(tournament: Tournament) -> tuple[Row, ...]:
    """The table as it stands now, folded from results."""
    entries = tournament.entries.filter(status=EntryStatus.ACTIVE).order_by("number")
    return standings(list(entries.values_list("public_id", flat=True)), scores_of(tournament))


@transaction.atomic
def publish(tournament_id: int, by: User | None = None) -> StandingsSnapshot:
    """Publishes the standings as they are; a finished tournament becomes published. Locks the tournament."""
    return publish_locked(lock(tournament_id), by)


def publish_locked(tournament: Tournament, by: User | None) -> StandingsSnapshot:
    """`publish` under a lock that the caller holds; raises TournamentError."""
    if not tournament.is_frozen or tournament.status == TournamentStatus.CANCELLED:
        raise TournamentError("nothing_to_publish", f"“{tournament}” is {tournament.status}: it has no standings.")
    rows = snapshot_rows(tournament)
    content = canonical(rows)
    latest = tournament.snapshots.order_by("-number").first()
    digest = hashlib.sha256(content).hexdigest()
    if tournament.status == TournamentStatus.FINISHED:
        move(tournament, TournamentStatus.PUBLISHED)
    elif latest and latest.sha256 == digest:
        raise TournamentError("nothing_new", f"Standings {latest.number} are published and nothing has changed since.")
    pairings = Pairing.objects.filter(round__stage__tournament=tournament).exclude(status=PairingStatus.BYE)
    return StandingsSnapshot.objects.create(
        tournament=tournament,
        number=latest.number + 1 if latest else 1,
        rows=rows,
        matches_counted=pairings.filter(status=PairingStatus.DECIDED).count(),
        matches_total=pairings.exclude(status=PairingStatus.VOID).count(),
        sha256=digest,
        published_by=by,
    )


def snapshot_rows(tournament: Tournament) -> list[dict[str, Any]]:
    """The live table as plain values, with names and trails, fit to be stored and compared byte by byte."""
    names = dict(tournament.entries.values_list("public_id", "name"))
    return [{**asdict(row), **_lists(row), "name": names[row.entry]} for row in live_standings(tournament)]


def _lists(row: Row) -> dict[str, Any]:
    """A row's tuples as they come back from the database."""
    return {"places": list(row.places), "trail": [asdict(step) for step in row.trail]}


def canonical(rows: Sequence[dict[str, Any]]) -> bytes:
    """The bytes whose SHA-256 a snapshot carries: JSON, keys sorted, no spaces, UTF-8."""
    return json.dumps(rows, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
