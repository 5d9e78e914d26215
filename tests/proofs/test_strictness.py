"""A proof that has tried too little does not hold, though nothing went wrong in it."""

from __future__ import annotations

import pytest

from tests.proofs import doors, leaks, suites
from tests.proofs.showing import NotShown

SHUFFLED = {"parties": 200, "changed": 600, "answers": 90_000, "leaks": [], "opened": 600}
ASKED = {
    "operations": [96, 96, 3],
    "requests": 9_000,
    "phases": ["coverage", "examples", "fuzzing", "stateful"],
    "failures": [],
    "of_play_wrong": [],
}
TOLD = [f"{beginning}: all is well" for beginning in suites.AT_FULL_SIZE]


@pytest.mark.parametrize("lost", ["", "parties", "changed", "answers", "opened"])
def test_worlds_that_do_not_differ_hide_nothing(lost: str) -> None:
    assert leaks.line_of({**SHUFFLED, **({lost: 0} if lost else {})}).holds is not bool(lost)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"operations": [0, 96, 3]}, "not all was asked"),
        ({"operations": [96, 96]}, "not all was asked"),
        ({"phases": ["examples"]}, "phases without coverage, fuzzing, stateful"),
        ({"of_play_wrong": ["PUT bot/presence: 200, expected 401"]}, "1 failures: PUT bot/presence"),
    ],
)
def test_doors_that_nobody_knocked_at_are_not_shut(change: dict[str, object], why: str) -> None:
    assert doors.line_of(ASKED).holds
    with pytest.raises(NotShown, match=why):
        doors.line_of({**ASKED, **change})


def test_every_kind_of_chaos_is_told_of_at_its_full_size() -> None:
    assert suites.not_told(TOLD) == []
    for line in TOLD:
        assert suites.not_told([one for one in TOLD if one != line]) != []
    assert len(suites.not_told([line.replace("0 ", " ") for line in TOLD])) == len(TOLD)
