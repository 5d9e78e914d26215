"""What whoever runs a tournament does next, decided from what the rows say. Pure: no database, no clock."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tournaments.formats.lifecycle import RoundStatus, TournamentStatus


class Step(StrEnum):
    """The next thing to do; where there is nothing, what is waited for."""

    OPEN = "open"
    ENTER = "enter"
    MEND_PLAN = "mend_plan"
    START = "start"
    CHECK_IN = "check_in"
    LOOK_AT_DRAW = "look_at_draw"
    FINISH_CHANGES = "finish_changes"
    RELEASE = "release"
    RULE = "rule"
    WAIT = "wait"
    PROPOSE = "propose"
    RESUME = "resume"
    PUBLISH = "publish"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Standing:
    """All that the next step depends on. `round_status`: of the newest round that is not over, None if all are.

    `checked_in`: of the `entries`; `undecided`: tables of released rounds; `disputed`: those that wait for a ruling.
    """

    status: TournamentStatus
    entries: int = 0
    checked_in: int = 0
    least: int = 2
    troubles: int = 0
    round_status: RoundStatus | None = None
    undecided: int = 0
    disputed: int = 0


_S = TournamentStatus


def next_step(now: Standing) -> Step:
    match now.status:
        case _S.DRAFT:
            return Step.OPEN
        case _S.REGISTRATION | _S.CHECK_IN:
            return _before(now)
        case _S.RUNNING:
            return _running(now)
        case _S.PAUSED:
            return Step.RESUME
        case _S.FINISHED:
            return Step.PUBLISH
        case _:
            return Step.NOTHING


def _before(now: Standing) -> Step:
    if now.entries < now.least:
        return Step.ENTER
    if now.troubles:
        return Step.MEND_PLAN
    if now.status is _S.CHECK_IN and now.checked_in < now.entries:
        return Step.CHECK_IN
    return Step.START


def _running(now: Standing) -> Step:
    if now.disputed:
        return Step.RULE
    by_round = {
        RoundStatus.PROPOSED: Step.LOOK_AT_DRAW,
        RoundStatus.CHANGING: Step.FINISH_CHANGES,
        RoundStatus.CONFIRMED: Step.RELEASE,
        RoundStatus.RELEASED: Step.WAIT,
    }
    return by_round[now.round_status] if now.round_status else Step.PROPOSE
