"""A proof of speed fails where a goal is missed by more than what the machine may be to blame for."""

from __future__ import annotations

import pytest

from tests.proofs.pairing import line_of


@pytest.mark.parametrize(
    ("seconds", "holds", "said"),
    [
        (9.9, True, "10,000: 9.900 (goal < 10)"),
        (14.9, True, "10,000: 14.900 (goal missed, goal < 10)"),
        (15.1, False, "10,000: 15.100 (goal missed, goal < 10)"),
    ],
)
def test_a_goal_missed_by_more_than_half_again_fails_its_line(seconds: float, holds: bool, said: str) -> None:
    small = {"entrants": 100, "by": "manela", "seconds": 0.1, "goal": None}
    line = line_of("Swiss, round 5", [small, {**small, "entrants": 10_000, "seconds": seconds, "goal": 10.0}], 1.0)
    assert (line.holds, line.seen.split("; ")[1]) == (holds, said)
