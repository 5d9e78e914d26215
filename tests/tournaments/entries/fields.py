"""Tournaments in the middle of their play, written as rows: what entries may do depends on these alone."""

from __future__ import annotations

from django.utils import timezone

from matches.models import Agent
from matches.services.versions import house_agent
from tests.cast import tournament
from tournaments.formats.lifecycle import RoundStatus, StageStatus, TournamentStatus
from tournaments.models import Entry, Round, Stage, StageEntry, Tournament

ROUNDS = 5


def house(name: str) -> Agent:
    return house_agent("random@1", name)


def under_way(*statuses: RoundStatus, entries: int = 4, format_name: str = "swiss", **options: object) -> Tournament:
    """A tournament that runs, with a round of its first stage for each of these states."""
    cup = tournament(*["random@1"] * entries, **options)
    stage = Stage.objects.create(
        tournament=cup,
        number=1,
        format=format_name,
        settings={"rounds": ROUNDS} if format_name == "swiss" else {},
        status=StageStatus.RUNNING,
    )
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, entry=entry, number=entry.number) for entry in cup.entries.order_by("number")
    )
    for number, status in enumerate(statuses, start=1):
        closed_at = timezone.now() if status == RoundStatus.CLOSED else None
        Round.objects.create(stage=stage, number=number, status=status, closed_at=closed_at)
    return moved(cup, TournamentStatus.RUNNING)


def moved(cup: Tournament, status: TournamentStatus) -> Tournament:
    Tournament.objects.filter(pk=cup.pk).update(status=status, started_at=timezone.now())
    cup.refresh_from_db()
    return cup


def entry(cup: Tournament, number: int = 1) -> Entry:
    return cup.entries.get(number=number)
