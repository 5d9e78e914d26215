"""A whole tournament as one JSON document, which another installation can take in with the same standings.

Rows are told by their columns, under the names that they have here; times in ISO 8601. Deals and records of matches
are not in it, only how they ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from django.db.models import Model, Q

from matches.models import Match
from tournaments.formats.lifecycle import Audience, RoundStatus, TournamentStatus
from tournaments.models import Entry, Pairing, PairingSeat, Round, Stage, StandingsSnapshot, Tournament
from tournaments.services.drawing_up import DRAWN_UP
from tournaments.services.publishing import snapshot_rows

FORMAT: Final = "manela-tournament/1"
OF_THIS_PLACE: Final = ("organiser", "venue")
"""What an organiser decides about a tournament that means nothing elsewhere."""
TOURNAMENT: Final = (
    *(name for name in DRAWN_UP if name not in OF_THIS_PLACE),
    "status",
    "is_by_the_rules",
    "started_at",
    "finished_at",
)
ENTRY: Final = (
    "public_id",
    "name",
    "number",
    "status",
    "status_reason",
    "rating",
    "club",
    "hands",
    "checked_in_at",
    "joined_round",
    "left_stage",
    "left_round",
)
STAGE: Final = (
    "number",
    "name",
    "format",
    "settings",
    "status",
    "seeding",
    "takes",
    "carries_points",
    "protected_rounds",
    "length",
    "boards",
    "deals",
    "started_at",
    "finished_at",
    "ended_with",
)
ROUND: Final = (
    "number",
    "part",
    "status",
    "status_reason",
    "audience",
    "engine",
    "lots",
    "position",
    "draw",
    "changes",
    "starts_at",
    "minutes",
    "closed_at",
)
PAIRING: Final = ("number", "group", "status", "bye", "reasons")
SEAT: Final = ("seat", "side", "state")
MATCH: Final = ("title", "status", "status_reason", "started_at", "finished_at")
RESULT: Final = ("kind", "forfeited_parties")
RESULT_SEAT: Final = ("index", "side", "points", "card_points", "parties", "place", "outcome", "is_absent")
SNAPSHOT: Final = ("number", "after_round", "criteria", "rows", "matches_counted", "matches_total", "sha256")
OVER: Final = (TournamentStatus.FINISHED, TournamentStatus.PUBLISHED, TournamentStatus.CANCELLED)


def document_of(tournament: Tournament, *, is_whole: bool = False) -> dict[str, Any]:
    """All of a tournament. `is_whole`: for its directors, who alone are told the seed of the lots before it is over,
    and the draws that were taken back before everybody had seen them."""
    told = columns(tournament, TOURNAMENT) | {"lots_commitment": tournament.lots_commitment}
    if is_whole or tournament.status in OVER:
        told["lots_seed"] = bytes(tournament.lots_seed).hex()
    return {
        "format": FORMAT,
        "tournament": told,
        "entries": [_entry(entry) for entry in _entries(tournament)],
        "stages": [_stage(stage, is_whole) for stage in tournament.stages.order_by("number")],
        "snapshots": [_snapshot(one) for one in tournament.snapshots.select_related("stage").order_by("number")],
        "standings": snapshot_rows(tournament),
    }


def columns(row: Model, names: Sequence[str]) -> dict[str, Any]:
    """These columns of a row, as JSON has them."""
    return {name: _plain(getattr(row, name)) for name in names}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _entries(tournament: Tournament) -> Iterator[Entry]:
    yield from tournament.entries.prefetch_related("members__player", "asked_byes").order_by("number")


def _entry(entry: Entry) -> dict[str, Any]:
    return columns(entry, ENTRY) | {
        "members": [{"name": member.player.name, "kind": member.player.kind} for member in entry.members.all()],
        "asked_byes": [columns(asked, ("stage_number", "round_number", "kind")) for asked in entry.asked_byes.all()],
    }


def _stage(stage: Stage, is_whole: bool) -> dict[str, Any]:
    unseen = Q() if is_whole else Q(status=RoundStatus.WITHDRAWN) & ~Q(audience=Audience.PUBLIC)
    rounds = stage.rounds.exclude(unseen).prefetch_related(
        "pairings__seats__entry",
        "pairings__seats__feed__source__round",
        "pairings__conditional_on__round",
        "pairings__match__result__seats",
    )
    return columns(stage, STAGE) | {
        "entries": [
            columns(one, ("number", "carried", "reason")) | {"entry": one.entry.number}
            for one in stage.stage_entries.select_related("entry").order_by("number")
        ],
        "rounds": [_round(drawn) for drawn in rounds.order_by("number", "pk")],
    }


def _round(drawn: Round) -> dict[str, Any]:
    pairings = sorted(drawn.pairings.all(), key=lambda pairing: pairing.number)
    return columns(drawn, ROUND) | {"pairings": [_pairing(pairing) for pairing in pairings]}


def _pairing(pairing: Pairing) -> dict[str, Any]:
    return columns(pairing, PAIRING) | {
        "conditional_on": _place(pairing.conditional_on),
        "seats": [_seat(seat) for seat in pairing.seats.all()],
        "match": _match(pairing.match),
    }


def _place(pairing: Pairing | None) -> list[int] | None:
    """A table of the stage by its round and number."""
    return [pairing.round.number, pairing.number] if pairing else None


def _seat(seat: PairingSeat) -> dict[str, Any]:
    feed = getattr(seat, "feed", None)
    source = {"kind": feed.kind, "source": _place(feed.source), "place": feed.place} if feed else None
    return columns(seat, SEAT) | {"entry": seat.entry.number if seat.entry else None, "feed": source}


def _match(match: Match | None) -> dict[str, Any] | None:
    if match is None:
        return None
    result = getattr(match, "result", None)
    told = (
        columns(result, RESULT) | {"seats": [columns(seat, RESULT_SEAT) for seat in result.seats.all()]}
        if result
        else None
    )
    return columns(match, MATCH) | {"result": told}


def _snapshot(one: StandingsSnapshot) -> dict[str, Any]:
    return columns(one, SNAPSHOT) | {
        "stage": one.stage.number if one.stage else None,
        "published_at": one.published_at.isoformat(),
    }
