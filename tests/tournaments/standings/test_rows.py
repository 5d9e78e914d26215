"""From rows to meetings and back to published rows: what a stage's history says, and what is stored of it."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from matches.core.agreement import ReportedScore
from tests.tournaments.services.people import SEED, open_tables, people, play, say, stay_away
from tournaments.formats.meetings import Kind, Meeting
from tournaments.models import Stage, Tournament
from tournaments.services import corrections, entries, results, running
from tournaments.services.history import closed_rounds, entrants_of, meetings_of, scheme_of
from tournaments.services.publishing import canonical, freeze, live_standings, snapshot_rows
from tournaments.services.ranking import criteria_of, explain_cell, stage_standings
from tournaments.standings.points import Count, Scheme
from tournaments.standings.values import format_value
from tournaments.web.tables import row_of

pytestmark = pytest.mark.django_db

BUCHHOLZ = ["buchholz_cut1", "buchholz", "sonneborn_berger", "direct_encounter", "wins"]


def begun(entered: int, format: str, settings: dict[str, object] | None = None, **options: object) -> Tournament:
    competition = people(entered, (format, {"settings": settings or {}}), **options)
    running.start(competition.pk, SEED)
    competition.refresh_from_db()
    return competition


def only_stage(competition: Tournament) -> Stage:
    stage = competition.stages.get()
    stage.tournament = competition
    return stage


def decide(competition: Tournament, *scores: ReportedScore) -> None:
    """Rules on the open tables in their order."""
    for table, score in zip(open_tables(competition), scores, strict=False):
        say(table.match, score)
    results.settle(competition.pk)


def test_results_forfeits_and_byes_are_meetings_by_the_stage_s_numbers() -> None:
    competition = begun(7, "swiss", {"rounds": 3}, win_points=12, draw_points=4)
    tables = open_tables(competition)
    decide(competition, ReportedScore((162, 80)), stay_away(tables[1], 1), stay_away(tables[2], 0, 1))
    first = [meeting for meeting in meetings_of(only_stage(competition)) if meeting.round == 1]
    played, forfeited, doubly, bye = first
    assert (played.kind, played.points, played.scores, played.places) == (Kind.PLAYED, (12, 0), (162, 80), (1, 2))
    assert (forfeited.kind, forfeited.points, forfeited.places) == (Kind.FORFEIT, (12, 0), ())
    assert forfeited.absent == {forfeited.entrants[1]}
    assert (doubly.points, doubly.absent) == ((0, 0), frozenset(doubly.entrants))
    assert (bye.kind, bye.points, len(bye.entrants)) == (Kind.BYE, (12,), 1)
    assert closed_rounds(only_stage(competition)) == 1


def test_entrants_know_when_they_were_there_and_whom_they_should_not_meet() -> None:
    competition = people(6, ("swiss", {"settings": {"rounds": 3}}), late_until_round=2)
    club = competition.entries.get(number=2)
    club.club, club.rating = "Lviv", 1900
    club.save()
    entries.ask_bye(competition.entries.get(number=3).pk, 2, "half_bye")
    running.start(competition.pk, SEED)
    entries.withdraw(competition.entries.get(number=4).pk, "called away")
    found = {one.number: one for one in entrants_of(only_stage(competition))}
    assert (found[2].shields, found[2].rating) == ({"club:lviv"}, 1900)
    assert found[3].away == {2}
    assert found[4].left is not None
    assert [one.joined for one in found.values()] == [1] * 6


def test_partners_whom_the_draw_chose_share_what_their_side_brought() -> None:
    competition = begun(4, "whist", rules="klabor/pairs", entries_are="individuals")
    decide(competition, ReportedScore((90, 60)))
    (meeting,) = meetings_of(only_stage(competition))
    assert (meeting.sides, meeting.points, meeting.scores) == ((0, 1, 0, 1), (4, 0, 4, 0), (90, 60, 90, 60))


def test_a_larger_table_that_one_stayed_away_from_was_played_if_anything_was_written() -> None:
    competition = begun(4, "tables", rules="house/4")
    (table,) = open_tables(competition)
    say(table.match, ReportedScore((90, 60, 30, 0), absent=frozenset({3})))
    results.settle(competition.pk)
    (meeting,) = meetings_of(only_stage(competition))
    assert (meeting.kind, meeting.points, meeting.absent) == (Kind.PLAYED, (12, 8, 4, 0), {meeting.entrants[3]})
    assert scheme_of(competition) == Scheme(Count.MATCH, sides=4)


def test_what_is_annulled_counts_for_nothing_and_nobody_was_away() -> None:
    competition = begun(4, "swiss", {"rounds": 2}, tie_breaks=["buchholz"])
    first, second = open_tables(competition)
    decide(competition, ReportedScore((2, 0)))
    corrections.void(second.match.public_id, "played with a wrong pack")
    met = meetings_of(only_stage(competition))
    assert [meeting.kind for meeting in met if meeting.round == 1] == [Kind.PLAYED, Kind.ANNULLED]
    corrections.void(first.match.public_id, "played with the same pack")
    met = meetings_of(only_stage(competition))
    assert {meeting.kind for meeting in met if meeting.round == 1} == {Kind.ANNULLED}
    assert {row.points for row in live_standings(competition)} == {0}


def test_a_snapshot_keeps_the_vector_of_every_tie_break() -> None:
    competition = begun(6, "swiss", {"rounds": 3}, tie_breaks=BUCHHOLZ)
    play(competition)
    snapshot = competition.snapshots.get()
    live = live_standings(competition)
    assert snapshot.criteria == ["points", *BUCHHOLZ] == list(criteria_of(competition))
    assert (snapshot.stage, snapshot.after_round) == (only_stage(competition), 3)
    assert [row["values"] for row in snapshot.rows] == [list(row.values) for row in live]
    assert tuple(row_of(line) for line in snapshot.rows) == live
    assert canonical(snapshot.rows) == canonical(snapshot_rows(competition))


def test_a_snapshot_is_never_rewritten() -> None:
    competition = begun(4, "swiss", {"rounds": 2})
    stage = only_stage(competition)
    cut = freeze(stage)
    play(competition)
    cut.refresh_from_db()
    assert {row["points"] for row in cut.rows} == {0}
    with pytest.raises(DatabaseError), transaction.atomic():
        type(cut).objects.filter(pk=cut.pk).update(rows=[])


def test_groups_have_places_of_their_own_and_are_told_one_after_another() -> None:
    competition = begun(7, "groups", {"groups": 2})
    play(competition)
    rows = live_standings(competition)
    assert [(row.group, row.place) for row in rows] == [(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (2, 3)]
    cell = explain_cell(only_stage(competition), rows[4].number, "points")
    assert (cell.value, cell.tied_before) == (rows[4].points, 3)


def test_a_bracket_is_told_by_its_places_and_those_still_in_it_share_the_first() -> None:
    competition = begun(8, "single_elimination")
    assert {row.place for row in live_standings(competition)} == {1}
    play(competition, most=4)
    assert [row.place for row in live_standings(competition)] == [1, 1, 1, 1, 5, 5, 5, 5]
    play(competition)
    assert [row.place for row in live_standings(competition)] == [1, 2, 3, 3, 5, 5, 5, 5]


def test_those_who_did_not_go_on_stand_behind_as_they_stood_before() -> None:
    chain = (("round_robin", {}), ("single_elimination", {"takes": {"first": 2}}))
    competition = people(5, *chain)
    running.start(competition.pk, SEED)
    play(competition)
    rows = live_standings(competition)
    names = dict(competition.entries.values_list("public_id", "name"))
    assert [(row.place, names[row.entry][-2:]) for row in rows] == [
        (1, "01"),
        (2, "02"),
        (3, "03"),
        (4, "04"),
        (5, "05"),
    ]
    assert [len(row.criteria) for row in rows] == [0, 0, 4, 4, 4]
    first, second = competition.stages.order_by("number")
    for stage in (first, second):
        stage.tournament = competition
    assert [row.place for row in stage_standings(first)] == [1, 2, 3, 4, 5]
    assert len(stage_standings(second)) == 2


def test_who_was_expelled_has_no_place_and_those_who_met_him_still_did() -> None:
    competition = begun(4, "swiss", {"rounds": 3}, tie_breaks=["buchholz"])
    decide(competition, ReportedScore((2, 0)), ReportedScore((2, 0)))
    first = next(meeting for meeting in meetings_of(only_stage(competition)))
    loser = only_stage(competition).stage_entries.get(number=first.entrants[1]).entry
    entries.expel(loser.pk, "struck the table")
    rows = {row.number: row for row in live_standings(competition)}
    assert len(rows) == 3
    assert rows[first.entrants[0]].wins >= 1


def test_entries_are_listed_by_number_before_the_start() -> None:
    competition = people(3)
    assert [(row.number, row.place, row.played) for row in live_standings(competition)] == [
        (1, 1, 0),
        (2, 1, 0),
        (3, 1, 0),
    ]


def test_standings_of_a_stage_cost_five_queries(django_assert_num_queries: object) -> None:
    competition = begun(6, "swiss", {"rounds": 3})
    decide(competition, ReportedScore((2, 0)), ReportedScore((2, 0)))
    stage = only_stage(competition)
    with django_assert_num_queries(5):
        stage_standings(stage)


def test_scores_can_be_what_counts() -> None:
    competition = people(2, ("round_robin", {}))
    Tournament.objects.update(count=Count.SCORE)
    running.start(competition.pk, SEED)
    competition.refresh_from_db()
    decide(competition, ReportedScore((300, -20)))
    meeting: Meeting = meetings_of(only_stage(competition))[0]
    assert meeting.points == (1200, -80)
    assert [row.points for row in live_standings(competition)] == [1200, -80]
    assert competition.snapshots.get().rows[0]["points"] == 1200


def test_a_line_that_was_published_before_there_were_tie_breaks_to_choose_is_still_read() -> None:
    counted = {"played": 2, "wins": 1, "draws": 0, "losses": 1, "points": 4, "card_points_for": 300}
    steps = [("points", 4, 3, 2), ("wins", 1, 2, 2), ("head_to_head", 4, 2, 1)]
    trail = [dict(zip(("criterion", "value", "tied_before", "tied_after"), step, strict=True)) for step in steps]
    line = counted | {"entry": "e_1", "place": 1, "places": [1, 1], "card_points_against": 250, "difference": 50}
    row = row_of(line | {"name": "Olha", "trail": trail})
    assert row.criteria == ("points", "wins", "direct_encounter")
    assert [format_value(cell.criterion, cell.value) for cell in row.trail] == ["1", "1", "1"]
    assert [(cell.tied_before, cell.tied_after) for cell in row.cells] == [(3, 2), (2, 2), (2, 1)]
