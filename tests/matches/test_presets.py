"""A match of every preset, played by house programs through a lane: of so many deals, and of whole parties."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import Settings

from engine import RulesError, presets, rules_of, verify
from matches.core.outcome import Unit
from matches.lane import drive
from matches.models import AgentStatus, Match, PartyEvent, Result
from matches.services.versions import house_agent, set_status
from tests.matches.drawn import agent_of_kind, drawn, same_seed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]

SHORT = tuple(name for name in presets() if rules_of(name).short)
OF_DEALS = tuple(name for name in presets() if name not in SHORT)


def played(rules: str, **plan: Any) -> Match:
    players = rules_of(rules).players
    match = drawn(*(["greedy@1", "random@1"] * players)[:players], **same_seed(rules=rules, **plan))
    assert drive(slots=1, seconds=60) == 1
    return Match.objects.get(pk=match.pk)


def check(match: Match, unit: Unit) -> None:
    """The result is what the records say, counted side by side."""
    rules, parties = match.game_rules, list(match.parties.order_by("number"))
    assert [party.rotation for party in parties] == list(range(rules.players))
    assert [verify(party.record) for party in parties] == [None] * rules.players
    assert not PartyEvent.objects.exclude(cause="").exists()
    assert match.unit is unit
    results = [party.record["result"] for party in parties]
    for seat in Result.objects.get(match=match).seats.all():
        side = rules.side_of(seat.index)
        of_table = [(own, (side + turn) % rules.sides) for turn, own in enumerate(results)]
        brought = {
            Unit.POINTS: sum(own["totals"][at] for own, at in of_table),
            Unit.PARTIES: sum(own["winner"] == at for own, at in of_table),
            Unit.STAKES: sum((own["stakes"] or [0] * rules.sides)[at] for own, at in of_table),
        }
        assert (seat.points, seat.card_points) == (brought[unit], brought[Unit.POINTS])


@pytest.mark.parametrize("rules", OF_DEALS)
def test_r71_boards_of_so_many_deals(rules: str) -> None:
    """Every exposure of the board has the same first dealers, whoever wins a deal."""
    match = played(rules, deals=2)
    check(match, Unit.POINTS)
    assert match.overrides == {"deals": 2, "next_dealer": "rotate", "hang_dealer": "next"}
    assert {party.record["first_dealer"] for party in match.parties.all()} == {match.boards.get().first_dealer}


@pytest.mark.parametrize("rules", OF_DEALS)
def test_whole_parties(rules: str) -> None:
    match = played(rules, deals=None)
    check(match, Unit.PARTIES)
    assert match.overrides == {}


@pytest.mark.parametrize("rules", SHORT)
def test_r58_short(rules: str) -> None:
    match = played(rules, deals=None, boards=1)
    check(match, Unit.STAKES)
    assert all(len(party.record["result"]["stakes"]) == match.game_rules.sides for party in match.parties.all())


def places_of(match: Match) -> list[tuple[int, int]]:
    """Points and place of each seat."""
    return list(Result.objects.get(match=match).seats.order_by("index").values_list("points", "place"))


@pytest.mark.parametrize(
    ("rules", "deals", "brought"),
    [
        ("moscow/3", 1, [(0, 3), (300, 1), (300, 1)]),  # 100 a deal for every other side, in each of three parties
        ("klabor/pairs", 1, [(0, 2), (400, 1), (0, 2), (400, 1)]),  # the partner loses too
        ("house/4", None, [(0, 4), (4, 1), (4, 1), (4, 1)]),  # nobody has a party alone for sitting on the left
        ("short/3", None, [(-6, 3), (3, 1), (3, 1)]),  # a stake to each other side
    ],
)
def test_who_does_not_show_up_forfeits_every_party_in_the_match_s_unit(rules: str, deals, brought) -> None:
    players = rules_of(rules).players
    agents = [house_agent("greedy@1", f"Seat {seat}") for seat in range(players)]
    set_status(agents[0].pk, AgentStatus.QUARANTINED, "for the test")
    match = drawn(agents=tuple(agent.pk for agent in agents), rules=rules, deals=deals)
    assert drive(slots=1, seconds=60) == 1
    assert [(party.reason, verify(party.record)) for party in match.parties.all()] == [("forfeit", None)] * players
    assert places_of(match) == brought


@pytest.mark.parametrize(
    ("rules", "deals", "absent", "brought"),
    [
        ("moscow/3", 1, (0, 1), [(0, 2), (0, 2), (300, 1)]),
        ("moscow/3", None, (1, 2), [(3, 1), (0, 2), (0, 2)]),
        ("house/4", None, (0, 1), [(0, 3), (0, 3), (4, 1), (4, 1)]),
        ("house/4", 1, (0, 2), [(0, 3), (400, 1), (0, 3), (400, 1)]),
        ("house/4", None, (0, 1, 2), [(0, 2), (0, 2), (0, 2), (4, 1)]),
        ("klabor/pairs", None, (0, 1), [(0, 1)] * 4),
        ("klabor/pairs", None, (0, 2), [(0, 2), (4, 1), (0, 2), (4, 1)]),
        ("short/3", None, (0, 1), [(-3, 2), (-3, 2), (6, 1)]),
        ("short/3", None, (0, 1, 2), [(0, 1)] * 3),
        ("moscow/2", 1, (0, 1), [(0, 1)] * 2),
    ],
)
def test_several_who_do_not_show_up_gain_nothing_by_each_other(rules: str, deals, absent, brought) -> None:
    agents = [house_agent("greedy@1", f"Seat {seat}") for seat in range(rules_of(rules).players)]
    for seat in absent:
        set_status(agents[seat].pk, AgentStatus.RETIRED, "for the test")
    match = drawn(agents=tuple(agent.pk for agent in agents), rules=rules, deals=deals)
    assert drive(slots=1, seconds=60) == 1
    there = {match.game_rules.side_of(seat) for seat in range(len(agents)) if seat not in absent}
    away = {match.game_rules.side_of(seat) for seat in absent}
    for party in match.parties.all():
        assert (party.reason, verify(party.record)) == ("forfeit", None)
        assert sorted(party.match_seat(seat, len(agents)) for seat in party.absent) == list(absent)
        assert party.forfeiter in party.absent
        if there - away:
            assert party.match_side(party.winner, match.game_rules.sides) in there - away
    assert places_of(match) == brought


@pytest.mark.parametrize(
    ("rules", "deals", "brought"),
    [
        ("moscow/3", 1, [(200, 1)] * 3),
        ("encyclopedia/pairs", 1, [(200, 1)] * 4),
        ("short/2", None, [(0, 1)] * 2),
    ],
)
def test_where_nobody_ever_names_trumps_no_side_gains_by_the_end(
    settings: Settings, rules: str, deals, brought
) -> None:
    """The seat that forfeits is the same at the table in every exposure, and so another one of the match."""
    settings.SEAT_AGENTS = settings.SEAT_AGENTS | {"passing": "tests.matches.seats.Passing"}
    agents = tuple(agent_of_kind("passing", f"Seat {seat}").pk for seat in range(rules_of(rules).players))
    match = drawn(agents=agents, rules=rules, deals=deals)
    assert drive(slots=1, seconds=60) == 1
    assert len({party.forfeiter for party in match.parties.all()}) == 1
    assert places_of(match) == brought


def test_every_preset_is_among_them() -> None:
    assert {*OF_DEALS, *SHORT} == {*presets()}
    assert {name.partition("/")[0] for name in SHORT} == {"short", "short_bait", "short_dava"}


def test_partners_score_for_one_side_and_a_version_may_hold_both_hands() -> None:
    one, other = (house_agent("greedy@1", name).pk for name in ("Olha", "Roman"))
    match = drawn(agents=(one, other, one, other), rules="klabor/pairs", deals=1)
    assert drive(slots=1, seconds=60) == 1
    check(Match.objects.get(pk=match.pk), Unit.POINTS)
    assert list(match.seats.values_list("index", "side")) == [(0, 0), (1, 1), (2, 0), (3, 1)]


def test_a_version_on_two_sides_is_refused() -> None:
    one, other = (house_agent("greedy@1", name).pk for name in ("Olha", "Roman"))
    for agents, rules in (((one, one, other, other), "klabor/pairs"), ((one, one), "moscow/2")):
        with pytest.raises(ValueError, match="cannot play against itself"):
            drawn(agents=agents, rules=rules)
    assert not Match.objects.exists()


def test_short_is_no_party_of_so_many_deals() -> None:
    with pytest.raises(RulesError):
        drawn(rules="short/2", deals=1)
    assert not Match.objects.exists()
