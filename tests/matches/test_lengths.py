"""Matches of whole parties, played by lanes: a seed each, the dealer passed on, and no party that decides nothing."""

from __future__ import annotations

import itertools

import pytest
from django.test import Client

from engine import lot, suits_of, verify
from matches.core.plan import Length
from matches.lane import drive
from matches.models import AgentStatus, Match, Party, Result
from matches.services.versions import house_agent, set_status
from tests.matches.drawn import drawn, forget_everything, log_of, same_seed
from tests.matches.people import at_a_table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]
SHORT_PARTIES = {"target": 60}
"""A party of two or three deals."""


def of_parties(length: Length, boards: int, *labels: str, **plan: object) -> Match:
    asked = {"overrides": SHORT_PARTIES, "deals": None, **same_seed(), **plan}
    return drawn(*labels or ("greedy@1", "random@1"), length=length, boards=boards, **asked)


def won(match: Match) -> list[int]:
    """Who won each party that was played."""
    finished = Party.objects.filter(match=match, status="finished").order_by("number")
    return list(finished.values_list("winner", flat=True))


def result_of(match: Match) -> list[tuple[int, int]]:
    return list(Result.objects.get(match=match).seats.order_by("index").values_list("points", "parties"))


def test_every_party_has_a_seed_of_its_own_and_the_seats_as_drawn() -> None:
    match = of_parties(Length.PARTIES, 3)
    drive(slots=1, seconds=60)
    parties = list(match.parties.order_by("number"))
    assert [(party.rotation, party.board.number, party.status) for party in parties] == [
        (0, 1, "finished"),
        (0, 2, "finished"),
        (0, 3, "finished"),
    ]
    assert [party.suits for party in parties] == [suits_of(bytes(party.board.seed), 0) for party in parties]
    assert [verify(party.record) for party in parties] == [None] * 3
    by_side = [won(match).count(side) for side in (0, 1)]
    assert result_of(match) == [(parties, parties) for parties in by_side]


@pytest.mark.parametrize("party_dealer", ["winner", "rotate"])
def test_r15_the_dealer_is_passed_on(party_dealer: str) -> None:
    match = of_parties(Length.PARTIES, 4, overrides={**SHORT_PARTIES, "party_dealer": party_dealer})
    assert list(match.boards.values_list("first_dealer", flat=True))[1:] == [None] * 3
    drive(slots=1, seconds=60)
    records = [party.record for party in match.parties.order_by("number")]
    boards = list(match.boards.order_by("number"))
    assert [record["first_dealer_by"] for record in records] == ["lot", "match", "match", "match"]
    assert [record["first_dealer"] for record in records] == [board.first_dealer for board in boards]
    assert boards[0].first_dealer == lot(bytes(boards[0].seed), 2)
    for before, record in itertools.pairwise(records):
        last_dealer = before["deals"][-1]["dealer"]
        passed_on = before["result"]["winner"] if party_dealer == "winner" else 1 - last_dealer
        assert record["first_dealer"] == passed_on


def test_a_best_of_ends_when_it_is_decided() -> None:
    match = of_parties(Length.BEST_OF, 5)
    drive(slots=1, seconds=60)
    winners = won(match)
    assert max(winners.count(side) for side in (0, 1)) == 3
    assert winners.count(winners[-1]) == 3
    assert set(match.parties.filter(number__gt=len(winners)).values_list("status", flat=True)) <= {"void"}
    assert result_of(match) == [(winners.count(side),) * 2 for side in (0, 1)]
    assert match.parties.count() == 5


def test_parties_that_decide_nothing_are_void_and_their_seeds_open(client: Client) -> None:
    absent, there = house_agent("greedy@1", "Absent"), house_agent("greedy@1", "There")
    set_status(absent.pk, AgentStatus.QUARANTINED)
    match = of_parties(Length.BEST_OF, 5, agents=(absent.pk, there.pk))
    drive(slots=1, seconds=60)
    assert list(match.parties.order_by("number").values_list("status", flat=True)) == ["finished"] * 3 + ["void"] * 2
    assert all(board.is_open for board in match.boards.all())
    assert result_of(match) == [(0, 0), (3, 3)]
    assert list(Result.objects.get().seats.values_list("outcome", flat=True)) == ["lost", "won"]
    page = client.get(match.get_absolute_url()).content.decode()
    assert "2 parties were not played: the match was decided." in page
    assert "best of 5 parties to 60" in page


def test_killed_after_every_single_write_the_dealer_is_the_same(kill_after_each_write) -> None:
    plan = {"boards": 3, "overrides": {"target": 20}}
    calm = of_parties(Length.BEST_OF, **plan)
    drive(slots=1, seconds=60)
    log, result, dealers = log_of(calm), result_of(calm), list(calm.boards.values_list("first_dealer", flat=True))
    forget_everything()
    match = of_parties(Length.BEST_OF, **plan)
    kill_after_each_write(match)
    assert (log_of(match), result_of(match)) == (log, result)
    assert list(match.boards.values_list("first_dealer", flat=True)) == dealers


def test_several_parties_in_short_count_stakes() -> None:
    match = of_parties(Length.PARTIES, 6, rules="short/2", overrides={})
    drive(slots=1, seconds=60)
    points = [points for points, _ in result_of(match)]
    assert sum(points) == 0
    assert match.parties.filter(status="finished").count() == 6


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        ({"boards": 4}, "choose an odd number"),
        ({"boards": 0}, "one party at least"),
        ({"boards": 3, "rules": "short/2"}, "In Short"),
        ({"boards": 3, "rules": "moscow/3", "names": ("bohdan", "dmytro", "eva")}, "two sides"),
    ],
)
def test_a_length_that_cannot_be_is_refused_whoever_plays(plan: dict[str, object], told: str) -> None:
    names = plan.pop("names", ())
    with pytest.raises(ValueError, match=told):
        at_a_table(*names, length=Length.BEST_OF, **plan)
    assert not Match.objects.exists()


def test_deals_are_left_aside_where_parties_are_whole() -> None:
    match = of_parties(Length.PARTIES, 2, deals=4)
    assert "deals" not in match.overrides
    assert match.unit == "parties"
