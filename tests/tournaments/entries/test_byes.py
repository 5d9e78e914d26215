"""Rounds that an entry asks to sit out: which, for how much, and until when."""

from __future__ import annotations

import pytest

from tests.cast import tournament
from tests.tournaments.entries.fields import ROUNDS, entry, under_way
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import RoundStatus
from tournaments.models import AskedBye, ByeKind, Entry, Stage, Tournament
from tournaments.services import entries

pytestmark = pytest.mark.django_db
CLOSED, RELEASED, PROPOSED = RoundStatus.CLOSED, RoundStatus.RELEASED, RoundStatus.PROPOSED


def code_of(cup: Tournament, round_number: int, kind: ByeKind = ByeKind.ZERO) -> str:
    try:
        entries.ask_bye(entry(cup).pk, round_number, kind)
    except TournamentError as refusal:
        return refusal.code
    return "asked"


@pytest.mark.parametrize(
    ("round_number", "kind", "code"),
    [
        (1, ByeKind.ZERO, "round_drawn"),
        (2, ByeKind.ZERO, "round_drawn"),
        (3, ByeKind.ZERO, "asked"),
        (3, ByeKind.HALF, "asked"),
        (ROUNDS, ByeKind.ZERO, "asked"),
        (ROUNDS, ByeKind.HALF, "half_bye_in_last_round"),
        (ROUNDS + 1, ByeKind.ZERO, "no_such_round"),
    ],
)
def test_which_rounds_can_be_sat_out(round_number: int, kind: ByeKind, code: str) -> None:
    assert code_of(under_way(CLOSED, RELEASED), round_number, kind) == code


def test_half_the_points_are_given_once_and_nothing_as_often_as_one_likes() -> None:
    cup = under_way(CLOSED)
    told = [code_of(cup, number, kind) for number, kind in ((2, "half_bye"), (3, "half_bye"), (3, "zero_bye"))]
    assert told == ["asked", "too_many_half_byes", "asked"]
    assert code_of(cup, 4) == "asked"


def test_what_was_asked_for_can_be_changed_and_asked_twice() -> None:
    cup = under_way(CLOSED)
    told = [code_of(cup, 2, kind) for kind in ("half_bye", "half_bye", "zero_bye")]
    assert told == ["asked"] * 3
    assert list(AskedBye.objects.values_list("stage_number", "round_number", "kind")) == [(1, 2, "zero_bye")]
    assert code_of(cup, 3, ByeKind.HALF) == "asked", "the half that was given back can be asked for again"


def test_a_proposal_of_that_round_is_taken_back_and_another_round_leaves_it_alone() -> None:
    cup = under_way(CLOSED, PROPOSED)
    drawn = cup.stages.get().rounds.get(number=2)
    assert code_of(cup, 3) == "asked"
    drawn.refresh_from_db()
    assert drawn.status == PROPOSED
    assert code_of(cup, 2) == "asked"
    drawn.refresh_from_db()
    assert drawn.status == RoundStatus.WITHDRAWN


def test_it_is_taken_back_for_as_long_as_the_round_is_not_drawn() -> None:
    cup = under_way(CLOSED)
    one = entry(cup)
    entries.ask_bye(one.pk, 2)
    entries.ask_bye(one.pk, 3)
    entries.take_back_bye(one.pk, 3)
    entries.take_back_bye(one.pk, 3)
    cup.stages.get().rounds.create(number=2, status=RELEASED)
    with pytest.raises(TournamentError) as refusal:
        entries.take_back_bye(one.pk, 2)
    assert refusal.value.code == "round_drawn"
    assert list(one.asked_byes.values_list("round_number", flat=True)) == [2]


def test_a_bye_can_be_asked_for_before_the_start_where_rounds_are_drawn_one_by_one() -> None:
    cup = tournament("random@1", "random@1")
    assert code_of(cup, 1) == "bye_impossible"
    Stage.objects.create(tournament=cup, number=1, format="swiss", settings={"rounds": ROUNDS})
    assert code_of(cup, 1) == "asked"


def test_where_everything_is_drawn_at_the_start_nobody_sits_out() -> None:
    assert code_of(under_way(RELEASED, format_name="round_robin"), 2) == "bye_impossible"


def test_rounds_before_a_late_entry_came_are_none_of_its() -> None:
    cup = under_way(CLOSED)
    Entry.objects.filter(number=1).update(joined_round=4)
    assert [code_of(cup, number) for number in (3, 4)] == ["round_drawn", "asked"]


def test_who_is_not_in_the_stage_has_no_rounds_there() -> None:
    cup = under_way(CLOSED)
    entry(cup).stage_entries.all().delete()
    assert code_of(cup, 2) == "not_in_stage"
