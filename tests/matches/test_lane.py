"""A lane from claim to result in this process: what is played, what stops it, and what goes on where it stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import accumulate

import pytest
from django.conf import settings as configured
from pytest_django import Settings

from engine import verify
from matches import lane
from matches.lane import drive
from matches.models import AgentStatus, Match, Outbox, Party, PartyEvent, Result
from matches.services.desk import resume_match, void_match
from matches.services.versions import house_agent, set_status
from tests.matches import seats
from tests.matches.drawn import against, agent_of_kind, claimed, drawn, expire, forget_everything, log_of, same_seed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]
KINDS = ("Erring", "Slow", "Raising", "Unlucky", "Cursed", "Flickering", "Passing", "Revoking", "Listening")


@pytest.fixture(autouse=True)
def _odd_agents(settings: Settings) -> None:
    odd = {kind.lower(): f"tests.matches.seats.{kind}" for kind in KINDS}
    settings.SEAT_AGENTS = configured.SEAT_AGENTS | odd
    seats.Unlucky.asked.clear()
    seats.Flickering.asked.clear()
    seats.Listening.heard.clear()


@contextmanager
def undisturbed(**plan: object) -> Iterator[tuple[list[tuple], list[int]]]:
    """What a match from the test's seed looks like when nothing happens to it; then everything is forgotten."""
    match = drawn("greedy@1", "random@1", **same_seed(**plan))
    assert drive(slots=1, seconds=60) == 1
    yield log_of(match), points_of(match)


def points_of(match: Match) -> list[int]:
    return list(Result.objects.get(match=match).seats.values_list("points", flat=True))


def plain_run(**plan: object) -> tuple[list[tuple], list[int]]:
    with undisturbed(**plan) as seen:
        forget_everything()
    return seen


def test_a_match_is_played_to_its_result() -> None:
    match = drawn("greedy@1", "random@1", boards=2, deals=2)
    assert drive(slots=4, seconds=60) == 1
    match.refresh_from_db()
    assert (match.status, match.attempts, match.fence, match.lease_owner) == ("finished", 1, 1, "")
    parties = list(match.parties.order_by("number"))
    assert [(party.status, party.rotation) for party in parties] == [("finished", turn) for turn in (0, 0, 1, 1)]
    assert [verify(party.record) for party in parties] == [None] * 4
    by_seat = [[party.totals[(seat + party.rotation) % 2] for party in parties] for seat in (0, 1)]
    assert points_of(match) == [sum(totals) for totals in by_seat]


def test_many_matches_at_once_in_few_slots() -> None:
    for _ in range(7):
        drawn()
    assert drive(slots=3, seconds=60) == 7
    assert Result.objects.count() == 7


def test_a_lane_with_nothing_due_ends_at_once() -> None:
    assert drive(slots=4, seconds=60) == 0


def test_the_same_seed_gives_the_same_cards() -> None:
    assert plain_run() == plain_run()


def test_a_lane_lets_go_after_its_time_and_the_next_goes_on_at_the_same_card(monkeypatch: pytest.MonkeyPatch) -> None:
    log, points = plain_run(boards=2)
    match = drawn("greedy@1", "random@1", **same_seed(boards=2))
    monkeypatch.setattr(lane, "POLL_SECONDS", 0.01)
    lengths: list[int] = []
    while drive(slots=1, seconds=0.03 * 1.1 ** len(lengths)) == 0:  # a busy machine claims for longer than that
        match.refresh_from_db()
        assert (match.status, match.lease_owner, match.attempts) == ("running", "", 0)
        lengths.append(PartyEvent.objects.count())
        assert lengths == sorted(lengths)
    assert len({*lengths} - {0}) > 2
    assert (log_of(match), points_of(match)) == (log, points)


def test_killed_after_every_single_write_a_match_is_played_as_if_nothing_had_been(kill_after_each_write) -> None:
    """Whatever a kill leaves behind is what the transactions before it left: so every such state is tried."""
    log, points = plain_run()
    match = drawn("greedy@1", "random@1", **same_seed())
    assert kill_after_each_write(match) > len(log)
    assert (log_of(match), points_of(match)) == (log, points)
    assert Outbox.objects.filter(match=match, consumer="tournaments").count() == 1


def test_faults_cost_the_party_however_often_the_worker_is_killed(kill_after_each_write) -> None:
    plan = same_seed(deals=4)
    calm = against(agent_of_kind("erring"), **plan)
    drive(slots=1, seconds=60)
    log, points = log_of(calm), points_of(calm)
    assert ("forfeit", 0, "", "malformed") in [line[2:] for line in log]
    forget_everything()
    match = against(agent_of_kind("erring"), **plan)
    kill_after_each_write(match)
    assert (log_of(match), points_of(match)) == (log, points)


@pytest.mark.parametrize("rules", ["moscow/2", "klabor/2", "kharkov_full/2"])  # a fault table each
def test_r66_an_illegal_card_costs_the_deal_however_often_the_worker_is_killed(
    kill_after_each_write, rules: str
) -> None:
    plan = same_seed(rules=rules, deals=4, overrides={"illegal_move": "rules"})
    calm = against(agent_of_kind("revoking"), **plan)
    drive(slots=1, seconds=60)
    log, points = log_of(calm), points_of(calm)
    deals = [deal for party in calm.parties.all() for deal in party.record["deals"]]
    faults = [deal for deal in deals if deal["end"] == "fault"]
    assert faults
    assert all(deal["actions"][-1].endswith(" !illegal") for deal in faults)
    assert [verify(party.record) for party in calm.parties.all()] == [None, None]
    assert sum(line[5] == "illegal" for line in log if line[2] == "action") == len(faults)
    forget_everything()
    match = against(agent_of_kind("revoking"), **plan)
    kill_after_each_write(match)
    assert (log_of(match), points_of(match)) == (log, points)


def test_r66_three_illegal_cards_or_two_running_forfeit_the_party_like_any_other_faults() -> None:
    match = against(agent_of_kind("revoking"), rules="klabor/2", deals=None, overrides={"illegal_move": "rules"})
    drive(slots=1, seconds=60)
    for party in match.parties.all():
        assert (party.reason, party.match_seat(party.forfeiter, 2)) == ("forfeit", 0)
        causes = PartyEvent.objects.filter(party=party).exclude(cause="").order_by("seq")
        *faults, last = causes.values_list("kind", "cause")
        # Two where the program was not asked for a bid between them: its opponent named trumps first.
        assert faults in ([("action", "illegal")] * 2, [("action", "illegal")] * 3)
        assert last == ("forfeit", "illegal")
        assert verify(party.record) is None


def test_r66_where_it_is_not_agreed_the_default_is_played_for_an_illegal_card() -> None:
    match = against(agent_of_kind("revoking"), **same_seed(deals=2))
    drive(slots=1, seconds=60)
    deals = [deal for party in match.parties.all() for deal in party.record["deals"]]
    assert "fault" not in {deal["end"] for deal in deals}
    assert any(action.endswith(" !illegal") for deal in deals for action in deal["actions"])


def test_every_seat_hears_of_every_deal_once_and_when_all_of_it_is_committed() -> None:
    match = drawn(agents=tuple(agent_of_kind("listening", name).pk for name in ("Olha", "Roman")), deals=3)
    drive(slots=1, seconds=60)
    for party in match.parties.all():
        deals = [len(deal["actions"]) for deal in party.record["deals"]]
        for game in party.games.all():
            own = [line[1:] for line in seats.Listening.heard if line[0] == game.public_id]
            assert own == list(zip(accumulate(deals), deals, strict=True))


def test_a_version_that_is_not_active_does_not_show_up() -> None:
    absent = house_agent("greedy@1", "Absent")
    match = drawn(agents=(absent.pk, house_agent("random@1", "Present").pk))
    set_status(absent.pk, AgentStatus.QUARANTINED, "for the test")
    drive(slots=1, seconds=20)
    assert [line[2:] for line in log_of(match)] == [("forfeit", 0, "", "no_show"), ("forfeit", 1, "", "no_show")]
    assert points_of(match) == [0, 200]
    assert [verify(party.record) for party in match.parties.all()] == [None, None]


def test_who_does_not_show_up_loses_the_same_whatever_kills_the_lanes(kill_after_each_write) -> None:
    players = tuple(house_agent("greedy@1", name) for name in ("Absent", "Away", "Present"))
    for absent in players[:2]:
        set_status(absent.pk, AgentStatus.QUARANTINED, "for the test")
    match = drawn(agents=tuple(one.pk for one in players), rules="short/3", deals=None)
    kill_after_each_write(match)
    assert points_of(match) == [-3, -3, 6]
    assert {line[2:] for line in log_of(match)} == {("forfeit", seat, "", "no_show") for seat in range(3)}


def test_a_mistake_in_one_agent_does_not_stop_the_other_matches(caplog: pytest.LogCaptureFixture) -> None:
    bad = against(agent_of_kind("raising"))
    good = [drawn("greedy@1", "random@1") for _ in range(3)]
    assert drive(slots=4, seconds=60) == 3
    assert Result.objects.filter(match__in=good).count() == 3
    bad.refresh_from_db()
    assert (bad.status, bad.status_reason) == ("stalled", "claimed 5 times without a card played")
    assert set(Outbox.objects.filter(match=bad).values_list("kind", flat=True)) == {"match_stalled"}
    assert "a mistake in an agent" in caplog.text


def test_a_match_that_kills_whoever_plays_it_is_set_aside_and_its_neighbours_are_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A kill leaves every match of the lane without a card: none but the culprit may be counted out for it."""
    poison = drawn(priority=0)
    neighbours = [drawn(priority=1) for _ in range(6)]

    class Killed(BaseException):
        pass

    class Deadly(lane.MatchPlay):
        async def run(self) -> None:
            if self.lease.match_id == poison.pk:
                raise Killed
            await super().run()

    monkeypatch.setattr(lane, "MatchPlay", Deadly)
    for _ in range(40):
        with suppress(Killed, BaseExceptionGroup):
            drive(slots=10, seconds=60)
        for match in Match.objects.filter(status="running"):
            expire(match)
    poison.refresh_from_db()
    assert poison.status == "stalled"
    assert {Match.objects.get(pk=match.pk).status for match in neighbours} == {"finished"}


def test_a_slow_program_runs_out_of_time_and_loses_the_party() -> None:
    """2 s an answer: 750 ms beyond budget and grace, twenty times 15 s; then a fault, and two running."""
    match = against(agent_of_kind("slow"), deals=8)
    drive(slots=1, seconds=60)
    party = match.parties.get(number=1)
    charged = PartyEvent.objects.filter(party=party, seat=0, kind="action").order_by("seq")
    assert set(charged.values_list("charged_ms", flat=True)) == {1_750}
    banks = list(charged.values_list("bank_ms", flat=True))
    assert banks[:20] == [15_000 - 750 * turn for turn in range(1, 21)]
    assert list(charged.exclude(cause="").values_list("cause", flat=True)) == ["timeout", "timeout"]
    assert (party.reason, party.forfeiter) == ("forfeit", 0)


def test_a_party_in_which_nobody_ever_names_trumps_ends_and_favours_neither_side() -> None:
    """At moscow/2 two programs that always pass would be dealt packs for ever."""
    match = drawn(agents=(agent_of_kind("passing", "One").pk, agent_of_kind("passing", "Two").pk))
    assert drive(slots=1, seconds=60) == 1
    parties = list(match.parties.order_by("number"))
    assert [(party.reason, len(party.record["deals"])) for party in parties] == [("forfeit", 51)] * 2
    assert [verify(party.record) for party in parties] == [None] * 2
    assert parties[0].forfeiter == parties[1].forfeiter
    assert list(PartyEvent.objects.exclude(cause="").values_list("cause", flat=True)) == ["stalled"] * 2
    assert points_of(match) == [match.forfeit_points] * 2


def test_a_party_without_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.core.faults.LONGEST_PARTY", 60)
    match = drawn("greedy@1", "greedy@1", deals=None, overrides={"target": 1_000_000})
    assert drive(slots=1, seconds=60) == 1
    for party in match.parties.all():
        assert (party.reason, len(party.record["deals"])) == ("forfeit", 61)
        assert PartyEvent.objects.filter(party=party).exclude(cause="").get().cause == "stalled"
        assert verify(party.record) is None


def test_failures_of_ours_are_asked_again_and_cost_the_seat_nothing() -> None:
    calm = against(agent_of_kind("house", "Calm"), **same_seed())
    drive(slots=1, seconds=60)
    log = log_of(calm)
    forget_everything()
    match = against(agent_of_kind("flickering"), **same_seed())
    drive(slots=1, seconds=60)
    assert log_of(match) == log
    assert max(seats.Flickering.asked.values()) == 2
    assert set(PartyEvent.objects.values_list("charged_ms", flat=True)) == {0}


def test_a_party_that_our_failures_spoiled_is_played_again_from_the_same_seed() -> None:
    calm = against(agent_of_kind("house", "Calm"), **same_seed())
    drive(slots=1, seconds=60)
    log, points = log_of(calm), points_of(calm)
    forget_everything()
    match = against(agent_of_kind("unlucky"), **same_seed())
    drive(slots=1, seconds=60)
    assert list(match.parties.order_by("number", "attempt").values_list("number", "attempt", "status")) == [
        (1, 1, "void"),
        (1, 2, "finished"),
        (2, 1, "finished"),
    ]
    assert (log_of(match), points_of(match)) == (log, points)
    assert Party.objects.filter(match=match, number=1).values("suits", "board").distinct().count() == 1


def test_a_party_that_is_spoiled_every_time_sets_the_match_aside() -> None:
    match = against(agent_of_kind("cursed"))
    assert drive(slots=1, seconds=60) == 0
    match.refresh_from_db()
    assert (match.status, match.status_reason) == ("stalled", "party 1 was spoiled 5 times by failures of ours")
    assert match.parties.filter(number=1, status="void").count() == 5
    resume_match(match.pk)
    drive(slots=1, seconds=60)
    assert match.parties.filter(number=1, status="void").count() == 10


def test_a_stalled_match_is_taken_up_where_it_stopped(settings: Settings) -> None:
    settings.MATCH_ATTEMPTS = 1
    match = drawn("greedy@1", "random@1")
    claimed()
    expire(match)
    assert drive(slots=1, seconds=60) == 0
    match.refresh_from_db()
    assert match.status == "stalled"
    resume_match(match.pk)
    assert drive(slots=1, seconds=60) == 1


def test_a_lane_leaves_a_match_that_is_annulled_under_its_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """The organiser's word comes between two cards: the next one is not written, and nothing is given back."""
    match, other = drawn("greedy@1", "random@1"), drawn("random@1", "greedy@1")

    class Watched(lane.Ledger):
        async def append(self, event) -> None:
            if event.lease.match_id == match.pk and event.entry.seq == 5:
                await self.run(void_match, match.pk, "annulled in the test")
            await super().append(event)

    monkeypatch.setattr(lane, "Ledger", Watched)
    assert drive(slots=2, seconds=60) == 1
    match.refresh_from_db()
    assert (match.status, match.lease_until) == ("void", None)
    assert [line[1] for line in log_of(match)] == [0, 1, 2, 3, 4]
    assert not Result.objects.filter(match=match).exists()
    assert Result.objects.filter(match=other).exists()


def test_a_lane_drops_a_match_whose_lease_somebody_else_has_taken(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """Found out by the renewal, not by a write: a program may be thinking for a long time."""
    settings.MATCH_LEASE_SECONDS = 1
    match = drawn("greedy@1", "random@1")
    started = []

    class Thinking(lane.MatchPlay):
        async def run(self) -> None:
            started.append(self.lease)
            if len(started) == 1:
                await self.ledger.run(take_over)
                await asyncio.sleep(30)
            await super().run()

    def take_over() -> None:
        Match.objects.filter(pk=match.pk).update(lease_owner="somebody else", fence=7)

    monkeypatch.setattr(lane, "MatchPlay", Thinking)
    assert drive(slots=1, seconds=20) == 0
    match.refresh_from_db()
    assert (match.lease_owner, match.fence) == ("somebody else", 7)
