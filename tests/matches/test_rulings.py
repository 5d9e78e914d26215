"""Every verb of a score from every state, matches of programs taken from their lanes, and many who speak at once."""

from __future__ import annotations

from functools import partial

import pytest

from matches.core.lifecycle import MatchStatus, may_move
from matches.lane import drive
from matches.models import Match, Player, Result, ResultSeat, ScoreReport
from matches.services.claim import claim_due, renew
from matches.services.desk import void_match
from matches.services.finish import LostLease, finish_match
from matches.services.journal import append
from matches.services.reports import confirm, withdraw_report
from tests.matches.drawn import at_once, claimed, drawn, event
from tests.matches.people import account, at_a_table, decided, news, refused, ruled, says, state, tried

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]
committed = pytest.mark.django_db(transaction=True)
"""For lanes and for several connections, which see what is committed only."""


def test_a_ruling_takes_a_match_of_programs_from_the_lane_that_plays_it() -> None:
    match = drawn(boards=2)
    lease = claimed("lane")
    ruled(match, "+:-", "the second is the first under another name")
    assert (state(match), match.fence, match.lease_until) == ("finished", lease.fence + 1, None)
    assert renew("lane", [lease]) == frozenset()
    assert append([event(lease)]) == frozenset()
    with pytest.raises(LostLease):
        finish_match(lease)
    assert set(match.parties.values_list("status", flat=True)) == {"void"}
    assert (decided(match), news(match)) == ([(0, "won"), (0, "lost")], ["match_finished"])


@pytest.mark.parametrize("status", [MatchStatus.READY, MatchStatus.HELD, MatchStatus.STALLED])
def test_a_ruling_ends_a_match_of_programs_from_every_state(status: MatchStatus) -> None:
    match = drawn()
    Match.objects.update(status=status)
    with refused("played_here"):
        owned_by(match, "bohdan")
        says(match, "bohdan", "1:0")
    ruled(match, "-:-", "both gone")
    assert (state(match), claim_due("lane", 5)) == ("finished", ())


def owned_by(match: Match, name: str) -> None:
    Player.objects.filter(agents__match_seats__match=match, agents__match_seats__index=0).update(
        kind="bot", owner=account(name)
    )


@committed
def test_a_ruling_on_what_lanes_have_played() -> None:
    match = drawn("greedy@1", "random@1")
    drive(slots=1, seconds=30)
    played = decided(match)
    assert state(match) == "finished"
    assert Result.objects.get().report is None
    ruled(match, "1:2", "an agreed result")
    assert decided(match) == [(1, "lost"), (2, "won")] != played
    assert news(match) == ["match_finished", "result_corrected"]
    assert set(match.parties.values_list("status", flat=True)) == {"finished"}


@committed
def test_eight_confirm_at_once_and_there_is_one_result() -> None:
    match = at_a_table()
    says(match, "bohdan", "2:1")
    account("dmytro")
    confirmed = at_once(*[lambda: confirm(match.pk, 1, account("dmytro"))] * 8)
    assert {one.version for one in confirmed} == {1}
    assert (Result.objects.count(), ResultSeat.objects.count(), news(match)) == (1, 2, ["match_finished"])


@committed
def test_eight_report_and_rule_at_once_and_one_version_is_confirmed() -> None:
    match = at_a_table()
    account("anna")
    works = [partial(says, match, "bohdan", "2:1"), partial(says, match, "dmytro", "2:1")]
    works += [partial(says, match, "dmytro", "1:2"), partial(ruled, match, "0:2")]
    at_once(*[partial(tried, work) for work in works * 2])
    kept = ScoreReport.objects.filter(match=match, status="confirmed")
    assert (kept.count(), Result.objects.count(), ResultSeat.objects.count()) == (1, 1, 2)
    assert [points for points, _ in decided(match)] == kept.get().points
    assert not ScoreReport.objects.filter(match=match, status="reported").exists()


@committed
def test_a_ruling_stands_whether_the_lane_comes_first_or_not() -> None:
    match = drawn(boards=2)
    account("anna")
    at_once(lambda: drive(slots=1, seconds=30), lambda: ruled(match, "0:7"))
    assert (state(match), decided(match)) == ("finished", [(0, "lost"), (7, "won")])
    assert news(match) in (["match_finished"], ["match_finished", "result_corrected"])
    assert not match.parties.filter(status__in=["waiting", "playing"]).exists()


STATES = {
    "ready": lambda: drawn(),
    "running": lambda: _set(drawn(), "running"),
    "stalled": lambda: _set(drawn(), "stalled"),
    "held": lambda: drawn(held=True),
    "held_of_people": lambda: at_a_table(held=True),
    "awaited": lambda: at_a_table(),
    "reported": lambda: _said(at_a_table(), "bohdan 2:1"),
    "disputed": lambda: _said(at_a_table(), "bohdan 2:1", "dmytro 1:2"),
    "finished": lambda: _said(at_a_table(), "bohdan 2:1", "dmytro 2:1"),
    "void": lambda: void_match(at_a_table().pk, "for the test"),
}
VERBS = {
    "report": lambda match: says(match, "dmytro", "0:2"),
    "agree": lambda match: says(match, "dmytro", "2:1"),
    "confirm": lambda match: confirm(match.pk, 1, account("dmytro")),
    "withdraw": lambda match: withdraw_report(match.pk, account("dmytro")),
    "rule": lambda match: ruled(match, "0:2"),
}
BECOMES = """
                    report       agree        confirm          withdraw          rule
    ready           played_here  played_here  no_such_version  played_here       finished
    running         played_here  played_here  no_such_version  played_here       finished
    stalled         played_here  played_here  no_such_version  played_here       finished
    held            played_here  played_here  no_such_version  played_here       finished
    held_of_people  held         held         no_such_version  held              finished
    awaited         reported     reported     no_such_version  nothing_reported  finished
    reported        disputed     finished     finished         nothing_reported  finished
    disputed        disputed     finished     finished         reported          finished
    finished        over         finished     finished         over              finished
    void            void         void         no_such_version  void              void
"""
"""What a match becomes by a verb, or why not. A report in a dispute is refused, which leaves it disputed."""


def _set(match: Match, status: str) -> Match:
    Match.objects.filter(pk=match.pk).update(status=status, started_at=match.created_at)
    return match


def _said(match: Match, *told: str) -> Match:
    for one in told:
        says(match, *one.split())
    return match


@pytest.mark.parametrize(
    ("old", "verb", "becomes"),
    [
        (old, verb, becomes)
        for old, *row in (line.split() for line in BECOMES.strip().splitlines()[1:])
        for verb, becomes in zip(VERBS, row, strict=True)
    ],
)
def test_every_verb_from_every_state(old: str, verb: str, becomes: str) -> None:
    match = STATES[old]()
    if not match.is_reported:
        Player.objects.filter(agents__match_seats__match=match, agents__match_seats__index=1).update(
            kind="bot", owner=account("dmytro")
        )
    before = state(match)
    refusal = tried(lambda: VERBS[verb](match))
    after = state(match)
    assert (refusal or after) == becomes
    assert before == after or (may_move(MatchStatus(before), MatchStatus(after)) and not refusal)
    assert Result.objects.count() == (after == "finished")
