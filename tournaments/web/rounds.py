"""Rounds as a page shows them: one after another, stage by stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from matches.core.lifecycle import OVER, MatchStatus
from tournaments.formats.lifecycle import RoundStatus
from tournaments.models import Round, Tournament
from tournaments.web.draw_page import round_address
from tournaments.web.meetings import Meeting
from tournaments.web.stage_words import stage_title
from tournaments.web.wording import PART, ROUND_STATUS

MOST_MEETINGS_SHOWN = 400
"""So many meetings one page shows; of a larger tournament only the rounds that are played now."""


@dataclass(frozen=True, slots=True)
class RoundOfMeetings:
    """One round: its meetings, and who sits it out. `is_current`: the first that is not over.

    `is_shown`: whether its meetings stand on the page of all rounds, or on their own page alone.
    """

    anchor: str
    stage: int
    number: int
    address: str
    part: str
    status: str
    status_words: str
    starts_at: datetime | None
    meetings: tuple[Meeting, ...]
    byes: tuple[Meeting, ...]
    done: int
    total: int
    is_current: bool
    is_shown: bool
    is_large: bool
    has_groups: bool

    @property
    def sitting_out(self) -> tuple[str, ...]:
        return tuple(one.sides[0].name for one in self.byes if one.sides)


@dataclass(frozen=True, slots=True)
class StageOfRounds:
    """A stage's rounds under its title, which is empty where there is but one stage."""

    number: int
    title: str
    rounds: tuple[RoundOfMeetings, ...]


def stages_of(
    tournament: Tournament, rounds: Sequence[Round], meetings: Sequence[Meeting]
) -> tuple[StageOfRounds, ...]:
    """The rounds that the reader may see, in order. `rounds` with their stages; taken back ones are left out."""
    by_round: dict[int, list[Meeting]] = {}
    for meeting in meetings:
        by_round.setdefault(meeting.round_id, []).append(meeting)
    standing = [one for one in rounds if one.status != RoundStatus.WITHDRAWN]
    current = next((one.pk for one in standing if not all(map(_is_over, by_round.get(one.pk, ())))), None)
    is_small = len(meetings) <= MOST_MEETINGS_SHOWN
    last = current or (standing[-1].pk if standing else None)
    stages: dict[int, list[RoundOfMeetings]] = {}
    titles: dict[int, str] = {}
    for one in standing:
        titles[one.stage.number] = stage_title(one.stage)
        shown = _round(tournament, one, by_round.get(one.pk, []), one.pk == current, is_small or one.pk == last)
        stages.setdefault(one.stage.number, []).append(shown)
    return tuple(
        StageOfRounds(number, titles[number] if len(stages) > 1 else "", tuple(of_stage))
        for number, of_stage in stages.items()
    )


def _is_over(meeting: Meeting) -> bool:
    return meeting.state == "bye" or meeting.state in OVER


def _round(
    tournament: Tournament, drawn: Round, meetings: Sequence[Meeting], is_current: bool, is_shown: bool
) -> RoundOfMeetings:
    played = [one for one in meetings if one.state not in ("bye", MatchStatus.VOID)]
    stage = drawn.stage.number
    return RoundOfMeetings(
        anchor=f"round-{drawn.number}" if stage == 1 else f"round-{stage}-{drawn.number}",
        stage=stage,
        number=drawn.number,
        address=round_address(tournament.slug, stage, drawn.number),
        part=str(PART.get(drawn.part, "")),
        status=drawn.status,
        status_words=str(ROUND_STATUS[RoundStatus(drawn.status)]),
        starts_at=drawn.starts_at,
        meetings=tuple(one for one in meetings if one.state != "bye"),
        byes=tuple(one for one in meetings if one.state == "bye"),
        done=sum(one.state == MatchStatus.FINISHED for one in played),
        total=len(played),
        is_current=is_current,
        is_shown=is_shown,
        is_large=any(len(one.sides) > 2 for one in meetings),
        has_groups=any(one.group is not None for one in meetings),
    )


def by_name(meetings: Sequence[Meeting]) -> tuple[tuple[str, Meeting], ...]:
    """Who sits where: every entry of a round with its meeting, in the order of the names."""
    seated = [(name, meeting) for meeting in meetings for side in meeting.sides for _entry, name in side.entries]
    return tuple(sorted(seated, key=lambda one: one[0].casefold()))
