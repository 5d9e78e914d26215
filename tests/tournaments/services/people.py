"""Tournaments of people, who report what happened: quick to play in a test, as no card is dealt."""

from __future__ import annotations

from collections.abc import Callable

from matches.core.agreement import ReportedScore, forfeit_of
from matches.models import Agent, AgentStatus, Match, Player, PlayerKind, User
from matches.services.reports import rule
from tournaments.models import Entry, EntryMember, Pairing, Tournament
from tournaments.services import entries, results, stages

SEED = bytes(range(32))
Scores = Callable[[Pairing], ReportedScore]


def referee() -> User:
    """Anna without a password, which is dear to make and which nobody types here."""
    return User.objects.get_or_create(username="anna", defaults={"is_staff": True, "is_superuser": True})[0]


def people(count: int, *formats: tuple[str, dict[str, object]], slug: str = "hall", **options: object) -> Tournament:
    """A tournament that takes entries, with so many people and these stages, each a format and its columns."""
    drawn_up = Tournament.objects.create(
        slug=slug,
        name=slug.capitalize(),
        organiser=referee(),
        **{"boards": 1, "deals": 1, "lots_seed": SEED, **options},
    )
    entries.open_registration(drawn_up.pk)
    enter_people(drawn_up, count)
    for name, columns in formats:
        stages.plan(drawn_up.pk, name, **columns)
    drawn_up.refresh_from_db()
    return drawn_up


def enter_people(competition: Tournament, count: int) -> None:
    """All at once, numbered as they are named."""
    names = [f"{competition.slug} {number:02}" for number in range(1, count + 1)]
    players = Player.objects.bulk_create(Player(name=name, kind=PlayerKind.PERSON) for name in names)
    agents = Agent.objects.bulk_create(
        Agent(player=player, kind=PlayerKind.PERSON, label="person", status=AgentStatus.ACTIVE) for player in players
    )
    entered = Entry.objects.bulk_create(
        Entry(tournament=competition, number=number, name=name, hands=1) for number, name in enumerate(names, start=1)
    )
    EntryMember.objects.bulk_create(
        EntryMember(tournament=competition, entry=entry, player=agent.player, agent=agent)
        for entry, agent in zip(entered, agents, strict=True)
    )


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
    rule(match.pk, referee(), score, reason)


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
