"""Answers to challenges: said twice, said too late, said by somebody else, and all at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from bots_api.challenges import services
from bots_api.challenges.errors import ChallengeRefused
from bots_api.challenges.services import accept, cancel, challenge, decline, expire_due
from bots_api.models import Challenge, ChallengePolicy
from bots_api.tasks import expire_challenges
from matches.models import Agent, AgentStatus, Match
from matches.services.versions import house_agent, set_status
from tests.bots_api.challenges.asking import owner, program
from tests.matches.drawn import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]
seen_by_others = pytest.mark.django_db(transaction=True)


def offered(*answering: Agent) -> tuple[Challenge, Agent]:
    mine = program("bohdan")
    asked = answering or (program("chrystyna", ChallengePolicy.ASK),)
    rules = {1: "moscow/2", 2: "klabor/3", 3: "house/4"}[len(asked)]
    made = challenge(owner("bohdan"), mine, asked, rules=rules, boards=1, deals=1)
    assert made.status == "offered"
    return made, asked[0]


def refused(act: Callable[[], object]) -> str:
    try:
        act()
    except ChallengeRefused as refusal:
        return refusal.code
    return ""


def test_the_last_word_draws_the_match_and_a_second_one_changes_nothing() -> None:
    first, second = (program(name, ChallengePolicy.ASK) for name in ("chrystyna", "dmytro"))
    made, _ = offered(first, second)
    assert accept(made, second, owner("dmytro")).status == "offered"
    assert accept(made, second, owner("dmytro")).match is None
    for _ in range(2):
        done = accept(made, first, owner("chrystyna"))
        assert (done.status, Match.objects.get()) == ("accepted", done.match)
    assert refused(partial(decline, made, second)) == refused(partial(cancel, made, owner("bohdan")))
    assert refused(partial(cancel, made, owner("bohdan"))) == "already_accepted"


def test_one_word_declines_for_all_and_says_why() -> None:
    first, second = (program(name, ChallengePolicy.ASK) for name in ("chrystyna", "dmytro"))
    made, _ = offered(first, second)
    accept(made, first)
    for reason in ("  not at  this length ", "another word"):
        done = decline(made, second, owner("dmytro"), reason)
        assert (done.status, done.reason) == ("declined", "not at this length")
    assert refused(partial(accept, made, first)) == "already_declined"
    assert not Match.objects.exists()


def test_who_made_it_takes_it_back_and_nobody_else() -> None:
    made, asked = offered()
    assert refused(partial(cancel, made, owner("chrystyna"))) == "not_yours"
    assert [cancel(made, owner("bohdan")).status for _ in range(2)] == ["cancelled"] * 2
    assert refused(partial(accept, made, asked)) == "already_cancelled"


def test_nobody_answers_for_others() -> None:
    made, asked = offered()
    for act in (accept, decline):
        assert refused(partial(act, made, asked, owner("dmytro"))) == "not_yours"
        assert refused(partial(act, made, asked, owner("bohdan"))) == "not_yours"
        assert refused(partial(act, made, house_agent("greedy@1"))) == "not_asked"
    assert Challenge.objects.get().status == "offered"


def test_what_nobody_accepts_in_time_expires() -> None:
    made, asked = offered()
    offered()
    Challenge.objects.filter(pk=made.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert refused(partial(accept, made, asked)) == "already_expired"
    expire_challenges()
    assert list(Challenge.objects.order_by("pk").values_list("status", flat=True)) == ["expired", "offered"]
    assert expire_due() == 0
    for act in (partial(accept, made, asked), partial(decline, made, asked), partial(cancel, made, owner("bohdan"))):
        assert refused(act) == "already_expired"


@pytest.mark.parametrize("who", [0, 1])
def test_what_somebody_was_to_play_who_has_been_retired_is_taken_back(who: int) -> None:
    made, asked = offered()
    other, _ = offered()
    set_status(made.seats.get(index=who).agent_id, AgentStatus.RETIRED)
    expire_challenges()
    made.refresh_from_db()
    other.refresh_from_db()
    assert (made.status, made.reason) == ("cancelled", "a version that was to play has been retired")
    assert refused(partial(accept, made, asked)) == "already_cancelled"
    assert other.status == "offered"


def test_a_version_that_plays_no_more_cannot_be_played_with() -> None:
    made, asked = offered()
    challenger = made.seats.get(index=0).agent
    set_status(challenger.pk, AgentStatus.QUARANTINED)
    assert refused(partial(accept, made, asked)) == "not_active"
    set_status(challenger.pk, AgentStatus.ACTIVE)
    assert accept(made, asked).status == "accepted"


@seen_by_others
@pytest.mark.parametrize("others", [1, 2, 3])
def test_all_that_can_be_said_at_once_ends_in_one_state_with_one_match_at_most(others: int) -> None:
    for turn in range(4):
        answering = [program(f"owner {number}", ChallengePolicy.ASK) for number in range(others)]
        made, last = offered(*answering)
        for agent in answering[1:]:
            accept(made, agent)
        if turn % 2:
            Challenge.objects.filter(pk=made.pk).update(expires_at=timezone.now() + timedelta(milliseconds=15))
        acts = [partial(accept, made, last)] * 3
        acts += [partial(decline, made, last), partial(services.cancel, made, owner("bohdan")), expire_due]
        said = at_once(*(partial(refused, act) for act in acts))
        after = Challenge.objects.get(pk=made.pk)
        drawn = 1 if after.status == "accepted" else 0
        assert (Match.objects.count(), after.match is not None) == (drawn, bool(drawn)), said
        assert after.status in ("accepted", "declined", "cancelled", "expired")
        assert set(said) <= {"", f"already_{after.status}", "already_expired"}
        if after.status == "accepted":
            assert said[:3] == ["", "", ""]
        Challenge.objects.all().delete()
        Match.objects.all().delete()


@seen_by_others
def test_many_challenges_at_once_are_no_more_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_UNFINISHED", 3)
    mine, house = program("bohdan"), house_agent("greedy@1")
    act = partial(challenge, owner("bohdan"), mine, [house], boards=1, deals=1)
    assert sorted(at_once(*[partial(refused, act)] * 8)) == [""] * 3 + ["too_many"] * 5
    assert Match.objects.count() == 3


@seen_by_others
def test_many_who_ask_one_program_at_once_are_no_more_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_UNFINISHED", 3)
    theirs, house = program("chrystyna"), house_agent("greedy@1")
    challenge(owner("chrystyna"), theirs, [house], boards=1, deals=1)
    asking = [program(f"owner {number}") for number in range(5)]
    acts = [partial(challenge, mine.player.owner, mine, [theirs], boards=1, deals=1) for mine in asking]
    assert sorted(at_once(*(partial(refused, act) for act in acts))) == [""] * 3 + ["opponent_busy"] * 2
    assert refused(partial(challenge, owner("chrystyna"), theirs, [asking[0]], boards=1, deals=1)) == ""
    Match.objects.update(status="void")
    assert refused(acts[0]) == ""
