"""What an organiser is told to do next, in every state of a tournament."""

from __future__ import annotations

import pytest

from tournaments.formats.lifecycle import RoundStatus as R
from tournaments.formats.lifecycle import TournamentStatus as S
from tournaments.organising.desk_page import step_words
from tournaments.organising.steps import Standing, Step, next_step


@pytest.mark.parametrize(
    ("now", "step"),
    [
        (Standing(S.DRAFT), Step.OPEN),
        (Standing(S.REGISTRATION, entries=1), Step.ENTER),
        (Standing(S.REGISTRATION, entries=3, least=4), Step.ENTER),
        (Standing(S.REGISTRATION, entries=8, troubles=1), Step.MEND_PLAN),
        (Standing(S.REGISTRATION, entries=8), Step.START),
        (Standing(S.CHECK_IN, entries=8, checked_in=7), Step.CHECK_IN),
        (Standing(S.CHECK_IN, entries=8, checked_in=8), Step.START),
        (Standing(S.RUNNING, entries=8, round_status=R.PROPOSED), Step.LOOK_AT_DRAW),
        (Standing(S.RUNNING, entries=8, round_status=R.CHANGING), Step.FINISH_CHANGES),
        (Standing(S.RUNNING, entries=8, round_status=R.CONFIRMED), Step.RELEASE),
        (Standing(S.RUNNING, entries=8, round_status=R.RELEASED, undecided=3), Step.WAIT),
        (Standing(S.RUNNING, entries=8, round_status=R.RELEASED, undecided=3, disputed=1), Step.RULE),
        (Standing(S.RUNNING, entries=8), Step.PROPOSE),
        (Standing(S.PAUSED, entries=8), Step.RESUME),
        (Standing(S.FINISHED, entries=8), Step.PUBLISH),
        (Standing(S.PUBLISHED, entries=8), Step.NOTHING),
        (Standing(S.CANCELLED, entries=8), Step.NOTHING),
    ],
)
def test_every_state_has_its_next_step(now: Standing, step: Step) -> None:
    assert next_step(now) is step
    assert step_words(step, now)


def test_every_step_is_reached_by_some_state_and_has_words() -> None:
    told = {step_words(step, Standing(S.RUNNING, entries=2, undecided=1, disputed=1)) for step in Step}
    assert len(told) == len(Step)
