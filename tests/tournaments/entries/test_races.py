"""Many at once: what one did, all see."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from tests.tournaments.entries.fields import entry, house, under_way
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import RoundStatus
from tournaments.models import StageEntry
from tournaments.services import entries

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def at_once(*acts: Callable[[], object]) -> list[str]:
    def told(act: Callable[[], object]) -> str:
        try:
            act()
        except TournamentError as refusal:
            return refusal.code
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(len(acts)) as pool:
        return sorted(pool.map(told, acts))


def test_eight_withdrawals_at_once_of_one_entry_are_one() -> None:
    cup = under_way(RoundStatus.CLOSED, RoundStatus.PROPOSED)
    one = entry(cup)
    assert at_once(*[lambda: entries.withdraw(one.pk, "ill")] * 8) == ["done"] * 8
    assert list(cup.events.filter(kind__in=["withdrawn", "round_taken_back"]).values_list("kind", flat=True)) == [
        "round_taken_back",
        "withdrawn",
    ]


def test_eight_entries_that_withdraw_at_once_all_are_gone() -> None:
    cup = under_way(RoundStatus.CLOSED, entries=8)
    acts = [lambda pk=pk: entries.withdraw(pk) for pk in cup.entries.values_list("pk", flat=True)]
    assert at_once(*acts) == ["done"] * 8
    assert set(cup.entries.values_list("status", "left_stage")) == {("withdrawn", 1)}
    assert min(cup.entries.values_list("left_round", flat=True)) == 2, "rounds drawn in between are left later"


def test_late_entries_at_once_take_numbers_without_gaps_in_the_stage_too() -> None:
    cup = under_way(RoundStatus.CLOSED, late_until_round=2)
    agents = [house(f"Larysa {number}") for number in range(6)]
    assert at_once(*[lambda agent=agent: entries.enter(cup.pk, agent) for agent in agents]) == ["done"] * 6
    numbers = StageEntry.objects.filter(stage__tournament=cup).values_list("number", "entry__number")
    assert sorted(numbers) == [(number, number) for number in range(1, 11)]


def test_withdrawing_and_coming_back_at_once_leave_one_of_both() -> None:
    cup = under_way(RoundStatus.CLOSED)
    one = entry(cup)
    acts = [lambda: entries.withdraw(one.pk), lambda: entries.reinstate(one.pk)] * 4
    assert at_once(*acts) == ["done"] * 8
    now = entry(cup)
    assert (now.status, now.left_round is None) in {("withdrawn", False), ("active", True)}
    if now.left_round is not None:
        assert now.left_round >= 2, "rounds drawn in between, while it was there, are left later"
        assert not now.pairing_seats.filter(round__number__gte=now.left_round).exists()
    moves = list(cup.events.filter(kind__in=["withdrawn", "reinstated"]).values_list("kind", flat=True))
    assert moves == ["withdrawn", "reinstated"] * (len(moves) // 2) + ["withdrawn"] * (len(moves) % 2)


def test_of_half_byes_asked_for_at_once_one_is_given() -> None:
    cup = under_way(RoundStatus.CLOSED)
    one = entry(cup)
    acts = [lambda number=number: entries.ask_bye(one.pk, number, "half_bye") for number in (2, 3, 4)]
    assert at_once(*acts) == ["done", "too_many_half_byes", "too_many_half_byes"]
    assert one.asked_byes.count() == 1
