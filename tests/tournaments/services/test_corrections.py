"""Correcting what was decided: told beforehand, done at once, and what was made from it treated as it deserves."""

from __future__ import annotations

from collections import Counter

import pytest
from django.test import Client

from matches.core.agreement import ReportedScore
from matches.models import Match
from matches.services.reports import ReportRefused
from tests.tournaments.services.people import (
    SEED,
    better_number_wins,
    open_tables,
    people,
    play,
    referee,
    say,
    stay_away,
)
from tournaments.errors import TournamentError
from tournaments.models import FormerMatch, Pairing, PairingSeat, Tournament
from tournaments.services import corrections, draws, entries, results, running
from tournaments.services.publishing import snapshot_rows

pytestmark = pytest.mark.django_db

FIRST, SECOND = ReportedScore((2, 1)), ReportedScore((1, 2))


def knockout(count: int = 4, name: str = "single_elimination", **columns: object) -> Tournament:
    competition = people(count, (name, columns))
    return running.start(competition.pk, SEED)


def table(competition: Tournament, round_number: int, number: int = 1) -> Pairing:
    found = Pairing.objects.filter(round__stage__tournament=competition, round__stage__number=1)
    return found.select_related("match").filter(round__number=round_number).order_by("number")[number - 1]


def sitting(pairing: Pairing) -> list[int | None]:
    """Numbers of the entries, None for a seat that is still to be filled."""
    seats = PairingSeat.objects.filter(pairing=pairing).select_related("entry").order_by("seat")
    return [seat.entry.number if seat.entry else None for seat in seats]


def codes(preview: corrections.Preview) -> Counter[str]:
    return Counter(change.code for change in preview.changes)


def correct(pairing: Pairing, score: ReportedScore, **options: bool) -> None:
    corrections.correct(pairing.match.public_id, score, "the sheet was read upside down", referee(), **options)


def test_a_winner_goes_on_exactly_once_however_often_the_news_comes() -> None:
    competition = knockout()
    play(competition, most=2)
    for _ in range(3):
        results.settle(competition.pk)
    final = table(competition, 2)
    assert sitting(final) == [1, 2]
    assert PairingSeat.objects.filter(round=final.round, entry__isnull=False).count() == 2


def test_a_later_match_that_has_not_begun_is_made_anew_with_whom_it_should_have() -> None:
    competition = knockout()
    play(competition, most=2)
    old = table(competition, 2).match
    told = corrections.preview(table(competition, 1).match.public_id, SECOND)
    assert codes(told) == {"seat": 1, "match_void": 1, "place": 2}
    assert not told.needs_replay
    assert sitting(table(competition, 2)) == [1, 2]
    correct(table(competition, 1), SECOND)
    final = table(competition, 2)
    assert sitting(final) == [4, 2]
    assert final.match != old
    old.refresh_from_db()
    assert (old.status, old.former_pairing.pairing) == ("void", final)
    assert [seat.agent.player.name for seat in final.match.seats.order_by("index")] == ["hall 04", "hall 02"]


def test_a_later_match_that_was_played_is_replayed_only_when_that_is_said() -> None:
    competition = knockout()
    play(competition)
    before = snapshot_rows(competition)
    semi_final = table(competition, 1)
    told = corrections.preview(semi_final.match.public_id, SECOND)
    assert told.needs_replay
    assert codes(told)["played_void"] == 1
    assert codes(told)["reopened"] == 1
    with pytest.raises(TournamentError) as refusal:
        correct(semi_final, SECOND)
    assert refusal.value.code == "played_later"
    assert snapshot_rows(competition) == before
    correct(semi_final, SECOND, even_played=True)
    competition.refresh_from_db()
    assert competition.status == "running"
    assert sitting(table(competition, 2)) == [4, 2]
    played = FormerMatch.objects.get()
    assert (played.match.status, played.match.result.seats.count()) == ("void", 2)
    play(competition)
    assert competition.status == "published"
    assert [row["name"] for row in competition.snapshots.order_by("-number").first().rows[:2]] == ["hall 02", "hall 04"]


def test_what_is_decided_is_not_corrected_past_the_tournament(client: Client) -> None:
    competition = knockout()
    play(competition)
    before, match = snapshot_rows(competition), table(competition, 1).match
    with pytest.raises(ReportRefused) as refusal:
        say(match, SECOND)
    assert refusal.value.code == "decided"
    client.force_login(referee())
    desk = client.post(f"/admin/matches/match/{match.pk}/do/rule/", {"score": "1:2", "reason": "misread"}, follow=True)
    assert "This match is decided" in desk.content.decode()
    typed = {"rule-points_0": 1, "rule-points_1": 2, "rule-reason": "misread"}
    page = client.post(f"/m/{match.public_id}/rule/", typed, follow=True).content.decode()
    assert "This match is decided" in page
    assert f'href="/t/hall/desk/matches/{match.public_id}/"' in page
    assert "rule-points_0" not in page
    competition.refresh_from_db()
    assert (competition.status, snapshot_rows(competition)) == ("published", before)
    assert [one.status for one in match.reports.all()] == ["confirmed"]


def test_nothing_is_ruled_before_its_round_is_released(client: Client) -> None:
    competition = running.start(people(4, ("swiss", {"settings": {"rounds": 2}}), auto_draw=False).pk, SEED)
    drawn = draws.confirm(draws.propose(competition.stages.get().pk).pk)
    match = table(competition, 1).match
    client.force_login(referee())
    typed = {"rule-points_0": 1, "rule-points_1": 2, "rule-reason": "early"}
    page = client.post(f"/m/{match.public_id}/rule/", typed, follow=True).content.decode()
    assert "nothing of it is played before it is released" in page
    assert "rule-points_0" not in page
    assert not match.reports.exists()
    draws.release(drawn.pk)
    client.post(f"/m/{match.public_id}/rule/", typed)
    assert match.reports.get().status == "confirmed"


def test_a_correction_and_its_opposite_bring_everybody_back_to_his_seat() -> None:
    competition = knockout(8, "double_elimination")
    play(competition)
    seats = list(PairingSeat.objects.order_by("pk").values_list("pk", "entry_id", "state"))
    statuses = list(Pairing.objects.order_by("pk").values_list("pk", "status"))
    played = better_number_wins(table(competition, 1))
    correct(table(competition, 1), SECOND, even_played=True)
    assert list(PairingSeat.objects.order_by("pk").values_list("pk", "entry_id", "state")) != seats
    correct(table(competition, 1), played, even_played=True)
    play(competition)
    assert list(PairingSeat.objects.order_by("pk").values_list("pk", "entry_id", "state")) == seats
    assert list(Pairing.objects.order_by("pk").values_list("pk", "status")) == statuses


def test_the_same_correction_twice_changes_nothing() -> None:
    competition = knockout()
    play(competition, most=2)
    correct(table(competition, 1), SECOND)
    matches = list(Match.objects.order_by("pk").values_list("pk", "status"))
    correct(table(competition, 1), SECOND)
    assert list(Match.objects.order_by("pk").values_list("pk", "status")) == matches


def test_later_swiss_rounds_stay_as_they_were_drawn_and_the_standings_follow() -> None:
    competition = people(6, ("swiss", {"settings": {"rounds": 2}}))
    running.start(competition.pk, SEED)
    play(competition, most=3)
    drawn = list(PairingSeat.objects.filter(round__number=2).order_by("pk").values_list("pairing", "entry"))
    told = corrections.preview(table(competition, 1).match.public_id, SECOND)
    assert codes(told)["round_rests"] == 1
    assert codes(told)["place"] >= 2
    before = snapshot_rows(competition)
    correct(table(competition, 1), SECOND)
    assert list(PairingSeat.objects.filter(round__number=2).order_by("pk").values_list("pairing", "entry")) == drawn
    assert snapshot_rows(competition) != before


def test_published_standings_are_published_again_when_they_are_corrected() -> None:
    competition = people(3, ("round_robin", {}))
    running.start(competition.pk, SEED)
    play(competition)
    assert competition.snapshots.count() == 1
    played = next(one for one in Pairing.objects.filter(match__isnull=False).order_by("pk"))
    correct(played, SECOND)
    competition.refresh_from_db()
    assert (competition.status, competition.snapshots.count()) == ("published", 2)
    correct(played, SECOND)
    assert competition.snapshots.count() == 2


def test_a_correction_after_the_cut_leaves_the_cut() -> None:
    competition = people(4, ("round_robin", {}), ("single_elimination", {"takes": {"first": 2}}))
    running.start(competition.pk, SEED)
    play(competition, most=6)
    cut = competition.snapshots.get()
    first = Pairing.objects.filter(round__number=1, round__stage__number=1, match__isnull=False).order_by("pk").first()
    told = corrections.preview(first.match.public_id, SECOND)
    assert codes(told)["cut_stands"] == 1
    correct(first, SECOND)
    final = competition.stages.get(number=2)
    assert [row.entry.number for row in final.stage_entries.order_by("number")] == [1, 2]
    cut.refresh_from_db()
    assert cut.rows[0]["name"] == "hall 01"


def test_a_match_that_is_annulled_sends_nobody_on_and_locks_nothing() -> None:
    competition = knockout()
    play(competition, most=2)
    with pytest.raises(TournamentError) as refusal:
        corrections.void(table(competition, 1).match.public_id, " ")
    assert refusal.value.code == "reason_missing"
    for _ in range(2):
        corrections.void(table(competition, 1).match.public_id, "both were drunk")
    assert competition.events.filter(kind="annulled").count() == 1
    final = table(competition, 2)
    assert (final.status, sitting(final)) == ("bye", [None, 2])
    competition.refresh_from_db()
    assert competition.status == "published"
    assert competition.snapshots.get().rows[0]["name"] == "hall 02"


def test_a_match_is_reopened_to_be_played_again() -> None:
    competition = people(3, ("round_robin", {}))
    running.start(competition.pk, SEED)
    play(competition)
    old = Pairing.objects.filter(match__isnull=False).order_by("pk").first()
    again = corrections.reopen(old.match.public_id, "a card was missing", referee())
    competition.refresh_from_db()
    assert (competition.status, again.status) == ("running", "awaited")
    assert [one.match for one in open_tables(competition)] == [again]
    play(competition)
    assert (competition.status, competition.snapshots.count()) == ("published", 2)


def test_what_is_at_no_table_now_is_not_corrected() -> None:
    competition = knockout()
    play(competition, most=2)
    old = table(competition, 2).match.public_id
    correct(table(competition, 1), SECOND)
    for public_id in (old, "m_nobody"):
        with pytest.raises(TournamentError) as refusal:
            corrections.preview(public_id, FIRST)
        assert refusal.value.code == "no_such_table"
    with pytest.raises(TournamentError) as refusal:
        corrections.preview(table(competition, 1).match.public_id, ReportedScore((1,)))
    assert refusal.value.code == "bad_score"


def test_who_withdraws_forfeits_what_is_open_and_the_bracket_goes_on() -> None:
    competition = knockout(8, "double_elimination")
    play(competition, most=4)
    entries.withdraw(competition.entries.get(number=1).pk, "ill")
    assert 1 not in {number for one in open_tables(competition) for number in sitting(one)}
    play(competition)
    assert competition.status == "published"
    names = [row["name"] for row in competition.snapshots.get().rows]
    assert names[0] == "hall 02"
    assert len(names) == 8


def test_a_double_forfeit_sends_a_bye_on() -> None:
    competition = knockout()
    first, second = open_tables(competition)
    say(first.match, stay_away(first, 0, 1))
    say(second.match, better_number_wins(second))
    results.settle(competition.pk)
    final = table(competition, 2)
    assert (final.status, sitting(final)) == ("bye", [None, 2])


def test_a_level_match_sends_the_better_seed_on_and_says_so() -> None:
    competition = knockout()
    for one in open_tables(competition):
        say(one.match, ReportedScore((5, 5)))
    results.settle(competition.pk)
    assert sitting(table(competition, 2)) == [1, 2]
    assert table(competition, 1).reasons == [["level_better_seed", 1]]
    correct(table(competition, 1), SECOND)
    assert table(competition, 1).reasons == []


def test_a_reset_that_is_not_needed_is_void_and_one_that_is_needed_is_played() -> None:
    competition = knockout(4, "double_elimination")
    play(competition)
    reset = Pairing.objects.filter(round__stage__tournament=competition).order_by("round__number").last()
    assert (reset.round.part, reset.status) == ("reset", "void")
    final = table(competition, reset.round.number - 1)
    correct(final, SECOND, even_played=True)
    competition.refresh_from_db()
    reset.refresh_from_db()
    assert (competition.status, reset.status, sitting(reset)) == ("running", "open", sitting(final))
    correct(final, FIRST, even_played=True)
    competition.refresh_from_db()
    reset.refresh_from_db()
    assert (competition.status, reset.status, reset.match) == ("published", "void", None)
