"""The pure core of a match: states, clocks, faults, scores, the plan."""

from __future__ import annotations

from itertools import product

import pytest

from engine import rules_of
from matches.core.chance import derived
from matches.core.clocks import CLOCKS, Clock, ClockRules, Control
from matches.core.faults import LONGEST_PARTY, THROWN_IN_RUNNING, Cause, forfeits, is_stalled
from matches.core.lifecycle import MATCH_MOVES, OVER, PARTY_MOVES, MatchStatus, PartyStatus, may_move, sources_of
from matches.core.outcome import MatchScore, Outcome, PartyScore, Unit, match_score, unit_of
from matches.core.plan import Exposure, exposures, forfeit_points, match_overrides, why_not_overrides

STATES = ["ready", "held", "running", "awaited", "reported", "disputed", "finished", "stalled", "void"]
MOVES = """
    ready     . h r . . . f . v
    held      r . . a . . f . v
    running   . . . . . . f s v
    awaited   . h . . p . f . v
    reported  . . . a . d f . v
    disputed  . . . . p . f . v
    finished  . . . . . . . . v
    stalled   . . r . . . f . v
    void      . . . . . . . . .
"""
"""A row per state, a column per state to go to; a dot is a move that must not be."""


@pytest.mark.parametrize(
    ("old", "new", "legal"),
    [
        (old, new, mark != ".")
        for old, *marks in (line.split() for line in MOVES.strip().splitlines())
        for new, mark in zip(STATES, marks, strict=True)
    ],
)
def test_a_match_moves_as_the_table_says(old: str, new: str, legal: bool) -> None:
    assert may_move(MatchStatus(old), MatchStatus(new)) is legal
    assert (MatchStatus(old) in sources_of(MatchStatus(new))) is legal


def test_the_table_of_moves_knows_every_state() -> None:
    assert [state.value for state in MatchStatus] == STATES


def test_no_card_is_played_once_a_match_is_over() -> None:
    assert not [(old, new) for old, new in MATCH_MOVES if old in OVER and new not in OVER]


def test_a_party_only_goes_forward() -> None:
    order = list(PartyStatus)
    legal = {(old, new) for old, new in product(PartyStatus, PartyStatus) if (old, new) in PARTY_MOVES}
    assert all(order.index(old) < order.index(new) for old, new in legal)
    assert {(old.value, new.value) for old, new in legal} == {
        ("waiting", "playing"),
        ("waiting", "void"),
        ("playing", "finished"),
        ("playing", "void"),
    }


@pytest.mark.parametrize(
    ("elapsed_ms", "charged_ms", "bank_ms"),
    [
        (0, 0, 15_000),
        (250, 0, 15_000),  # within the platform's own grace
        (251, 1, 15_000),
        (1_250, 1_000, 15_000),  # the whole budget, and the bank untouched
        (1_251, 1_001, 14_999),
        (16_250, 16_000, 0),  # the last millisecond that counts
        (16_251, 16_001, -1),
    ],
)
def test_what_a_decision_costs(elapsed_ms: int, charged_ms: int, bank_ms: int) -> None:
    clock = Clock(ClockRules(budget_ms=1_000, bank_ms=15_000, grace_ms=250), bank_ms=15_000)
    assert (clock.charged(elapsed_ms), clock.bank_after(elapsed_ms)) == (charged_ms, bank_ms)


@pytest.mark.parametrize(
    ("control", "budget_ms", "bank_ms"),
    [("blitz", 250, 5_000), ("ladder", 1_000, 15_000), ("classic", 5_000, 60_000), ("human", 30_000, 120_000)],
)
def test_controls_are_those_of_the_protocol(control: str, budget_ms: int, bank_ms: int) -> None:
    assert CLOCKS[Control(control)] == ClockRules(budget_ms, bank_ms, 250)
    assert Clock(CLOCKS[Control(control)], 100).hard_ms == budget_ms + 100 + 250


def test_every_control_has_a_clock() -> None:
    assert set(CLOCKS) == set(Control)


@pytest.mark.parametrize(
    ("decisions", "loses", "loses_strictly"),
    [
        ("", False, False),
        (".....", False, False),
        ("x", False, True),
        ("x.", False, True),
        ("xx", True, True),  # two running
        ("x.x", False, True),
        ("x.x.x", True, True),  # three in the party
        ("x.x..", False, True),
        (".....xx", True, True),
    ],
)
def test_faults_that_cost_the_party(decisions: str, loses: bool, loses_strictly: bool) -> None:
    causes = [Cause.TIMEOUT if mark == "x" else None for mark in decisions]
    assert forfeits(causes, strict=False) is loses
    assert forfeits(causes, strict=True) is loses_strictly


@pytest.mark.parametrize(
    ("deals", "stalled"),
    [
        (["all_pass"] * (THROWN_IN_RUNNING - 1), False),
        (["all_pass", "redeal"] * (THROWN_IN_RUNNING // 2), True),
        (["played", *["all_pass"] * THROWN_IN_RUNNING], True),
        (["all_pass"] * THROWN_IN_RUNNING + ["played"], False),
        (["played"] * (LONGEST_PARTY - 1), False),
        (["played"] * LONGEST_PARTY, True),
    ],
)
def test_a_party_that_goes_nowhere(deals: list[str], stalled: bool) -> None:
    assert is_stalled(deals) is stalled


def scored(*parties: PartyScore, unit: Unit = Unit.POINTS) -> MatchScore:
    return match_score(parties, forfeit_points=400, unit=unit)


@pytest.mark.parametrize(
    ("parties", "points", "outcomes"),
    [
        ([((120, 80), None), ((90, 100), None)], (210, 180), "won lost"),
        ([((120, 80), None), ((60, 100), None)], (180, 180), "drawn drawn"),
        ([((-60, 20), None)], (-60, 20), "lost won"),
        ([((300, 0), 0), ((100, 90), None)], (100, 490), "lost won"),  # what a forfeiter had is gone
        ([((-200, 900), 0)], (-200, 900), "lost won"),  # but not what it owes, nor what the others had
        ([((-200, 900), 1)], (400, 0), "won lost"),
        ([((0, 0), 0), ((0, 0), 1)], (400, 400), "drawn drawn"),
        ([((10, 20, 30), None)], (10, 20, 30), "lost lost won"),
        ([((30, 20, 30), None)], (30, 20, 30), "drawn lost drawn"),
        ([((30, 20, 10), 1)], (400, 0, 400), "drawn lost drawn"),
        ([((30, -20, 410), 1)], (400, -20, 410), "lost lost won"),
        ([((30, 20), 3), ((9, 8), 2)], (400, 400), "drawn drawn"),  # in pairs a seat forfeits for its side
    ],
)
def test_more_points_over_all_parties_win(parties, points: tuple[int, ...], outcomes: str) -> None:
    score = scored(*(PartyScore(totals, forfeiter=forfeiter) for totals, forfeiter in parties))
    assert score.points == score.card_points == points
    assert score.outcomes == tuple(map(Outcome, outcomes.split()))
    assert score.forfeited_parties == sum(forfeiter is not None for _, forfeiter in parties)


@pytest.mark.parametrize(
    ("parties", "points", "places"),
    [
        ([((505, 300), 0, None), ((490, 502), 1, None), ((501, 20), 0, None)], (2, 1), (1, 2)),
        ([((505, 300), 0, None), ((400, 502), 1, None)], (1, 1), (1, 2)),  # equal: 905 to 802 card points
        ([((505, 300), 0, None), ((300, 505), 1, None)], (1, 1), (1, 1)),
        ([((300, 480), 0, None)], (1, 0), (1, 2)),  # closed, a jackpot, closed falsely: whatever the totals
        ([((0, 450, 450), 1, 0)], (0, 1, 1), (3, 1, 1)),  # forfeited: nobody has it alone for sitting on the left
        ([((-50, 420), 1, 0)], (0, 1), (2, 1)),
        ([((501, 10, 20, 20), 0, None)], (1, 0, 0, 0), (1, 4, 2, 2)),
    ],
)
def test_more_parties_win_and_then_more_card_points(parties, points: tuple[int, ...], places: tuple[int, ...]) -> None:
    score = scored(*(PartyScore(totals, won, None, by) for totals, won, by in parties), unit=Unit.PARTIES)
    assert (score.points, score.places) == (points, places)


@pytest.mark.parametrize(
    ("parties", "points", "places"),
    [
        ([((90, 72), (1, -1)), ((90, 72), (-2, 2))], (-1, 1), (2, 1)),
        ([((90, 72), (1, -1)), ((10, 152), (-1, 1))], (0, 0), (1, 1)),  # the cards decide nothing
        ([((60, 60, 42), None)], (0, 0, 0), (1, 1, 1)),
        ([((60, 61, 41), (-1, 2, -1))], (-1, 2, -1), (2, 1, 2)),
    ],
)
def test_r58_more_stakes_win(parties, points: tuple[int, ...], places: tuple[int, ...]) -> None:
    score = scored(*(PartyScore(totals, stakes=stakes) for totals, stakes in parties), unit=Unit.STAKES)
    assert (score.points, score.places) == (points, places)


@pytest.mark.parametrize(
    ("sides", "absent", "points", "parties", "stakes"),
    [
        (3, (1,), (400, 0, 400), (1, 0, 1), (1, -2, 1)),
        (3, (1, 0), (0, 0, 400), (0, 0, 1), (-1, -1, 2)),
        (4, (3, 0), (0, 400, 400, 0), (0, 1, 1, 0), (-2, 2, 2, -2)),
        (4, (0, 1, 2), (0, 0, 0, 400), (0, 0, 0, 1), (-1, -1, -1, 3)),
        (3, (0, 1, 2), (0, 0, 0), (0, 0, 0), (0, 0, 0)),
        (2, (0, 2), (0, 400), (0, 1), (-1, 1)),  # both of a pair
        (2, (0, 1), (0, 0), (0, 0), (0, 0)),
    ],
)
def test_who_is_absent_scores_as_who_forfeits(sides: int, absent, points, parties, stakes) -> None:
    """The first of them is the forfeiter, and wins nothing for anybody else who is not there."""
    engines = tuple(1 - sides if side == absent[0] % sides else 1 for side in range(sides))
    party = PartyScore((0,) * sides, (absent[0] + 1) % sides, engines, forfeiter=absent[0], absent=absent)
    assert scored(party).points == points
    assert scored(party, unit=Unit.PARTIES).points == parties
    assert scored(party, unit=Unit.STAKES).points == stakes
    assert scored(party, unit=Unit.PARTIES).card_points == points


def test_r58_a_dear_forfeit_stays_as_the_engine_has_it() -> None:
    assert scored(PartyScore((0, 0), 1, (-2, 2), forfeiter=0, absent=(0,)), unit=Unit.STAKES).points == (-2, 2)


@pytest.mark.parametrize(
    ("overrides", "named"),
    [
        ({"target": 10_000, "deals": 100, "bella_when": "pair_card", "close": True}, []),
        ({"target": 10_001, "bait_fine": 10**400}, ["target", "bait_fine"]),
        ({"deals": 101}, ["deals"]),
        ({"target": {"else": 501, "4": 2**31}}, ["target"]),
    ],
)
def test_no_number_is_larger_than_columns_and_parties_take(overrides: dict, named: list[str]) -> None:
    assert list(why_not_overrides(overrides)) == named


def test_r71_exposures_of_a_board_stand_apart() -> None:
    assert exposures(boards=2, rotations=2) == (
        Exposure(party=1, board=1, rotation=0),
        Exposure(party=2, board=2, rotation=0),
        Exposure(party=3, board=1, rotation=1),
        Exposure(party=4, board=2, rotation=1),
    )


@pytest.mark.parametrize(("boards", "rotations"), list(product((1, 2, 5), (2, 3, 4))))
def test_r71_every_board_once_per_rotation(boards: int, rotations: int) -> None:
    drawn = exposures(boards, rotations)
    assert [exposure.party for exposure in drawn] == list(range(1, boards * rotations + 1))
    assert {(exposure.board, exposure.rotation) for exposure in drawn} == set(
        product(range(1, boards + 1), range(rotations))
    )


@pytest.mark.parametrize(
    ("asked", "deals", "played"),
    [
        ({}, 4, {"deals": 4, "next_dealer": "rotate", "hang_dealer": "next"}),
        ({"deals": 1}, 4, {"deals": 4, "next_dealer": "rotate", "hang_dealer": "next"}),
        ({"next_dealer": "deal_winner"}, 2, {"deals": 2, "next_dealer": "rotate", "hang_dealer": "next"}),
        ({"offer": "fifty"}, 4, {"deals": 4, "offer": "fifty", "next_dealer": "rotate", "hang_dealer": "next"}),
        ({"next_dealer": "deal_winner"}, None, {"next_dealer": "deal_winner"}),
        ({}, None, {}),
    ],
)
def test_r71_boards_of_deals_have_the_same_dealers_whatever_is_played(asked: dict, deals, played: dict) -> None:
    assert match_overrides(asked, deals) == played


@pytest.mark.parametrize(
    ("rules", "deals", "unit", "points"),
    [
        ("moscow/2", 4, "points", 400),
        ("moscow/2", 1, "points", 100),
        ("moscow/2", None, "parties", 501),
        ("klabor/pairs", None, "parties", 501),
        ("short/3", None, "stakes", 100),
    ],
)
def test_what_a_match_counts_and_what_a_forfeited_party_brings(rules: str, deals, unit: str, points: int) -> None:
    played = rules_of(rules, match_overrides({}, deals))
    assert (unit_of(played), forfeit_points(played)) == (Unit(unit), points)


def test_what_follows_from_a_seed_depends_on_every_part() -> None:
    seeds = {
        derived(b"s", "board", 1),
        derived(b"s", "board", 2),
        derived(b"s", "match", 1),
        derived(b"t", "board", 1),
        derived(b"s", "board", 1, 2),
        derived(b"s", "board", 12),
    }
    assert len(seeds) == 6
    assert all(len(seed) == 32 for seed in seeds)
