"""A round's draw on its way from the format to the hall, and back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from matches.core.agreement import ReportedScore
from matches.models import Match
from matches.services.reports import rule
from tests.tournaments.services.people import SEED, open_tables, people, play, referee
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import Audience
from tournaments.formats.positions import format_reasons
from tournaments.models import Pairing, Round, Stage, Tournament
from tournaments.services import draws, entries, results, running

pytestmark = pytest.mark.django_db


def swiss(count: int = 6, rounds: int = 3, **options: object) -> Tournament:
    """Started, with the first round proposed."""
    competition = people(count, ("swiss", {"settings": {"rounds": rounds}}), auto_draw=False, **options)
    return running.start(competition.pk, SEED)


def stage_of(competition: Tournament) -> Stage:
    return competition.stages.get(number=1)


def latest(competition: Tournament) -> Round:
    return Round.objects.filter(stage__tournament=competition).order_by("id").last()


def release(competition: Tournament) -> Round:
    """Confirms and releases what is proposed."""
    drawn = draws.confirm(latest(competition).pk)
    return draws.release(drawn.pk)


def seated(drawn: Round) -> list[list[str]]:
    """Public ids by table."""
    return [
        [seat.entry.public_id for seat in pairing.seats.all() if seat.entry]
        for pairing in drawn.pairings.prefetch_related("seats__entry").order_by("number")
    ]


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(TournamentError) as refusal:
        act()
    return refusal.value.code


def matches_of(drawn: Round) -> dict[str, int]:
    statuses = list(Match.objects.filter(pairing__round=drawn).values_list("status", flat=True))
    return {status: statuses.count(status) for status in statuses}


def test_a_proposal_is_hidden_and_has_no_matches_until_it_is_confirmed_and_none_to_be_played_until_released() -> None:
    competition = swiss()
    drawn = latest(competition)
    assert (drawn.status, drawn.audience, matches_of(drawn)) == ("proposed", "hidden", {})
    drawn = draws.confirm(drawn.pk)
    assert (drawn.status, drawn.audience, matches_of(drawn)) == ("confirmed", "hidden", {"held": 3})
    drawn = draws.release(drawn.pk, Audience.PARTICIPANTS)
    assert (drawn.status, drawn.audience, matches_of(drawn)) == ("released", "participants", {"awaited": 3})
    assert draws.release(drawn.pk).audience == "public"
    assert matches_of(drawn) == {"awaited": 3}


def test_every_verb_said_twice_is_said_once() -> None:
    competition = swiss()
    drawn = draws.propose(stage_of(competition).pk)
    assert drawn == latest(competition)
    for verb in (draws.begin_changes, draws.confirm, draws.release):
        assert verb(drawn.pk).status == verb(drawn.pk).status
    told = competition.events.values_list("kind", flat=True)
    assert [kind for kind in told if kind.startswith(("round_", "changes"))] == [
        "changes_begun",
        "round_confirmed",
        "round_released",
    ]


def test_the_next_round_is_proposed_when_the_last_table_is_decided_and_not_before() -> None:
    competition = swiss()
    drawn = release(competition)
    assert play(competition, most=2) == 2
    assert draws.propose(stage_of(competition).pk) == drawn
    play(competition)
    following = latest(competition)
    assert (following.number, following.status) == (2, "proposed")
    assert competition.status == "running"


def test_a_resumed_tournament_does_not_play_what_is_not_released() -> None:
    competition = swiss()
    drawn = draws.confirm(latest(competition).pk)
    running.pause(competition.pk)
    running.resume(competition.pk)
    assert matches_of(drawn) == {"held": 3}


def test_a_round_released_in_a_pause_is_played_after_it() -> None:
    competition = swiss()
    running.pause(competition.pk)
    drawn = release(competition)
    assert matches_of(drawn) == {"held": 3}
    running.resume(competition.pk)
    assert matches_of(drawn) == {"awaited": 3}


def test_what_the_organiser_changes_is_kept_beside_the_proposal_and_ends_the_mark() -> None:
    competition = swiss()
    drawn = draws.begin_changes(latest(competition).pk)
    proposal, tables = drawn.draw, seated(drawn)
    assert draws.change(drawn.pk, tables, "").changes is None
    competition.refresh_from_db()
    assert competition.is_by_the_rules
    (one, two), (three, four), last = tables
    swapped = [[one, three], [two, four], last]
    assert refused(lambda: draws.change(drawn.pk, swapped, " ")) == "reason_missing"
    drawn = draws.change(drawn.pk, swapped, "they came by one car")
    competition.refresh_from_db()
    assert not competition.is_by_the_rules
    assert drawn.draw == proposal
    assert drawn.changes["reason"] == "they came by one car"
    assert drawn.changes["difference"] == drawn.changes["tables"][:2]
    assert seated(drawn) == swapped
    assert [pairing.reasons for pairing in drawn.pairings.order_by("number")][:2] == [[["by_hand"]]] * 2
    draws.change(drawn.pk, tables, "")
    competition.refresh_from_db()
    assert Round.objects.get(pk=drawn.pk).changes is None
    assert not competition.is_by_the_rules
    assert draws.drawn_again(drawn)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda tables: [tables[0], tables[0], tables[2]], "twice_seated"),
        (lambda tables: [[*tables[0], *tables[1]], tables[2]], "bad_table"),
        (lambda tables: [["e_nobody", tables[0][1]], *tables[1:]], "not_in_stage"),
    ],
)
def test_what_cannot_be_seated_is_refused(change: Callable[[list[list[str]]], list[list[str]]], code: str) -> None:
    drawn = draws.begin_changes(latest(swiss()).pk)
    tables = seated(drawn)
    assert refused(lambda: draws.change(drawn.pk, change(tables), "because")) == code
    assert seated(drawn) == tables


def test_a_proposal_that_nobody_opened_for_changes_is_not_changed() -> None:
    drawn = latest(swiss())
    assert refused(lambda: draws.change(drawn.pk, seated(drawn), "because")) == "illegal_move"
    draws.confirm(drawn.pk)
    assert refused(lambda: draws.begin_changes(drawn.pk)) == "illegal_move"


def test_violations_name_what_a_changed_draw_breaks() -> None:
    competition = swiss(7)
    release(competition)
    play(competition)
    bye = Pairing.objects.get(round__stage__tournament=competition, round__number=1, status="bye")
    met = next(one for one in seated(bye.round) if len(one) == 2)
    had_bye = bye.seats.get(seat=0).entry.public_id
    everybody = [entry.public_id for entry in competition.entries.order_by("number")]
    left = [one for one in everybody if one not in {*met, had_bye}]
    drawn = draws.begin_changes(latest(competition).pk)
    draws.change(drawn.pk, [met, left[:2], [had_bye]], "to see what happens")
    numbers = {entry.public_id: entry.number for entry in competition.entries.all()}
    rematch = sorted(numbers[one] for one in met)
    assert format_reasons(draws.violations(drawn.pk)) == [
        ["rematch", *rematch, 1],
        ["second_bye", numbers[had_bye]],
        *[["not_seated", numbers[one]] for one in left[2:]],
    ]
    event = competition.events.filter(kind="round_confirmed").count()
    draws.confirm(drawn.pk)
    assert competition.events.filter(kind="round_confirmed").count() == event + 1


def test_a_draw_by_the_rules_breaks_nothing() -> None:
    competition = swiss(7, rounds=4)
    for _ in range(4):
        assert draws.violations(latest(competition).pk) == []
        release(competition)
        play(competition)
    assert competition.status == "published"


def test_clubmates_are_named_where_the_stage_keeps_them_apart() -> None:
    competition = people(4, ("swiss", {"settings": {"rounds": 2}, "protected_rounds": 1}), auto_draw=False)
    competition.entries.filter(number__in=[1, 2]).update(club="Dnipro")
    running.start(competition.pk, SEED)
    drawn = draws.begin_changes(latest(competition).pk)
    assert draws.violations(drawn.pk) == []
    first, second, third, fourth = (entry.public_id for entry in competition.entries.order_by("number"))
    draws.change(drawn.pk, [[first, second], [third, fourth]], "they insisted")
    assert format_reasons(draws.violations(drawn.pk)) == [["shares_shield", 1, 2]]


def test_a_draw_that_is_taken_back_stays_in_sight_and_the_same_is_drawn_again() -> None:
    competition = swiss()
    drawn = release(competition)
    tables = seated(drawn)
    assert refused(lambda: draws.take_back(drawn.pk, " ")) == "reason_missing"
    draws.take_back(drawn.pk, "the wrong hall")
    drawn.refresh_from_db()
    assert (drawn.status, drawn.status_reason, matches_of(drawn)) == ("withdrawn", "the wrong hall", {"void": 3})
    assert seated(drawn) == tables
    again = draws.propose(stage_of(competition).pk)
    assert (again.number, again.status, seated(again)) == (1, "proposed", tables)
    release(competition)
    play(competition)
    assert latest(competition).number == 2


def test_what_is_decided_is_taken_back_only_when_that_is_said() -> None:
    competition = swiss()
    drawn = release(competition)
    play(competition, most=1)
    assert refused(lambda: draws.take_back(drawn.pk, "the wrong cards")) == "played"
    draws.take_back(drawn.pk, "the wrong cards", even_played=True)
    assert matches_of(drawn) == {"void": 3}
    results.settle(competition.pk)
    assert latest(competition).status == "proposed"


def test_a_round_from_which_later_ones_follow_is_not_taken_back() -> None:
    competition = swiss()
    first = release(competition)
    play(competition)
    assert refused(lambda: draws.take_back(first.pk, "too late", even_played=True)) == "later_rounds"


def test_a_proposal_that_a_correction_has_overtaken_is_not_confirmed_but_drawn_anew() -> None:
    competition = swiss()
    release(competition)
    play(competition)
    overtaken = latest(competition)
    pairing = Pairing.objects.get(round__number=1, number=1, round__stage__tournament=competition)
    rule(pairing.match.pk, referee(), ReportedScore((1, 2)), "misread", is_correction=True)  # its news is on the way
    assert refused(lambda: draws.confirm(overtaken.pk)) == "stale_draw"
    anew = draws.propose(stage_of(competition).pk)
    overtaken.refresh_from_db()
    assert (overtaken.status, anew.number, anew.status) == ("withdrawn", 2, "proposed")
    assert draws.confirm(anew.pk).status == "confirmed"


def test_who_withdraws_after_a_proposal_is_in_no_draw_that_is_confirmed() -> None:
    competition = swiss()
    entries.withdraw(competition.entries.get(number=2).pk, "ill")
    drawn = draws.propose(stage_of(competition).pk)
    release(competition)
    assert drawn.pairings.filter(seats__entry__number=2).count() == 0
    assert drawn.pairings.filter(status="bye").count() == 1


def test_a_bye_that_was_asked_for_is_written_with_the_round() -> None:
    competition = swiss()
    entries.ask_bye(competition.entries.get(number=3).pk, 2, "half_bye")
    release(competition)
    play(competition)
    byes = latest(competition).pairings.filter(status="bye").order_by("number")
    assert [(bye.bye, bye.seats.get(seat=0).entry.number) for bye in byes][-1] == ("half_bye", 3)
    assert {entry for table in seated(latest(competition)) for entry in table} == set(
        competition.entries.values_list("public_id", flat=True)
    )


def test_rounds_that_were_drawn_ahead_are_confirmed_one_by_one() -> None:
    competition = people(4, ("round_robin", {}), auto_draw=False)
    running.start(competition.pk, SEED)
    rounds = list(Round.objects.filter(stage__tournament=competition).order_by("number"))
    assert [one.status for one in rounds] == ["proposed"] * 3
    draws.confirm(rounds[0].pk)
    draws.release(rounds[0].pk)
    assert play(competition) == 2
    assert competition.status == "running"
    draws.take_back(rounds[2].pk, "no hall on Sunday")
    assert refused(lambda: draws.confirm(rounds[2].pk)) == "illegal_move"
    again = draws.propose(stage_of(competition).pk)
    assert again.number == 3
    for one in (rounds[1], again):
        draws.confirm(one.pk)
        draws.release(one.pk)
    assert play(competition) == 4
    assert competition.status == "published"


def test_a_bracket_is_neither_changed_nor_taken_back_by_hand() -> None:
    competition = people(4, ("single_elimination", {}), auto_draw=False)
    running.start(competition.pk, SEED)
    first = Round.objects.get(stage__tournament=competition, number=1)
    assert refused(lambda: draws.begin_changes(first.pk)) == "bracket_by_hand"
    assert refused(lambda: draws.take_back(first.pk, "because")) == "bracket_by_hand"
    assert refused(lambda: draws.propose(stage_of(competition).pk)) == "drawn_already"


def test_where_no_round_can_be_paired_the_organiser_is_asked_and_can_end_the_stage() -> None:
    competition = people(4, ("swiss", {"settings": {"rounds": 3}}), auto_draw=True)
    running.start(competition.pk, SEED)
    play(competition, most=4)
    for number in (3, 4):
        entries.withdraw(competition.entries.get(number=number).pk, "went home")
    results.settle(competition.pk)
    play(competition)
    results.settle(competition.pk)
    competition.refresh_from_db()
    if competition.status == "running":
        assert competition.events.filter(kind="no_draw").count() == 1
        running.finish(competition.pk)
        competition.refresh_from_db()
    assert competition.status == "published"
    assert not open_tables(competition)
