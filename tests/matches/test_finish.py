"""From parties to a result, once, by match seat however the seats were turned at the table."""

from __future__ import annotations

import random

import pytest
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from engine import PartySetup, Table, apply, observe, start, verify
from engine.bots import house
from matches.models import Agent, AgentStatus, Match, Outbox, Party, Result, ResultSeat
from matches.services.claim import Lease, claim_due
from matches.services.finish import LostLease, begin_party, finish_match, finish_party, replay_party
from tests.matches.drawn import at_once, claimed, drawn, expire

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def over(match: Match, totals: list[tuple[int, int]], forfeiters: list[int | None] | None = None) -> None:
    """Ends the parties of a match with these totals, by side of the table."""
    for party, total, forfeiter in zip(
        match.parties.order_by("number"), totals, forfeiters or [None] * len(totals), strict=True
    ):
        Party.objects.filter(pk=party.pk).update(
            status="finished",
            record_json=b"{}",
            totals=list(total),
            reason="deals" if forfeiter is None else "forfeit",
            forfeiter=forfeiter,
            finished_at=timezone.now(),
        )


def played(party: Party) -> Table:
    """A party of two greedy programs, from its board."""
    table = start(PartySetup(party.match.game_rules, bytes(party.board.seed), b"", party.suits, None))
    while (seat := table.seat_to_act) is not None:
        table = apply(table, house("greedy").choose(observe(table, seat), random.Random(0)))
    return table


@pytest.mark.parametrize(
    ("totals", "forfeiters", "points", "outcomes"),
    [
        ([(120, 40), (70, 90)], [None, None], [210, 110], ["won", "lost"]),
        ([(120, 40), (120, 40)], [None, None], [160, 160], ["drawn", "drawn"]),
        ([(-20, 40), (50, 10)], [None, None], [-10, 90], ["lost", "won"]),
        ([(80, 30), (0, 0)], [None, 0], [180, 30], ["won", "lost"]),  # table seat 0 of the turned party is seat 1
        ([(0, 0), (0, 0)], [1, 1], [100, 100], ["drawn", "drawn"]),
        ([(162, 0), (0, 0)], [0, 1], [0, 200], ["lost", "won"]),
    ],
)
def test_points_are_counted_by_match_seat(totals, forfeiters, points: list[int], outcomes: list[str]) -> None:
    match = drawn()
    lease = claimed()
    over(match, totals, forfeiters)
    result = finish_match(lease)
    assert list(result.seats.values_list("index", "points")) == list(enumerate(points))
    assert list(result.seats.values_list("outcome", flat=True)) == outcomes
    assert result.forfeited_parties == sum(seat is not None for seat in forfeiters)


def test_a_result_is_written_with_everything_that_follows_from_it() -> None:
    match = drawn("greedy@1", "random@1")
    lease = claimed()
    over(match, [(1, 0), (0, 1)])
    finish_match(lease)
    match.refresh_from_db()
    assert (match.status, match.lease_until, match.lease_owner) == ("finished", None, "")
    assert match.finished_at is not None
    assert list(Outbox.objects.values_list("kind", "match", "consumer")) == [
        ("match_finished", match.pk, name) for name in settings.OUTBOX_CONSUMERS
    ]
    seats = ResultSeat.objects.order_by("index").values_list("agent", flat=True)
    assert list(seats) == list(match.seats.values_list("agent", flat=True))


def test_a_match_is_finished_once() -> None:
    match = drawn()
    lease = claimed()
    over(match, [(1, 0), (1, 0)])
    finish_match(lease)
    with pytest.raises(LostLease):
        finish_match(lease)
    assert (Result.objects.count(), Outbox.objects.filter(consumer="tournaments").count()) == (1, 1)


def test_of_many_who_finish_at_once_one_does() -> None:
    match = drawn()
    lease = claimed()
    over(match, [(1, 0), (1, 0)])

    def finish() -> bool:
        try:
            finish_match(lease)
        except LostLease:
            return False
        return True

    assert sorted(at_once(*[finish] * 6)) == [False] * 5 + [True]
    assert (Result.objects.count(), ResultSeat.objects.count()) == (1, 2)
    assert Outbox.objects.filter(consumer="tournaments").count() == 1


def test_an_old_lease_finishes_nothing() -> None:
    match = drawn()
    old = claimed()
    expire(match)
    claim_due("next lane", 1)
    over(match, [(1, 0), (1, 0)])
    party = match.parties.first()
    assert party is not None
    for late in (
        lambda: finish_match(old),
        lambda: begin_party(old, party.pk),
        lambda: finish_party(old, party.pk, played(party)),
        lambda: replay_party(old, party.pk),
    ):
        with pytest.raises(LostLease):
            late()
    assert not Result.objects.exists()


def test_a_match_is_not_finished_before_its_parties_are() -> None:
    match = drawn()
    lease = claimed()
    over(match, [(1, 0), (1, 0)])
    Party.objects.filter(number=2).update(status="playing", record_json=None, totals=None, reason="")
    with pytest.raises(ValueError, match="has parties that are not over"):
        finish_match(lease)
    match.refresh_from_db()
    assert match.status == "running"
    assert not Result.objects.exists()


def test_a_failure_after_the_result_takes_the_result_back(monkeypatch: pytest.MonkeyPatch) -> None:
    match = drawn()
    lease = claimed()
    over(match, [(1, 0), (1, 0)])

    class PowerCut(Exception):
        pass

    def finish_and_fail() -> None:
        with transaction.atomic():
            finish_match(lease)
            raise PowerCut

    with pytest.raises(PowerCut):
        finish_and_fail()
    assert (Result.objects.count(), Outbox.objects.count()) == (0, 0)
    match.refresh_from_db()
    assert match.status == "running"


def test_a_party_is_begun_once_and_its_record_written_once() -> None:
    match = drawn()
    lease = claimed()
    party = match.parties.get(number=1)
    assert begin_party(lease, party.pk) == ()
    started_at = Party.objects.get(pk=party.pk).started_at
    assert begin_party(lease, party.pk) == ()
    assert Party.objects.get(pk=party.pk).started_at == started_at
    table = played(party)
    finish_party(lease, party.pk, table)
    kept = bytes(Party.objects.get(pk=party.pk).record_json)
    finish_party(lease, party.pk, table)
    party.refresh_from_db()
    assert bytes(party.record_json) == kept
    assert verify(party.record) is None
    assert party.totals == list(table.totals)


@pytest.mark.parametrize(("before", "after"), [((), (0, 1)), ((1,), ()), ((0, 1), (1,))])
def test_who_is_absent_is_noted_once_and_stays_so_for_whoever_begins_the_party_again(before, after) -> None:
    match = drawn("greedy@1", "random@1")
    old, party = claimed(), match.parties.get(number=2)  # its seats are turned

    def send_away(absent: tuple[int, ...]) -> None:
        for game in party.games.all():
            status = AgentStatus.QUARANTINED if game.seat in absent else AgentStatus.ACTIVE
            Agent.objects.filter(match_seats=game.match_seat).update(status=status)

    send_away(before)
    assert begin_party(old, party.pk) == before
    expire(match)
    send_away(after)
    (lease,) = claim_due("next lane", 1)
    assert begin_party(lease, party.pk) == before
    party.refresh_from_db()
    assert party.absent == list(before)
    assert sorted(party.match_seat(seat, 2) for seat in before) == sorted(1 - seat for seat in before)


def test_the_record_of_a_board_opens_when_its_last_exposure_is_over() -> None:
    match = drawn()
    first, second = match.parties.order_by("number")
    over(match, [(1, 0), (1, 0)])
    Party.objects.filter(pk=second.pk).update(status="playing", record_json=None, totals=None, reason="")
    assert not Party.objects.get(pk=first.pk).is_revealed
    over(match, [(1, 0), (1, 0)])
    assert Party.objects.get(pk=first.pk).is_revealed


def test_a_spoiled_party_is_drawn_again_as_it_was() -> None:
    match = drawn()
    lease: Lease = claimed()
    spoiled = match.parties.get(number=1)
    begin_party(lease, spoiled.pk)
    assert replay_party(lease, spoiled.pk)
    spoiled.refresh_from_db()
    again = match.parties.get(number=1, attempt=2)
    assert (spoiled.status, again.status) == ("void", "waiting")
    assert (again.board_id, again.rotation, again.suits) == (spoiled.board_id, spoiled.rotation, spoiled.suits)
    assert not {*again.games.values_list("public_id")} & {*spoiled.games.values_list("public_id")}
    assert [game.match_seat.index for game in again.games.order_by("seat")] == [0, 1]
