"""A hall of people: tournaments whose matches are reported, so that no card has to be played for a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matches.core.agreement import ReportedScore
from matches.models import Match, Player, User
from matches.services import reports
from matches.services.players import person as player_of_wood
from tests.cast import anna
from tournaments.formats.lifecycle import Audience, PairingStatus, RoundStatus
from tournaments.models import Pairing, Round, Tournament
from tournaments.services import draws, entries, results, stages
from tournaments.services.members import newest_version

NAMES = ("Greta", "Gerd", "Hanna", "Ihor", "Larysa", "Mykola", "Nina", "Orest", "Petro", "Roman", "Sofia", "Taras")


def event(
    *formats: str | tuple[str, dict[str, Any]],
    people: int = 5,
    slug: str = "cup",
    owners: Sequence[User] = (),
    **options: Any,
) -> Tournament:
    """A tournament of Anna's in which so many people are entered. `owners`: whose players the first of them are."""
    row = Tournament.objects.create(slug=slug, name=slug.capitalize(), organiser=anna(), **{"boards": 1, **options})
    for one in formats:
        name, columns = one if isinstance(one, tuple) else (one, {})
        stages.plan(row.pk, name, **columns)
    entries.open_registration(row.pk)
    for number, name in enumerate(NAMES[:people]):
        owner = owners[number] if number < len(owners) else None
        entries.enter(row.pk, newest_version(player_called(name, owner)), rating=2000 - number)
    row.refresh_from_db()
    return row


def player_called(name: str, owner: User | None = None) -> Player:
    return Player.objects.filter(name=name).first() or player_of_wood(name, owner)


def decide(row: Tournament, most: int | None = None) -> None:
    """Rules the open matches of released rounds: whoever sits first wins 120 to 60, the next 100 to 80, …"""
    open_ones = Pairing.objects.filter(round__stage__tournament=row, status=PairingStatus.OPEN, match__isnull=False)
    released = open_ones.filter(round__status=RoundStatus.RELEASED).order_by("round__number", "number")
    for number, pairing in enumerate(list(released)[:most]):
        sides = pairing.seats.values_list("side", flat=True).distinct().count()
        points = tuple(120 - 20 * number - 60 * side for side in range(sides))
        reports.rule(pairing.match.pk, anna(), ReportedScore(points), "")
    results.settle(row.pk)
    row.refresh_from_db()


def newest_round(row: Tournament) -> Round:
    rounds = Round.objects.filter(stage__tournament=row).exclude(status=RoundStatus.WITHDRAWN)
    return rounds.order_by("-stage__number", "-number")[0]


def let_out(drawn: Round, audience: Audience = Audience.PUBLIC) -> Round:
    draws.confirm(drawn.pk)
    return draws.release(drawn.pk, audience)


def matches_of(row: Tournament) -> list[Match]:
    return list(Match.objects.filter(pairing__round__stage__tournament=row).order_by("pairing__number"))
