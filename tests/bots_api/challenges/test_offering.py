"""Challenges as they are made: who sits where, what cannot be played, what is drawn at once."""

from __future__ import annotations

from typing import Any

import pytest

from bots_api.challenges import services
from bots_api.challenges.errors import ChallengeRefused
from bots_api.challenges.reading import challenges_of, find_version, is_among_one_owners, waits_for
from bots_api.challenges.services import MOST_UNFINISHED, challenge
from bots_api.models import BotVersion, Challenge, ChallengePolicy
from matches.core.clocks import Control
from matches.core.plan import AFTER_ALL, Length
from matches.models import Agent, AgentStatus, Match
from matches.services.players import person
from matches.services.versions import house_agent, person_agent
from tests.bots_api.challenges.asking import owner, program

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]


def asked(challenger: Agent, *opponents: Agent, **plan: Any) -> Challenge:
    return challenge(challenger.player.owner, challenger, opponents, **plan)


def refused(challenger: Agent, *opponents: Agent, **plan: Any) -> tuple[str, str]:
    with pytest.raises(ChallengeRefused) as refusal:
        asked(challenger, *opponents, **plan)
    assert not Challenge.objects.exists()
    return refusal.value.code, refusal.value.field


def seated(made: Challenge) -> list[str]:
    assert made.match is not None
    return [str(seat.agent) for seat in made.match.seats.order_by("index")]


def test_a_challenge_of_the_house_is_a_match_at_once_with_the_plan_that_was_asked_for() -> None:
    mine = program("bohdan")
    plan = {"rules": "klabor/2", "overrides": {"target": 301}, "length": Length.PARTIES, "boards": 3, "deals": None}
    made = asked(mine, house_agent("greedy@1"), **plan, control=Control.BLITZ, strict=True, rated=True)
    match = made.match
    assert (made.status, match.status) == ("accepted", "ready")
    assert (match.rules, match.overrides, match.length, match.boards_planned) == (
        "klabor/2@1",
        {"target": 301},
        "parties",
        3,
    )
    assert (match.control, match.strict, match.rated) == ("blitz", True, True)
    assert (match.group, match.priority) == ("challenges", AFTER_ALL)
    assert match.title == f"{mine.player.name} – house:greedy"


@pytest.mark.parametrize(
    ("rules", "others", "expected"),
    [
        ("moscow/2", ["greedy"], ["greedy"]),
        ("klabor/3", ["greedy", "random"], ["greedy", "random"]),
        ("klabor/3", ["greedy", "greedy"], ["greedy", "greedy 2"]),
        ("house/4", ["greedy", "greedy", "greedy"], ["greedy", "greedy 2", "greedy 3"]),
        ("klabor/pairs", ["greedy", "random", "greedy"], ["greedy", "random", "greedy"]),
        ("klabor/pairs", ["greedy", "greedy", "random"], ["greedy", "greedy 2", "random"]),
    ],
)
def test_every_kind_of_table_is_filled_in_its_order(rules: str, others: list[str], expected: list[str]) -> None:
    mine = program("bohdan")
    made = asked(mine, *(house_agent(f"{name}@1") for name in others), rules=rules, boards=1, deals=1)
    assert seated(made) == [str(mine), *(f"house:{name} {name.split()[0]}@1" for name in expected)]


def test_in_pairs_one_opponent_plays_both_hands_as_the_challenger_does() -> None:
    mine, other = program("bohdan"), program("chrystyna")
    made = asked(mine, other, rules="klabor/pairs", rated=True)
    assert seated(made) == [str(mine), str(other)] * 2
    assert not is_among_one_owners(made)


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        ({"rules": "nobody/2"}, ("unknown_preset", "rules")),
        ({"overrides": {"targte": 301}}, ("unknown_option", "overrides")),
        ({"overrides": {"target": "many"}}, ("bad_value", "overrides")),
        ({"boards": 21}, ("bad_boards", "boards")),
        ({"boards": 0}, ("bad_boards", "boards")),
        ({"deals": 101}, ("bad_deals", "deals")),
        ({"deals": 0}, ("bad_deals", "deals")),
        ({"length": Length.BEST_OF, "boards": 4}, ("bad_length", "boards")),
        ({"rules": "klabor/3"}, ("wrong_seats", "opponents")),
        ({"hours": 0}, ("bad_hours", "hours")),
        ({"hours": 169}, ("bad_hours", "hours")),
    ],
)
def test_what_cannot_be_played_is_refused_by_the_name_of_its_field(plan: dict[str, Any], expected: object) -> None:
    assert refused(program("bohdan"), house_agent("greedy@1"), **plan) == expected


def test_who_cannot_play_is_refused() -> None:
    mine, theirs = program("bohdan"), program("chrystyna")
    new, retired = program("chrystyna", status=AgentStatus.NEW), program("bohdan", status=AgentStatus.RETIRED)
    drained = program("chrystyna")
    BotVersion.objects.filter(agent=drained).update(is_accepting=False)
    drained = find_version(drained.public_id, "opponents")
    assert refused(mine, new) == ("not_active", "opponents")
    assert refused(retired, theirs) == ("not_active", "challenger")
    assert refused(mine, drained) == ("draining", "opponents")
    assert refused(mine, mine) == ("against_itself", "opponents")
    assert refused(mine, theirs, mine, theirs, rules="house/4") == ("against_itself", "opponents")
    assert refused(mine, person_agent(person("Dmytro"))) == ("not_a_program", "opponents")
    assert refused(mine, house_agent("solver@1"), theirs, rules="klabor/3") == ("house_does_not_play", "opponents")
    with pytest.raises(ChallengeRefused, match="no program of yours") as refusal:
        challenge(owner("chrystyna"), mine, [theirs])
    assert refusal.value.code == "not_yours"
    with pytest.raises(ChallengeRefused, match="no program of yours"):
        challenge(owner("chrystyna"), house_agent("greedy@1"), [theirs])
    assert not Match.objects.exists()


def test_programs_of_one_owner_are_never_rated_where_they_meet() -> None:
    mine, partner, other = program("bohdan"), program("bohdan"), program("chrystyna")
    assert refused(mine, partner, rated=True) == ("same_owner", "rated")
    assert refused(mine, other, partner, rules="klabor/3", rated=True) == ("same_owner", "rated")
    together = asked(mine, other, partner, other, rules="klabor/pairs", rated=True)
    assert (together.match.rated, is_among_one_owners(together)) == (True, False)
    among_us = asked(mine, partner)
    assert (among_us.status, among_us.match.rated, is_among_one_owners(among_us)) == ("accepted", False, True)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("all", ("accepted", "accepted")), ("ask", ("offered", "pending")), ("none", ("declined", "declined"))],
)
def test_a_program_answers_as_its_owner_has_set_it(policy: str, expected: tuple[str, str]) -> None:
    theirs = program("chrystyna", ChallengePolicy(policy))
    made = asked(program("bohdan"), theirs)
    assert (made.status, made.seats.get(agent=theirs).answer) == expected
    assert (made.match is not None) == (policy == "all")
    assert waits_for(made, owner("chrystyna")) == ([theirs] if policy == "ask" else [])
    assert (made.reason != "") == (policy == "none")


def test_ones_own_program_is_not_asked() -> None:
    assert asked(program("bohdan"), program("bohdan", ChallengePolicy.NONE)).status == "accepted"


def test_nobody_has_more_challenges_than_a_few_that_are_not_over() -> None:
    mine, shy = program("bohdan"), program("chrystyna", ChallengePolicy.ASK)
    open_ones = [asked(mine, shy) for _ in range(MOST_UNFINISHED - 1)]
    played = asked(mine, house_agent("random@1"), boards=1, deals=1)
    with pytest.raises(ChallengeRefused, match="20 challenges that are not over"):
        asked(mine, shy)
    services.cancel(open_ones[0], owner("bohdan"))
    assert asked(mine, shy).status == "offered"
    Match.objects.filter(pk=played.match.pk).update(status="void")
    assert asked(mine, shy).status == "offered"
    assert asked(program("chrystyna"), mine).status == "accepted"


def test_versions_are_found_by_whatever_they_are_called() -> None:
    mine = program("bohdan")
    bot = mine.player.bot
    assert find_version(mine.public_id, "x") == find_version(bot.public_id, "x") == mine
    house = house_agent("greedy@1")
    assert {find_version(told, "x") for told in ("house:greedy", "greedy@1", "house:greedy@1", house.public_id)} == {
        house
    }
    for nothing in ("", "v_", "b_" + "0" * 22, "house:nobody", "greedy@99", "greedy@x", mine.player.name, "x" * 99):
        with pytest.raises(ChallengeRefused) as refusal:
            find_version(nothing, "opponents")
        assert (refusal.value.code, refusal.value.field) == ("unknown_version", "opponents")
    Agent.objects.filter(pk=mine.pk).update(status="retired")
    with pytest.raises(ChallengeRefused):
        find_version(bot.public_id, "x")


def test_a_challenge_is_seen_by_those_concerned(django_assert_num_queries) -> None:
    mine, theirs = program("bohdan"), program("chrystyna", ChallengePolicy.ASK)
    made = [asked(mine, theirs) for _ in range(3)]
    for user in (owner("bohdan"), owner("chrystyna")):
        with django_assert_num_queries(2):
            found = list(challenges_of(user))
            assert [(one.pk, is_among_one_owners(one)) for one in found] == [(one.pk, False) for one in made[::-1]]
    assert not challenges_of(owner("dmytro")).exists()
