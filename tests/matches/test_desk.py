"""What an organiser does to matches by hand, from every state."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from matches.core.lifecycle import OF_PEOPLE, MatchStatus, may_move
from matches.models import Match, Outbox, Result
from matches.services.claim import Lease, claim_due, renew
from matches.services.desk import IllegalMove, hold_matches, release_matches, resume_match, void_match
from matches.services.finish import LostLease, finish_match
from matches.services.journal import append
from tests.matches.drawn import claimed, drawn, event

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]
NEW_STATUS: dict[str, tuple[Callable[[int], object], MatchStatus]] = {
    "hold": (lambda match: hold_matches([match]), MatchStatus.HELD),
    "release": (lambda match: release_matches([match]), MatchStatus.READY),
    "void": (lambda match: void_match(match, "for the test"), MatchStatus.VOID),
    "resume": (resume_match, MatchStatus.RUNNING),
    "claim": (lambda match: claim_due("lane", 1), MatchStatus.RUNNING),
}
TAKEN_BY_CLAIM = {MatchStatus.READY}
"""A running match may be claimed too, but that is no move."""


def in_state(status: MatchStatus) -> Match:
    match = drawn()
    now = timezone.now()
    Match.objects.filter(pk=match.pk).update(
        status=status, is_reported=status in OF_PEOPLE, started_at=now, finished_at=now
    )
    return match


@pytest.mark.parametrize("verb", NEW_STATUS)
@pytest.mark.parametrize("old", list(MatchStatus))
def test_every_verb_from_every_state(verb: str, old: MatchStatus) -> None:
    """It moves the match where the table of moves lets it go, and leaves it where it was everywhere else."""
    act, new = NEW_STATUS[verb]
    match = in_state(old)
    legal = may_move(old, new) and not (verb == "claim" and old not in TAKEN_BY_CLAIM)
    legal = legal and not (verb == "resume" and old != MatchStatus.STALLED)
    try:
        act(match.pk)
    except IllegalMove:
        assert not legal
    match.refresh_from_db()
    assert match.status == (new if legal else old)


def test_holding_stops_only_what_has_not_begun() -> None:
    running = drawn()
    claimed()
    waiting = drawn()
    assert hold_matches([running.pk, waiting.pk]) == 1
    assert dict(Match.objects.values_list("pk", "status")) == {running.pk: "running", waiting.pk: "held"}
    assert claim_due("lane", 5) == ()
    assert release_matches([running.pk, waiting.pk]) == 1
    assert claim_due("lane", 5) == (Lease(waiting.pk, 1),)


def test_a_match_that_is_annulled_while_it_is_played_is_nobodys_any_more() -> None:
    match = drawn()
    lease = claimed("lane")
    void = void_match(match.pk, "the hall is on fire")
    assert (void.status, void.status_reason, void.fence) == ("void", "the hall is on fire", lease.fence + 1)
    assert renew("lane", [lease]) == frozenset()
    assert append([event(lease)]) == frozenset()
    with pytest.raises(LostLease):
        finish_match(lease)
    assert not Result.objects.exists()
    assert set(Outbox.objects.values_list("kind", "match")) == {("match_voided", match.pk)}


def test_what_is_void_stays_void() -> None:
    match = drawn()
    void_match(match.pk, "once")
    with pytest.raises(IllegalMove, match="is void already"):
        void_match(match.pk, "twice")
    assert Outbox.objects.filter(consumer="tournaments").count() == 1


def test_only_a_stalled_match_is_taken_up_again() -> None:
    match = drawn()
    with pytest.raises(IllegalMove, match="is ready; only a stalled match"):
        resume_match(match.pk)


def test_a_match_taken_up_again_is_due_at_once_with_a_clean_count() -> None:
    match = drawn()
    old = claimed()
    Match.objects.filter(pk=match.pk).update(status="stalled", attempts=5, lease_until=None, status_reason="broken")
    resumed = resume_match(match.pk)
    assert (resumed.status, resumed.attempts, resumed.status_reason) == ("running", 0, "")
    assert claimed("lane") == Lease(match.pk, old.fence + 1)
