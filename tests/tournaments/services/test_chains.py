"""Stages one after another: planned, found possible, played, cut by frozen standings."""

from __future__ import annotations

import pytest

from matches.core.agreement import ReportedScore
from tests.tournaments.services.people import (
    SEED,
    better_number_wins,
    open_tables,
    people,
    play,
    say,
    worse_number_wins,
)
from tournaments.errors import TournamentError
from tournaments.models import Pairing, Stage, Tournament
from tournaments.services import draws, entries, results, running, stages

pytestmark = pytest.mark.django_db

SWISS_THEN_FOUR = (
    ("swiss", {"settings": {"rounds": 3}, "name": "Preliminaries"}),
    ("double_elimination", {"takes": {"first": 4}, "name": "Finals"}),
)


def refusal_of(*arguments: object, **named: object) -> str:
    with pytest.raises(TournamentError) as refusal:
        stages.plan(*arguments, **named)
    return refusal.value.code


def formats_of(competition: Tournament) -> list[tuple[int, str]]:
    return list(competition.stages.order_by("number").values_list("number", "format"))


def seeds_of(stage: Stage) -> list[int]:
    return [row.entry.number for row in stage.stage_entries.select_related("entry").order_by("number")]


def test_stages_are_planned_moved_and_removed_before_the_start_and_frozen_with_it() -> None:
    competition = people(8, *SWISS_THEN_FOUR)
    first = stages.plan(competition.pk, "groups", position=1, settings={"groups": 2})
    assert formats_of(competition) == [(1, "groups"), (2, "swiss"), (3, "double_elimination")]
    stages.change(first.pk, format="round_robin", name="All")
    assert Stage.objects.get(pk=first.pk).settings == {"cycles": 1, "reverse": True}
    stages.remove(first.pk)
    assert formats_of(competition) == [(1, "swiss"), (2, "double_elimination")]
    running.start(competition.pk, SEED)
    assert refusal_of(competition.pk, "swiss") == "frozen"


@pytest.mark.parametrize(
    ("name", "columns", "code"),
    [
        ("bingo", {}, "no_such_format"),
        ("tables", {}, "format_does_not_fit"),
        ("swiss", {"settings": {"rounds": "many"}}, "bad_settings"),
        ("swiss", {"settings": {"colours": 2}}, "bad_settings"),
        ("swiss", {"takes": {"last": 2}}, "bad_takes"),
        ("swiss", {"seeding": "by_height"}, "bad_stage"),
    ],
)
def test_what_no_stage_can_be_is_refused(name: str, columns: dict[str, object], code: str) -> None:
    assert refusal_of(people(2).pk, name, **columns) == code


def test_the_chain_says_what_stands_in_its_way() -> None:
    competition = people(
        3,
        ("swiss", {"settings": {"rounds": 5}}),
        ("single_elimination", {"takes": {"first": 4}}),
        length="best_of",
        boards=2,
    )
    troubles = stages.why_not(competition)
    assert [one.partition(":")[0] for one in troubles] == ["Stage 1", "Stage 1", "Stage 2", "Stage 2"]
    assert "4 cannot go on of 3" in troubles[2]
    with pytest.raises(TournamentError) as refusal:
        running.start(competition.pk)
    assert refusal.value.code == "cannot_be_played"
    assert stages.why_not(people(8, *SWISS_THEN_FOUR, slug="possible")) == []


def test_a_swiss_sends_its_first_four_into_a_double_elimination() -> None:
    competition = people(8, *SWISS_THEN_FOUR)
    running.start(competition.pk, SEED)
    swiss, finals = competition.stages.order_by("number")
    assert play(competition, most=12) == 12
    finals.refresh_from_db()
    cut = competition.snapshots.get(stage=swiss)
    assert finals.status == "running"
    assert seeds_of(finals) == [int(row["name"][-2:]) for row in cut.rows[:4]]
    assert set(seeds_of(finals)) == {1, 2, 3, 4}
    play(competition)
    assert competition.status == "published"
    places = [(row["place"], row["name"]) for row in competition.snapshots.order_by("number").last().rows]
    assert places[:4] == [(1, "hall 01"), (2, "hall 02"), (3, "hall 03"), (4, "hall 04")]
    assert len(places) == 8


def test_who_drops_out_after_the_cut_changes_nothing_before_it() -> None:
    competition = people(8, *SWISS_THEN_FOUR)
    running.start(competition.pk, SEED)
    play(competition, most=12)
    cut = competition.snapshots.order_by("number").last()
    entries.withdraw(competition.entries.get(number=2).pk, "called away")
    play(competition)
    assert competition.status == "published"
    assert competition.snapshots.order_by("number").first().sha256 == cut.sha256
    rows = competition.snapshots.order_by("number").last().rows
    assert [row["name"] for row in rows[:2]] == ["hall 01", "hall 03"]


def test_who_left_before_the_cut_is_passed_over() -> None:
    competition = people(8, *SWISS_THEN_FOUR)
    running.start(competition.pk, SEED)
    play(competition, most=8)
    entries.withdraw(competition.entries.get(number=2).pk, "called away")
    play(competition, most=4)
    finals = competition.stages.get(number=2)
    assert finals.status == "running"
    assert 2 not in seeds_of(finals)
    event = competition.events.get(kind="cut")
    assert len(event.payload["through"]) == 4
    assert {one["reasons"][0][0] for one in event.payload["reserves"]} == {"in_reserve"}
    assert [one["reasons"] for one in event.payload["out"]] == [[["left"]]]


def test_points_go_along_where_the_organiser_says_so() -> None:
    competition = people(
        4, ("round_robin", {}), ("round_robin", {"takes": {"first": 3}, "carries_points": True}), tie_breaks=["wins"]
    )
    running.start(competition.pk, SEED)
    play(competition, most=6)
    second = competition.stages.get(number=2)
    assert list(second.stage_entries.order_by("number").values_list("carried", flat=True)) == [12, 8, 4]
    play(competition, worse_number_wins)
    rows = {row["name"]: row["points"] for row in competition.snapshots.order_by("number").last().rows}
    assert rows["hall 01"] == 12
    assert rows["hall 02"] == 12
    assert rows["hall 03"] == 12


def test_groups_cross_into_a_bracket() -> None:
    competition = people(8, ("groups", {"settings": {"groups": 2}}), ("single_elimination", {"takes": {"of_each": 2}}))
    running.start(competition.pk, SEED)
    play(competition, most=12)
    bracket = competition.stages.get(number=2)
    groups = {row.number: row.reason["group"] for row in bracket.stage_entries.all()}
    assert groups[1] != groups[4]
    assert groups[2] != groups[3]
    play(competition)
    assert competition.status == "published"


def later_number_wins_both(table: Pairing) -> ReportedScore:
    first, second = (seat.entry.number for seat in table.seats.all())
    return ReportedScore((2, 0) if first > second else (0, 2))


def test_a_later_stage_may_have_another_length_and_other_seeds() -> None:
    competition = people(
        4,
        ("round_robin", {}),
        ("single_elimination", {"takes": {"first": 2}, "length": "best_of", "boards": 3, "seeding": "entered"}),
        deals=None,
    )
    running.start(competition.pk, SEED)
    play(competition, later_number_wins_both, most=6)
    final = open_tables(competition)
    assert competition.status == "running"
    assert [(one.match.length, one.match.boards_planned) for one in final] == [("best_of", 3)]
    assert seeds_of(competition.stages.get(number=2)) == [3, 4]


def test_a_stage_that_cannot_begin_is_told_and_the_tournament_can_be_ended() -> None:
    competition = people(4, ("round_robin", {}), ("single_elimination", {"takes": {"first": 2}}))
    running.start(competition.pk, SEED)
    for number in (2, 3, 4):
        entries.expel(competition.entries.get(number=number).pk, "cards up the sleeve")
    results.settle(competition.pk)
    results.settle(competition.pk)
    competition.refresh_from_db()
    assert competition.status == "running"
    assert [event.payload["code"] for event in competition.events.filter(kind="stage_cannot_start")] == [
        "cannot_be_played"
    ]
    running.finish(competition.pk)
    competition.refresh_from_db()
    assert competition.status == "published"


def test_an_organiser_who_confirms_rounds_confirms_those_of_the_next_stage_too() -> None:
    competition = people(4, ("round_robin", {}), ("single_elimination", {"takes": {"first": 2}}), auto_draw=False)
    running.start(competition.pk, SEED)
    for number in (1, 2, 3):
        drawn = competition.stages.get(number=1).rounds.get(number=number)
        draws.confirm(drawn.pk)
        draws.release(drawn.pk)
    play(competition)
    final = competition.stages.get(number=2).rounds.get()
    assert (final.status, open_tables(competition)) == ("proposed", [])
    draws.confirm(final.pk)
    draws.release(final.pk)
    say(open_tables(competition)[0].match, better_number_wins(open_tables(competition)[0]))
    results.settle(competition.pk)
    competition.refresh_from_db()
    assert competition.status == "published"
