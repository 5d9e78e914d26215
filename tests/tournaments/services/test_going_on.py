"""Nothing hangs and nothing is lost: what is decided is kept, play goes on as far as it can, and the rest is told."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from matches.core.agreement import ReportedScore, parse_score
from matches.models import Match, User
from matches.services import reports
from matches.services.desk import void_match
from tests.tournaments.services.people import (
    SEED,
    better_number_wins,
    open_tables,
    people,
    play,
    referee,
    say,
)
from tournaments.errors import TournamentError
from tournaments.models import Pairing, Round, Tournament
from tournaments.services import corrections, draws, entries, results, running, stages
from tournaments.web.waiting import why_nothing_happens

pytestmark = pytest.mark.django_db

ALLOW = {"short_tables": "allow"}
FOUR = {"rules": "house/4"}


def started(count: int, name: str, settings: dict[str, object], **options: object) -> Tournament:
    return running.start(people(count, (name, {"settings": settings}), **options).pk, SEED)


def standing(competition: Tournament, number: int) -> Round:
    return Round.objects.exclude(status="withdrawn").get(stage__tournament=competition, number=number)


def first_table(competition: Tournament, number: int) -> Pairing:
    return standing(competition, number).pairings.select_related("match").order_by("number")[0]


def sitting(pairing: Pairing) -> list[int | None]:
    return [seat.entry.number if seat.entry else None for seat in pairing.seats.order_by("seat")]


def kinds(competition: Tournament) -> list[str]:
    return list(competition.events.order_by("id").values_list("kind", flat=True))


def test_a_short_table_is_played_by_the_same_house_s_rules_for_three() -> None:
    competition = started(7, "tables_swiss", {"rounds": 1} | ALLOW, **FOUR, overrides={"target": 501})
    played = [(len(sitting(one)), one.match.rules, one.match.overrides["target"]) for one in open_tables(competition)]
    assert sorted(played) == [(3, "house/3@1", 501), (4, "house/4@1", 501)]
    play(competition)
    points = sorted(row["points"] for row in competition.snapshots.get().rows)
    assert points == sorted([12, 8, 4, 0, 12, 6, 0])


def test_a_table_that_becomes_short_midway_is_played() -> None:
    competition = started(8, "tables_swiss", {"rounds": 2} | ALLOW, **FOUR)
    play(competition, most=2, scores=better_number_wins)
    draws.take_back(standing(competition, 2).pk, "somebody goes")
    entries.withdraw(competition.entries.get(number=1).pk, "ill")
    drawn = draws.propose(competition.stages.get().pk)
    draws.release(draws.confirm(drawn.pk).pk)
    assert sorted(len(sitting(one)) for one in open_tables(competition)) == [3, 4]
    play(competition)
    assert competition.status == "published"


def test_a_short_table_may_be_made_by_hand_where_there_may_be_some() -> None:
    competition = started(8, "tables_swiss", {"rounds": 1} | ALLOW, **FOUR, auto_draw=False)
    drawn = draws.begin_changes(standing(competition, 1).pk)
    one, *rest = [seat.entry.public_id for seat in drawn.pairingseat_set.order_by("entry__number")]
    draws.change(drawn.pk, [[one], rest[:3], rest[3:]], "the first has to leave early")
    draws.release(draws.confirm(drawn.pk).pk)
    assert sorted(len(sitting(one)) for one in open_tables(competition)) == [3, 4]


@pytest.mark.parametrize("name", ["tables_swiss", "table_elimination"])
def test_short_tables_are_refused_where_no_rules_for_three_fit(name: str) -> None:
    competition = people(7, (name, {"settings": ALLOW}), **FOUR)
    assert stages.why_not(competition) == []
    competition.rules = "house/4@7"
    assert any("rules for a table of three" in why for why in stages.why_not(competition))


def test_what_is_decided_is_kept_where_the_next_round_cannot_be_played() -> None:
    competition = started(4, "swiss", {"rounds": 2})
    first, last = open_tables(competition)
    say(first.match, better_number_wins(first))
    say(last.match, better_number_wins(last))
    Tournament.objects.filter(pk=competition.pk).update(overrides={"target": -1})
    for _ in range(3):
        results.settle(competition.pk)
    assert {one.status for one in standing(competition, 1).pairings.all()} == {"decided"}
    assert standing(competition, 1).status == "closed"
    assert kinds(competition).count("no_draw") == 1
    assert "its matches cannot be made" in why_nothing_happens(competition)[-1]
    Tournament.objects.filter(pk=competition.pk).update(overrides={})
    assert results.sweep() == 1
    assert play(competition) == 2


def test_a_match_that_cannot_be_made_is_told_once_and_made_later() -> None:
    competition = started(4, "single_elimination", {})
    Tournament.objects.filter(pk=competition.pk).update(overrides={"target": -1})
    assert play(competition) == 2
    results.settle(competition.pk)
    final = first_table(competition, 2)
    assert (final.status, final.match, sitting(final)) == ("open", None, [1, 2])
    assert kinds(competition).count("no_match") == 1
    assert "cannot go on by itself" in why_nothing_happens(competition)[0]
    Tournament.objects.filter(pk=competition.pk).update(overrides={})
    assert results.sweep() == 1
    assert play(competition) == 1


def test_a_result_that_is_annulled_late_holds_up_nothing_but_what_follows_from_it() -> None:
    competition = started(8, "double_elimination", {})
    play(competition, most=5)  # the first round, and the first of the winners' second
    first = first_table(competition, 1)
    void_match(first.match.pk, "the wrong pack")  # as the desk of matches does, which knows no tournament
    rest = [one for one in open_tables(competition) if not {1, 8} & set(sitting(one))]
    for one in rest:
        say(one.match, better_number_wins(one))
    for _ in range(3):
        results.settle(competition.pk)
    assert sitting(first_table(competition, 2))[0] == 1, "it was played, and stands"
    assert kinds(competition).count("played_later") == 1
    assert all(one.round.number > 1 for one in open_tables(competition))
    assert play(competition) > 0, "others play on"
    told = why_nothing_happens(competition)
    assert "cannot go on by itself" in told[0]
    assert f"round 2, table {first_table(competition, 2).number}" in told[-1]
    corrections.void(first.match.public_id, "the wrong pack", referee(), even_played=True)
    assert sitting(first_table(competition, 2))[0] is None
    play(competition)
    assert competition.status == "published"


@pytest.mark.parametrize(("name", "rounds"), [("swiss", 2), ("single_elimination", 1)])
def test_a_stage_that_was_ended_early_is_not_gone_on_with(name: str, rounds: int) -> None:
    settings: dict[str, object] = {"rounds": 4} if name == "swiss" else {}
    competition = started(8, name, settings, auto_draw=False)
    for number in range(1, rounds + 1):
        drawn = standing(competition, number)
        draws.release(draws.confirm(drawn.pk).pk)
        play(competition)
    running.finish(competition.pk)
    Tournament.objects.filter(pk=competition.pk).update(auto_draw=True)
    corrections.reopen(first_table(competition, rounds).match.public_id, "a card was missing", referee())
    competition.refresh_from_db()
    assert competition.status == "running"
    assert play(competition) == 1
    assert competition.status == "published"
    assert not Round.objects.filter(number__gt=rounds).exclude(status="withdrawn").exists()


def owner_of(competition: Tournament, number: int) -> User:
    user = User.objects.create(username=f"owner {number}")
    player = competition.entries.get(number=number).members.get().player
    player.owner = user
    player.save(update_fields=["owner"])
    return user


def test_what_was_reported_before_somebody_left_is_confirmed_or_ruled() -> None:
    competition = started(2, "round_robin", {})
    one = open_tables(competition)[0]
    winner, loser = (owner_of(competition, number) for number in (sitting(one)))
    told = reports.report(one.match.pk, winner, ReportedScore((3, 1)))
    entries.withdraw(competition.entries.get(number=sitting(one)[0]).pk, "has won, goes home")
    results.settle(competition.pk)
    assert Match.objects.get().status == "reported"
    assert results.sweep() == 0
    reports.confirm(one.match.pk, told.version, loser)
    results.settle(competition.pk)
    assert [(row["name"], row["points"]) for row in competition.snapshots.get().rows] == [
        ("hall 01", 4),
        ("hall 02", 0),
    ]


@pytest.mark.parametrize(("leaving", "status"), [(1, "awaited"), (2, "awaited"), (3, "finished")])
def test_a_larger_table_is_played_on_by_those_who_are_left(leaving: int, status: str) -> None:
    competition = started(4, "tables_swiss", {"rounds": 1}, **FOUR)
    one = open_tables(competition)[0]
    for number in range(1, leaving + 1):
        entries.withdraw(competition.entries.get(number=number).pk, "ill")
    assert Match.objects.get().status == status
    if leaving == 1:
        assert results.sweep() == 0
        seat = sitting(one).index(1)
        text = ["30", "20", "10"]
        text.insert(seat, "-")
        reports.rule(one.match.pk, referee(), parse_score(":".join(text)), "1 went home")
        results.settle(competition.pk)
        assert sorted(row["points"] for row in competition.snapshots.get().rows) == [0, 4, 8, 12]


def test_a_round_that_was_taken_back_is_left_to_the_organiser() -> None:
    competition = started(6, "swiss", {"rounds": 2})
    draws.take_back(standing(competition, 1).pk, "drawn without the guests", referee())
    for _ in range(2):
        results.sweep()
    assert (standing(competition, 1).status, Match.objects.filter(status="awaited").count()) == ("proposed", 0)
    assert draws.propose(competition.stages.get().pk) == standing(competition, 1)
    assert "has not released it yet" in why_nothing_happens(competition)[0]
    draws.release(draws.confirm(standing(competition, 1).pk).pk)
    play(competition)
    assert competition.status == "published", "the next one goes by itself again"


def test_nothing_is_done_to_another_match_than_the_one_that_was_named() -> None:
    competition = started(4, "single_elimination", {})
    named = open_tables(competition)[0].match.public_id
    again = corrections.reopen(named, "a card was missing", referee())
    acts: list[Callable[[], object]] = [
        lambda: corrections.reopen(named, "once more"),
        lambda: corrections.void(named, "late"),
        lambda: corrections.correct(named, ReportedScore((1, 2)), "late"),
    ]
    for act in acts:
        with pytest.raises(TournamentError) as refusal:
            act()
        assert refusal.value.code == "no_such_table"
    again.refresh_from_db()
    assert again.status == "awaited"
