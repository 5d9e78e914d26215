"""Why nothing happens: what is waited for, and whom it is up to."""

from __future__ import annotations

import pytest

from matches.core.agreement import parse_score
from matches.models import Match
from matches.services import reports
from matches.services.players import person as player_called
from tests.cast import SEED, anna, person, tournament
from tests.tournaments.entries.fields import under_way
from tournaments.formats.lifecycle import RoundStatus, TournamentStatus
from tournaments.models import Pairing, Round, Stage, Tournament
from tournaments.services import checking_in, entries, running
from tournaments.services.log import note
from tournaments.web.idle import Idle, Tally, Waits, reasons, why_idle
from tournaments.web.idle_words import idle_sentence
from tournaments.web.waiting import read_waits, why_nothing_happens

RUNNING = TournamentStatus.RUNNING
TABLE = ("3",)


@pytest.mark.parametrize(
    ("tally", "waits", "expected"),
    [
        (Tally(), Waits(), "closing"),
        (Tally(), Waits(awaited=TABLE), "awaited"),
        (Tally(), Waits(awaited=TABLE, reported=TABLE, disputed=TABLE), "disputed unconfirmed awaited"),
        (Tally(due=1), Waits(awaited=TABLE), "starting awaited"),
        (Tally(due=1, waited_seconds=11, stalled=1), Waits(disputed=TABLE), "disputed no_worker stalled"),
        (Tally(held=2), Waits(), "held"),
        (Tally(held=2), Waits(round=2, status=RoundStatus.CONFIRMED), "unreleased"),
        (Tally(), Waits(round=2, status=RoundStatus.PROPOSED), "unreleased"),
        (Tally(), Waits(round=2, status=RoundStatus.RELEASED), "closing"),
        (Tally(), Waits(round=2, status=RoundStatus.RELEASED, unfilled=TABLE), "stuck"),
        (Tally(), Waits(round=2, status=RoundStatus.RELEASED, unfilled=TABLE, awaited=TABLE), "awaited"),
        (Tally(), Waits(round=2, is_drawn_by_hand=True), "undrawn"),
        (Tally(), Waits(round=2, is_drawn_by_hand=True, trouble="no perfect matching"), "no_draw"),
    ],
)
def test_what_somebody_has_to_see_to_comes_first(tally: Tally, waits: Waits, expected: str) -> None:
    assert " ".join(reasons(RUNNING, tally, waits)) == expected
    assert why_idle(RUNNING, tally, waits) == expected.split()[0]


def test_while_cards_are_played_nothing_is_idle() -> None:
    assert why_idle(RUNNING, Tally(playing=1), Waits(disputed=TABLE)) is None


@pytest.mark.parametrize("status", [one for one in TournamentStatus if one != RUNNING])
def test_every_other_state_is_a_reason_by_itself(status: TournamentStatus) -> None:
    assert reasons(status, Tally(due=1), Waits(disputed=TABLE)) == (Idle(status.value),)


@pytest.mark.parametrize("reason", Idle)
def test_every_reason_has_a_sentence(reason: Idle) -> None:
    told = idle_sentence(reason, Tally(held=1, due=1, stalled=1), False, Waits(("1",), ("2",), ("3",)))
    assert told.endswith(".")
    assert "%" not in told


def test_of_many_tables_some_are_named() -> None:
    tables = tuple(map(str, range(1, 10)))
    told = idle_sentence(Idle.AWAITED, Tally(), True, Waits(awaited=tables))
    assert told == "The results of tables 1, 2, 3, 4, 5, 6 and 3 more are awaited."


def people_play() -> tuple[Tournament, list[Match]]:
    """Three people in a round robin, each with an account of his own name."""
    cup = tournament()
    for name in ("olha", "roman", "petro"):
        entries.enter_player(cup.pk, player_called(name, person(name)))
    running.start(cup.pk, SEED)
    cup.refresh_from_db()
    return cup, list(Match.objects.order_by("round_number"))


def owner(match: Match, side: int):
    return match.seats.get(side=side).agent.player.owner


@pytest.mark.django_db
def test_what_people_have_not_reported_confirmed_or_agreed_on() -> None:
    cup, (first, second, third) = people_play()
    assert why_nothing_happens(cup) == ("The results of tables 1.1, 2.1, 3.1 are awaited.",)
    reports.report(first.pk, owner(first, 0), parse_score("2:0"))
    reports.report(second.pk, owner(second, 0), parse_score("2:0"))
    reports.report(second.pk, owner(second, 1), parse_score("0:2"))
    assert why_nothing_happens(cup) == (
        "The result of table 2.1 is disputed; the organiser has to rule on it.",
        "Table 1.1 has reported a result; another side has to confirm it.",
        "The result of table 3.1 is awaited.",
    )
    reports.rule(second.pk, anna(), parse_score("1:1"), "the sheet says so")
    reports.rule(third.pk, anna(), parse_score("2:0"), "")
    assert why_nothing_happens(cup) == ("Table 1 has reported a result; another side has to confirm it.",)


@pytest.mark.django_db
def test_who_has_checked_in() -> None:
    cup = tournament("random@1", "random@1", "random@1")
    running.open_check_in(cup.pk)
    checking_in.check_in(cup.entries.get(number=2).pk)
    entries.withdraw(cup.entries.get(number=3).pk)
    cup.refresh_from_db()
    assert why_nothing_happens(cup) == ("Check-in: 1 of 2 are here; who is not when play starts is not drawn.",)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("rounds", "round_number", "told"),
    [
        ((RoundStatus.CLOSED, RoundStatus.PROPOSED), 2, "Round 2 is drawn; the organiser has not released it yet."),
        ((RoundStatus.CLOSED, RoundStatus.CONFIRMED), 2, "Round 2 is drawn; the organiser has not released it yet."),
        ((RoundStatus.CLOSED,), 2, "Every table is decided; the organiser has not drawn round 2 yet."),
        (
            (RoundStatus.CLOSED, RoundStatus.WITHDRAWN),
            2,
            "Every table is decided; the organiser has not drawn round 2 yet.",
        ),
    ],
)
def test_rounds_that_the_organiser_draws_and_releases(
    rounds: tuple[RoundStatus, ...], round_number: int, told: str
) -> None:
    cup = under_way(*rounds, auto_draw=False)
    assert read_waits(cup).round == round_number
    assert why_nothing_happens(cup) == (told,)


@pytest.mark.django_db
def test_a_round_that_cannot_be_drawn_says_why_to_the_organiser() -> None:
    cup = under_way(RoundStatus.CLOSED)
    note(cup, "no_draw", None, stage=1, code="no_pairing", text="Everybody has met: play a round robin.")
    assert why_nothing_happens(cup) == (
        "Round 2 could not be drawn; the organiser has to decide how it goes on.",
        "Everybody has met: play a round robin.",
    )
    note(cup, "withdrawn", None, name="Olha")
    assert len(why_nothing_happens(cup)) == 2
    Round.objects.create(stage=cup.stages.get(), number=2, status=RoundStatus.PROPOSED)
    assert why_nothing_happens(cup) == ("Round 2 is drawn; the organiser has not released it yet.",)


@pytest.mark.django_db
def test_a_round_that_was_taken_back_is_to_be_drawn_whatever_was_drawn_ahead() -> None:
    cup = under_way(RoundStatus.CLOSED, RoundStatus.WITHDRAWN, RoundStatus.CLOSED, format_name="round_robin")
    assert why_nothing_happens(cup) == ("Every table is decided; the organiser has not drawn round 2 yet.",)


@pytest.mark.django_db
def test_tables_of_two_stages_are_told_apart() -> None:
    cup, _ = people_play()
    other = Stage.objects.create(tournament=cup, number=2, format="round_robin", status="running")
    Round.objects.filter(number=3).update(stage=other, number=1)
    Round.objects.filter(number=2).update(status=RoundStatus.WITHDRAWN)
    assert read_waits(cup).awaited == ("1.1.1", "2.1.1")


@pytest.mark.django_db
def test_a_table_that_nobody_can_come_to_is_not_the_end() -> None:
    cup = under_way(RoundStatus.CLOSED, RoundStatus.RELEASED, format_name="single_elimination")
    Pairing.objects.create(round=cup.stages.get().rounds.get(number=2), number=1, status="waiting")
    assert why_nothing_happens(cup)[0] == "Round 2 cannot go on by itself; the organiser has to decide how it does."
