"""Leases and fences: who may play a match now, with real connections that want the same one."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from matches.core.plan import AFTER_ALL
from matches.models import Match, Outbox
from matches.services.claim import Lease, claim_due, let_go, renew
from matches.services.finish import LostLease, hold
from matches.services.journal import append
from tests.matches.drawn import at_once, claimed, drawn, event, expire

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def row(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def test_a_claim_starts_the_match_and_signs_its_lease(settings: Settings) -> None:
    settings.MATCH_LEASE_SECONDS = 40
    match, before = drawn(), timezone.now()
    assert claim_due("lane one", 5) == (Lease(match.pk, 1),)
    now = row(match)
    assert (now.status, now.lease_owner, now.fence, now.attempts) == ("running", "lane one", 1, 1)
    assert now.started_at is not None
    assert timedelta(seconds=38) < now.lease_until - before < timedelta(seconds=45)
    assert claim_due("lane two", 5) == ()


def test_the_most_urgent_match_is_claimed_first() -> None:
    late, early, next_one = drawn(priority=2), drawn(priority=1), drawn(priority=1)
    order = [claim_due("lane", 1)[0].match_id for _ in range(3)]
    assert order == [early.pk, next_one.pk, late.pk]


@pytest.mark.parametrize("status", ["held", "finished", "void", "stalled"])
def test_only_what_is_due_is_claimed(status: str) -> None:
    match = drawn()
    Match.objects.filter(pk=match.pk).update(status=status, finished_at=timezone.now())
    assert claim_due("lane", 5) == ()


def test_a_match_is_not_claimed_before_its_time() -> None:
    match = drawn()
    Match.objects.filter(pk=match.pk).update(due_at=timezone.now() + timedelta(minutes=1))
    assert claim_due("lane", 5) == ()


def test_claims_at_once_take_each_match_once() -> None:
    matches = {drawn().pk for _ in range(12)}
    lanes = [partial(claim_due, f"lane {number}", 5) for number in range(6)]
    leases = [lease for taken in at_once(*lanes) for lease in taken]
    assert len(leases) <= 12
    assert len({lease.match_id for lease in leases}) == len(leases)
    leases += claim_due("the next", 12)
    assert {lease.match_id for lease in leases} == matches
    assert {lease.fence for lease in leases} == {1}
    assert set(Match.objects.values_list("fence", flat=True)) == {1}


def test_one_match_that_is_wanted_by_many_is_claimed_by_one() -> None:
    for _ in range(5):
        match = drawn()
        taken = at_once(*[partial(claim_due, f"lane {number}", 1) for number in range(6)])
        assert sorted(map(len, taken)) == [0, 0, 0, 0, 0, 1]
        Match.objects.filter(pk=match.pk).update(status="void", lease_until=None)


def test_a_lease_that_has_run_out_is_claimed_with_a_higher_fence() -> None:
    match = drawn()
    old = claimed("dead lane")
    expire(match)
    started_at = row(match).started_at
    assert claim_due("next lane", 5) == (Lease(match.pk, old.fence + 1),)
    assert (row(match).lease_owner, row(match).started_at) == ("next lane", started_at)


def test_the_old_lease_is_worth_nothing_any_more() -> None:
    match = drawn()
    old = claimed("dead lane")
    expire(match)
    new = claimed("next lane")
    with pytest.raises(LostLease):
        held_by(old)
    assert append([event(old)]) == frozenset()
    assert renew("dead lane", [old]) == frozenset()
    let_go(old)
    assert row(match).lease_owner == "next lane"
    assert held_by(new) == match


def held_by(lease: Lease) -> Match:
    with transaction.atomic():
        return hold(lease)


def test_a_match_that_never_moves_is_set_aside(settings: Settings) -> None:
    settings.MATCH_ATTEMPTS = 3
    match = drawn()
    for attempt in (1, 2, 3):
        claimed()
        assert row(match).attempts == attempt
        expire(match)
    assert claim_due("lane", 5) == ()
    now = row(match)
    assert (now.status, now.status_reason) == ("stalled", "claimed 3 times without a card played")
    assert (now.lease_until, now.lease_owner, now.fence) == (None, "", 4)
    assert set(Outbox.objects.filter(match=match).values_list("kind", flat=True)) == {"match_stalled"}
    assert claim_due("lane", 5) == ()


def test_a_card_resets_the_count(settings: Settings) -> None:
    settings.MATCH_ATTEMPTS = 2
    match = drawn()
    for seq in range(6):
        append([event(claimed(), seq)])
        expire(match)
        claimed()
        assert row(match).attempts == 1
        expire(match)
    assert row(match).status == "running"


def test_a_match_that_is_set_aside_does_not_keep_the_others(settings: Settings) -> None:
    settings.MATCH_ATTEMPTS = 1
    bad = drawn(priority=0)
    claimed()
    expire(bad)
    good = drawn(priority=1)
    assert claim_due("lane", 2) == ()
    assert row(bad).status == "stalled"
    assert claim_due("lane", 2) == (Lease(good.pk, 1),)


def test_a_match_under_whose_lease_nothing_was_played_is_claimed_alone_or_not_at_all() -> None:
    suspect, fresh = drawn(), drawn()
    assert claim_due("dead lane", 1) == (Lease(suspect.pk, 1),)
    expire(suspect)
    assert claim_due("busy lane", 5, suspects=False) == (Lease(fresh.pk, 1),)
    drawn()
    (alone,) = claim_due("empty lane", 5)
    assert (alone, alone.is_suspect) == (Lease(suspect.pk, 2), True)


def test_groups_take_turns_and_a_match_that_was_let_go_stands_behind_new_ones() -> None:
    large = [drawn(group="large") for _ in range(4)]
    small = [drawn(group="small") for _ in range(2)]
    first = claim_due("lane", 2)
    assert {lease.match_id for lease in first} == {large[0].pk, small[0].pk}
    for lease in first:
        let_go(lease)
    second = claim_due("lane", 4)
    assert [lease.match_id for lease in second] == [large[1].pk, small[1].pk, large[2].pk, small[0].pk]


def test_renewing_prolongs_what_is_still_ours(settings: Settings) -> None:
    first, second, third = drawn(), drawn(), drawn()
    leases = claim_due("lane", 3)
    Match.objects.filter(pk=second.pk).update(fence=9)
    Match.objects.filter(pk=third.pk).update(status="void", lease_until=None)
    before = row(first).lease_until
    settings.MATCH_LEASE_SECONDS = 600
    assert renew("lane", leases) == {first.pk}
    assert row(first).lease_until > before + timedelta(minutes=8)
    assert row(second).lease_until < timezone.now() + timedelta(minutes=1)


def test_nobody_renews_what_somebody_else_holds() -> None:
    drawn()
    lease = claimed("lane one")
    assert renew("lane two", [lease]) == frozenset()


def test_renewing_nothing_is_no_query_gone_wrong() -> None:
    assert renew("lane", []) == frozenset()


def test_letting_go_makes_a_match_due_at_once() -> None:
    match = drawn()
    let_go(claimed())
    now = row(match)
    assert (now.status, now.lease_owner, now.attempts) == ("running", "", 0)
    assert claimed("next lane") == Lease(match.pk, 2)


def test_letting_go_without_a_card_goes_on_counting() -> None:
    match = drawn()
    let_go(claimed(), progress=False)
    claimed()
    assert row(match).attempts == 2


def test_what_no_competition_waits_for_is_played_when_nothing_else_is_due() -> None:
    begun = drawn(group="challenges", priority=AFTER_ALL)
    let_go(claimed())
    later = drawn(group="challenges", priority=AFTER_ALL)
    cup = [drawn(group="cup", priority=round_number) for round_number in (1, 2, 999)]
    order = [lease.match_id for lease in claim_due("lane", 5)]
    assert order == [*(match.pk for match in cup), later.pk, begun.pk]
