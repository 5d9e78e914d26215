"""The log: who may write into it, and that no card falls between two owners."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import transaction
from pytest_django import Settings

from matches.models import Match, PartyEvent
from matches.services.claim import claim_due, let_go
from matches.services.desk import void_match
from matches.services.journal import append
from matches.services.load import load_match
from tests.matches.drawn import (
    at_once,
    claimed,
    drawn,
    event,
    expire,
    own_connection,
    wait_until_somebody_waits_for_a_lock,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def written() -> list[tuple[int, str]]:
    return list(PartyEvent.objects.order_by("party", "seq").values_list("seq", "action"))


def test_an_event_is_written_as_it_was_given() -> None:
    drawn()
    lease = claimed()
    new = event(lease, 3, seat=1, action="take", cause="timeout", corrected=True, elapsed_ms=9, charged_ms=7, bank_ms=5)
    assert append([new]) == {(new.party_id, 3)}
    row = PartyEvent.objects.get()
    assert (row.party_id, row.seq, row.kind, row.seat, row.action) == (new.party_id, 3, "action", 1, "take")
    assert (row.cause, row.corrected, row.elapsed_ms, row.charged_ms, row.bank_ms) == ("timeout", True, 9, 7, 5)
    assert row.fence == lease.fence


def test_an_old_fence_writes_nothing() -> None:
    match = drawn()
    old = claimed()
    expire(match)
    claimed()
    assert append([event(old)]) == frozenset()
    assert written() == []


@pytest.mark.parametrize("end", ["void", "finished", "stalled", "held"])
def test_nothing_is_written_into_a_match_that_is_not_running(end: str) -> None:
    match = drawn()
    lease = claimed()
    type(match).objects.filter(pk=match.pk).update(status=end, lease_until=None, finished_at=match.created_at)
    assert append([event(lease)]) == frozenset()
    assert written() == []


def test_a_place_in_the_log_is_taken_once() -> None:
    drawn()
    lease = claimed()
    append([event(lease, 0, action="pass")])
    assert append([event(lease, 0, action="take")]) == frozenset()
    assert written() == [(0, "pass")]


def test_of_two_writers_for_one_place_one_gets_it() -> None:
    drawn()
    lease = claimed()
    for seq in range(10):
        wins = at_once(*[partial(append, [event(lease, seq, action=f"play:{card}H")]) for card in "789TJ"])
        assert sorted(map(len, wins)) == [0, 0, 0, 0, 1]
    assert [seq for seq, _ in written()] == list(range(10))


def test_each_event_of_a_batch_stands_under_its_own_fence() -> None:
    lost, kept = drawn(), drawn("greedy@1", "random@1")
    leases = {lease.match_id: lease for lease in claim_due("lane", 2)}
    expire(lost)
    claimed("another lane")
    batch = [event(leases[lost.pk]), event(leases[kept.pk])]
    assert append(batch) == {(batch[1].party_id, 0)}


def test_while_an_event_is_being_written_its_match_is_not_claimed_and_afterwards_the_new_owner_sees_it() -> None:
    match = drawn()
    lease = claimed()
    expire(match)
    with transaction.atomic():
        append([event(lease, action="take")])
        with ThreadPoolExecutor(1) as thread:
            assert thread.submit(own_connection, claim_due, "next lane", 5).result(10) == ()
    party = load_match(claimed("next lane")).parties[0]
    assert [past.action for past in party.events] == ["take"]


def test_an_event_that_comes_while_its_match_is_being_claimed_is_not_written() -> None:
    match = drawn()
    old = claimed()
    expire(match)
    with ThreadPoolExecutor(1) as thread:
        with transaction.atomic():
            (new,) = claim_due("next lane", 5)
            late = thread.submit(own_connection, append, [event(old)])
            wait_until_somebody_waits_for_a_lock()
        assert late.result(10) == frozenset()
    assert append([event(new, action="take")]) != frozenset()
    assert written() == [(0, "take")]


def test_claims_and_writes_in_a_crowd_leave_no_gap_and_no_double(settings: Settings) -> None:
    """Lanes that want one match, each writing the next card it knows of; every other time it dawdles until its lease
    has run out, and somebody else may be there before it."""
    settings.MATCH_ATTEMPTS = 10_000
    match = drawn()

    def lane(name: str) -> tuple[int, int]:
        wrote = lost = turns = 0
        while PartyEvent.objects.count() < 60:
            for lease in claim_due(name, 1):
                seq, turns = len(load_match(lease).parties[0].events), turns + 1
                if turns % 2:
                    expire(match)
                    time.sleep(0.02)
                done = len(append([event(lease, seq)]))
                wrote, lost = wrote + done, lost + 1 - done
                let_go(lease)
        return wrote, lost

    wrote, lost = zip(*at_once(*[partial(lane, f"lane {number}") for number in range(4)]), strict=True)
    assert [seq for seq, _ in written()] == list(range(sum(wrote)))
    assert sum(lost) > 0, "nobody came too late: the test shows nothing"
    fences = list(PartyEvent.objects.order_by("seq").values_list("fence", flat=True))
    assert fences == sorted({*fences})


def test_a_batch_and_a_cancelled_tournament_do_not_wait_for_each_other() -> None:
    """Both lock the same two matches; the batch, and the table itself, have them the other way round."""
    first, second = drawn(), drawn("greedy@1", "random@1")
    leases = {lease.match_id: lease for lease in claim_due("lane", 2)}
    batch = [event(leases[second.pk]), event(leases[first.pk])]
    for status in ("stalled", "running"):  # an indexed column: the row moves behind the other one
        Match.objects.filter(pk=first.pk).update(status=status, lease_until=None)
    with ThreadPoolExecutor(1) as thread:
        with transaction.atomic():
            void_match(first.pk, "cancelled")
            late = thread.submit(own_connection, append, batch)
            wait_until_somebody_waits_for_a_lock()
            void_match(second.pk, "cancelled")
        assert late.result(10) == frozenset()
