"""Rounds as a page shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from matches.core.lifecycle import OVER, MatchStatus
from tournaments.web.meetings import Meeting


@dataclass(frozen=True, slots=True)
class RoundOfMeetings:
    """One round: its meetings, and who sits it out. `is_current`: the first that is not over."""

    number: int
    meetings: tuple[Meeting, ...]
    byes: tuple[str, ...]
    done: int
    total: int
    is_current: bool


def rounds_of(meetings: Sequence[Meeting]) -> tuple[RoundOfMeetings, ...]:
    """Meetings in order of draw, round by round."""
    by_round = [(number, tuple(group)) for number, group in groupby(meetings, key=lambda one: one.round_number)]
    current = next((number for number, group in by_round if not all(map(_is_over, group))), None)
    return tuple(_round(number, group, number == current) for number, group in by_round)


def _is_over(meeting: Meeting) -> bool:
    return meeting.state == "bye" or meeting.state in OVER


def _round(number: int, meetings: tuple[Meeting, ...], is_current: bool) -> RoundOfMeetings:
    played = [one for one in meetings if one.state not in ("bye", MatchStatus.VOID)]
    done = sum(one.state == MatchStatus.FINISHED for one in played)
    return RoundOfMeetings(
        number=number,
        meetings=tuple(one for one in meetings if one.state != "bye"),
        byes=tuple(one.sides[0].name for one in meetings if one.state == "bye"),
        done=done,
        total=len(played),
        is_current=is_current,
    )
