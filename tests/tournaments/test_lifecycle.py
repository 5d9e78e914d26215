"""Running a tournament through its services, against a real database."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from engine.bots import HOUSE_VERSIONS
from matches.core.house import house_programs
from matches.core.lifecycle import MatchStatus
from matches.models import AgentStatus, Match, Outbox
from matches.services.desk import void_match
from matches.services.outbox import deliver_due
from matches.services.versions import house_agent, set_status
from tests.cast import SEED, anna, play_out, played, tournament
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import TOURNAMENT_MOVES, TournamentStatus
from tournaments.models import Pairing, PairingSeat, Round, StandingsSnapshot, Tournament
from tournaments.services import entries, publishing, results, running
from tournaments.services.state import lock, move

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def matches_of(competition: Tournament):
    return Match.objects.filter(pairing__round__stage__tournament=competition)


def test_a_tournament_makes_the_listed_moves_and_no_others() -> None:
    competition = tournament("greedy@1", "random@1")
    for old, new in product(TournamentStatus, TournamentStatus):
        Tournament.objects.filter(pk=competition.pk).update(status=old, started_at=timezone.now())
        with transaction.atomic():
            locked = lock(competition.pk)
            if (old, new) in TOURNAMENT_MOVES:
                move(locked, new)
            else:
                with pytest.raises(TournamentError, match=f"cannot become {new}"):
                    move(locked, new)
        competition.refresh_from_db()
        assert competition.status == (new if (old, new) in TOURNAMENT_MOVES else old)


def test_a_start_draws_every_round_with_its_matches_and_freezes_the_versions() -> None:
    competition = running.start(tournament("greedy@1", "random@1", "random@1", "greedy@1").pk)
    assert Round.objects.filter(stage__tournament=competition).count() == 3
    assert matches_of(competition).count() == 6
    assert competition.status == "running"
    assert competition.started_at is not None
    assert all(len(entry.seat_agents()) == 1 for entry in competition.entries.all())


def test_every_pairing_has_boards_of_its_own_and_swaps_the_seats() -> None:
    competition = running.start(tournament("greedy@1", "random@1", "random@1", boards=2, deals=4).pk)
    commitments = [board.commitment for match in matches_of(competition) for board in match.boards.all()]
    assert len(commitments) == len(set(commitments)) == 6
    for match in matches_of(competition):
        assert [(p.board.number, p.rotation) for p in match.parties.order_by("number")] == [
            (1, 0),
            (2, 0),
            (1, 1),
            (2, 1),
        ]
        assert match.game_rules.deals == 4


def test_an_odd_field_has_a_bye_a_round_and_a_bye_is_no_match() -> None:
    competition = running.start(tournament("greedy@1", "random@1", "random@1").pk)
    byes = Pairing.objects.filter(round__stage__tournament=competition, status="bye")
    assert byes.count() == 3
    assert all(bye.match is None for bye in byes)


def test_eight_starts_at_once_draw_the_tournament_once() -> None:
    competition = tournament("greedy@1", "random@1", "random@1", "greedy@1")

    def try_to_start(_: int) -> str:
        try:
            running.start(competition.pk)
        except TournamentError as refusal:
            return refusal.code
        finally:
            connection.close()
        return "started"

    with ThreadPoolExecutor(8) as pool:
        outcomes = sorted(pool.map(try_to_start, range(8)))
    assert outcomes == ["illegal_move"] * 7 + ["started"]
    assert matches_of(competition).count() == 6


def test_a_start_that_fails_leaves_nothing_behind() -> None:
    competition = tournament("greedy@1", "random@1")
    Tournament.objects.update(overrides={"no_such_option": 1})
    with pytest.raises(TournamentError, match="no_such_option"):
        running.start(competition.pk)
    competition.refresh_from_db()
    assert competition.status == "registration"
    assert Match.objects.count() == Round.objects.count() == 0


@pytest.mark.parametrize(("labels", "code"), [((), "too_few_entries"), (("greedy@1",), "too_few_entries")])
def test_too_few_entries_are_told_before_the_start(labels: tuple[str, ...], code: str) -> None:
    with pytest.raises(TournamentError) as refusal:
        running.start(tournament(*labels).pk)
    assert refusal.value.code == code


def test_two_names_of_the_greatest_length_can_meet() -> None:
    competition = tournament()
    for letter in "AB":
        entries.enter(competition.pk, house_agent("random@1", letter * 60))
    running.start(competition.pk)
    assert matches_of(competition).get().title == f"{'A' * 60} – {'B' * 60}"


def test_a_version_that_may_not_play_stops_the_start() -> None:
    competition = tournament("greedy@1", "random@1")
    set_status(competition.entries.first().seat_agents()[0].pk, AgentStatus.QUARANTINED, "refused our signature")
    with pytest.raises(TournamentError, match="not active"):
        running.start(competition.pk)


def test_a_player_enters_once_and_only_before_the_start() -> None:
    competition = tournament("greedy@1", "random@1")
    (agent,) = competition.entries.first().seat_agents()
    with pytest.raises(TournamentError, match="already"):
        entries.enter(competition.pk, agent)
    running.start(competition.pk)
    with pytest.raises(TournamentError, match="before the start"):
        entries.enter(competition.pk, house_agent("random@1", "Late Larysa"))


def test_who_leaves_before_the_start_leaves_no_gap_in_the_numbers() -> None:
    competition = tournament("greedy@1", "random@1", "random@1")
    entries.leave(competition.entries.get(number=2).pk)
    assert list(competition.entries.values_list("number", "name")) == [(1, "Greedy 1"), (2, "Random 3")]


def test_a_played_tournament_publishes_itself_and_its_snapshot_is_the_fold_of_its_results() -> None:
    competition = played("greedy@1", "random@1", "random@1", deals=2)
    assert competition.status == "published"
    snapshot = competition.snapshots.get()
    assert snapshot.rows == publishing.snapshot_rows(competition)
    assert (snapshot.matches_counted, snapshot.matches_total) == (3, 3)
    assert Round.objects.filter(stage__tournament=competition).exclude(status="closed").count() == 0


def test_the_database_refuses_a_seed_that_was_used_before() -> None:
    """R68: a seed is never used twice; its commitment would be recognised."""
    running.start(tournament("greedy@1", "random@1", slug="first").pk, SEED)
    with pytest.raises(IntegrityError, match="commitment"):
        running.start(tournament("greedy@1", "random@1", slug="second").pk, SEED)


def test_news_that_comes_twice_or_never_changes_nothing() -> None:
    competition = tournament("greedy@1", "random@1")
    running.start(competition.pk, SEED)
    play_out(competition)
    before = publishing.snapshot_rows(competition)
    match = matches_of(competition).get()
    results.take("match_finished", match)
    assert results.sweep() == 0
    assert publishing.snapshot_rows(competition) == before
    assert competition.snapshots.count() == 1


def test_the_sweep_finds_a_result_whose_news_was_lost() -> None:
    competition = tournament("greedy@1", "random@1")
    running.start(competition.pk, SEED)
    play_out_without_news(competition)
    assert results.sweep() == 1
    competition.refresh_from_db()
    assert competition.status == "published"


def play_out_without_news(competition: Tournament) -> None:
    from matches.lane import drive

    drive(slots=4, seconds=60)
    Outbox.objects.all().delete()


def test_pausing_holds_what_has_not_begun_and_going_on_releases_it() -> None:
    competition = tournament("greedy@1", "random@1", "random@1")
    running.start(competition.pk)
    running.pause(competition.pk)
    assert set(matches_of(competition).values_list("status", flat=True)) == {MatchStatus.HELD}
    play_out(competition)
    assert matches_of(competition).filter(status="finished").count() == 0
    running.resume(competition.pk)
    play_out(competition)
    assert competition.status == "published"


def test_a_void_match_counts_for_nobody_and_does_not_hold_up_the_end() -> None:
    competition = tournament("greedy@1", "random@1", "random@1")
    running.start(competition.pk, SEED)
    voided = matches_of(competition).order_by("pk").first()
    void_match(voided.pk, "the wrong programs were seated")
    play_out(competition)
    assert competition.status == "published"
    assert sum(row.played for row in publishing.live_standings(competition)) == 4
    assert competition.snapshots.get().matches_total == 2


def test_a_match_voided_after_the_end_leaves_the_table_and_can_be_published_anew() -> None:
    competition = played("greedy@1", "random@1", "random@1")
    with pytest.raises(TournamentError, match="nothing has changed"):
        publishing.publish(competition.pk, anna())
    void_match(matches_of(competition).first().pk, "it was played under the wrong rules")
    deliver_due()
    snapshot = publishing.publish(competition.pk, anna())
    assert (snapshot.number, snapshot.matches_counted) == (2, 2)
    assert competition.snapshots.count() == 2


def test_cancelling_wants_a_reason_and_voids_what_is_not_decided() -> None:
    competition = tournament("greedy@1", "random@1", "random@1")
    running.start(competition.pk)
    with pytest.raises(TournamentError, match="Say why"):
        running.cancel(competition.pk, " ")
    running.cancel(competition.pk, "the hall has no light")
    assert set(matches_of(competition).values_list("status", flat=True)) == {"void"}
    with pytest.raises(TournamentError, match="no standings"):
        publishing.publish(competition.pk)


def test_published_standings_cannot_be_changed_by_anybody() -> None:
    competition = played("greedy@1", "random@1")
    with pytest.raises(Exception, match="append-only"), transaction.atomic():
        StandingsSnapshot.objects.update(matches_counted=7)
    assert competition.snapshots.get().matches_counted == 1


def test_the_database_refuses_an_entry_twice_in_a_round() -> None:
    competition = running.start(tournament("greedy@1", "random@1", "random@1").pk)
    seat = PairingSeat.objects.filter(round__stage__tournament=competition, state="filled").first()
    other = PairingSeat.objects.filter(round=seat.round, state="bye").get()
    with pytest.raises(IntegrityError), transaction.atomic():
        PairingSeat.objects.filter(pk=other.pk).update(entry=seat.entry, state="filled")


def test_the_tournaments_seed_is_not_in_the_database_in_clear() -> None:
    competition = running.start(tournament("greedy@1", "random@1").pk, SEED)
    with connection.cursor() as cursor:
        cursor.execute("SELECT seed FROM tournaments_tournament WHERE id = %s", [competition.pk])
        stored = bytes(cursor.fetchone()[0])
    assert SEED not in stored
    assert SEED.hex().encode() not in stored
    assert Tournament.objects.get(pk=competition.pk).seed == SEED


def entered_in(competition: Tournament) -> list[str]:
    return [member.agent.label for entry in competition.entries.order_by("number") for member in entry.members.all()]


@pytest.mark.parametrize("rules", ["moscow/2", "site/3", "klabor/pairs"])
def test_house_programs_enter_in_one_step_each_once_and_those_alone_that_play_the_rules(rules: str) -> None:
    competition = tournament(rules=rules)
    fitting = [one.label for one in house_programs() if one.plays(competition.game_rules)]
    assert [entry.name for entry in entries.enter_house(competition.pk)] == [
        f"house:{label.partition('@')[0]}" for label in fitting
    ]
    assert entered_in(competition) == fitting
    assert entries.enter_house(competition.pk) == []


def test_a_house_program_that_is_there_under_another_name_is_not_entered_again() -> None:
    competition = tournament("greedy@1")
    entries.enter_house(competition.pk)
    assert entered_in(competition).count("greedy@1") == 1


def test_a_version_of_a_house_program_that_is_not_here_neither_enters_nor_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    competition, late = tournament("greedy@1", "random@1"), house_agent("greedy@1", "Late")
    monkeypatch.setitem(HOUSE_VERSIONS, "greedy", 2)
    with pytest.raises(TournamentError, match="Late cannot play: greedy@1 is not played here") as refusal:
        entries.enter(competition.pk, late)
    assert refusal.value.code == "house_refused"
    with pytest.raises(TournamentError, match="greedy@1 is not played here"):
        running.start(competition.pk)
    entries.enter_house(competition.pk)
    assert "greedy@2" in entered_in(competition)


def test_solver_is_refused_at_a_table_of_three() -> None:
    competition = tournament(rules="site/3")
    with pytest.raises(TournamentError, match="solver@1 does not play site/3"):
        entries.enter(competition.pk, house_agent("solver@1"))
