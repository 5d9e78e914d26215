"""Tournaments of people, who report what happened: quick to play in a test, as no card is dealt."""

from __future__ import annotations

from collections.abc import Callable

from matches.core.agreement import ReportedScore, forfeit_of
from matches.models import Agent, Match, Player
from matches.services.players import person
from matches.services.reports import rule
from tests.cast import anna
from tournaments.models import Pairing, Tournament
from tournaments.services import entries, results, stages

SEED = bytes(range(32))
Scores = Callable[[Pairing], ReportedScore]


def agent_of(player: Player) -> Agent:
    return player.agents.get()


def people(count: int, *formats: tuple[str, dict[str, object]], slug: str = "hall", **options: object) -> Tournament:
    """A tournament that takes entries, with so many people and these stages, each a format and its columns."""
    drawn_up = Tournament.objects.create(
        slug=slug, name=slug.capitalize(), organiser=anna(), **{"boards": 1, "deals": 1, **options}
    )
    entries.open_registration(drawn_up.pk)
    for number in range(1, count + 1):
        entries.enter(drawn_up.pk, agent_of(person(f"{slug} {number:02}")))
    for name, columns in formats:
        stages.plan(drawn_up.pk, name, **columns)
    drawn_up.refresh_from_db()
    return drawn_up


def open_tables(competition: Tournament) -> list[Pairing]:
    """In order of stage, round and table."""
    drawn = Pairing.objects.filter(round__stage__tournament=competition, status="open", match__isnull=False)
    ordered = drawn.select_related("match", "round__stage").prefetch_related("seats__entry")
    return list(ordered.order_by("round__stage__number", "round__number", "number"))


def better_number_wins(pairing: Pairing) -> ReportedScore:
    """By the numbers of the entries: the lower the better."""
    sides: dict[int, int] = {}
    for seat in pairing.seats.all():
        sides[seat.side] = sides.get(seat.side, 0) + (0 if seat.entry is None else seat.entry.number)
    return ReportedScore(tuple(1000 - sides[side] for side in sorted(sides)))


def worse_number_wins(pairing: Pairing) -> ReportedScore:
    score = better_number_wins(pairing)
    return ReportedScore(tuple(1000 - points for points in score.points))


def say(match: Match, score: ReportedScore, reason: str = "the referee saw it") -> None:
    """A ruling, whose news is not delivered yet."""
    rule(match.pk, anna(), score, reason)


def play(competition: Tournament, scores: Scores = better_number_wins, most: int = 1000) -> int:
    """Rules on open tables, the first first, until there are none; returns how many were."""
    played = 0
    while played < most and (tables := open_tables(competition)):
        for table in tables[: most - played]:
            if table.match is not None:
                say(table.match, scores(table))
                played += 1
        results.settle(competition.pk)
    competition.refresh_from_db()
    return played


def stay_away(pairing: Pairing, *sides: int) -> ReportedScore:
    return forfeit_of(len({seat.side for seat in pairing.seats.all()}), sides)
