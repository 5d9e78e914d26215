"""Why nothing is being played, decided from what the rows say. Pure: no database, no clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tournaments.formats.lifecycle import RoundStatus, TournamentStatus

PATIENCE_SECONDS = 10
"""So long a due match may wait before the page says that no worker has looked."""


class Idle(StrEnum):
    """The reasons, in the words of the card table where it has one."""

    DRAFT = "draft"
    REGISTRATION = "registration"
    CHECK_IN = "check_in"
    PAUSED = "paused"
    FINISHED = "finished"
    PUBLISHED = "published"
    CANCELLED = "cancelled"
    DISPUTED = "disputed"
    UNCONFIRMED = "unconfirmed"
    AWAITED = "awaited"
    STALLED = "stalled"
    HELD = "held"
    NO_WORKER = "no_worker"
    STARTING = "starting"
    UNRELEASED = "unreleased"
    UNDRAWN = "undrawn"
    NO_DRAW = "no_draw"
    STUCK = "stuck"
    CLOSING = "closing"


@dataclass(frozen=True, slots=True)
class Tally:
    """How a tournament's matches stand. `waited_seconds`: since the last sign of a worker or the oldest due match."""

    done: int = 0
    playing: int = 0
    due: int = 0
    held: int = 0
    stalled: int = 0
    waited_seconds: int = 0


@dataclass(frozen=True, slots=True)
class Waits:
    """What people are waited for. `awaited`, `reported`, `disputed`: tables, as “3”, or “2.3” where rounds overlap,
    “1.2.3” where stages do. `unfilled`: those without a match, for want of somebody to sit there.

    `round`: the earliest that is not over, or the next one to be drawn, and its `status`: None if there is no draw of
    it. `is_drawn_by_hand`: it waits for the organiser to draw it. `trouble`: why it could not be drawn, or
    why it cannot go on, as the organiser is told; empty if it can. `entries`, of whom so many have checked in.
    """

    awaited: tuple[str, ...] = ()
    reported: tuple[str, ...] = ()
    disputed: tuple[str, ...] = ()
    round: int = 0
    status: RoundStatus | None = None
    is_drawn_by_hand: bool = False
    trouble: str = ""
    unfilled: tuple[str, ...] = ()
    entries: int = 0
    checked_in: int = 0


_BY_STATUS = {
    TournamentStatus.DRAFT: Idle.DRAFT,
    TournamentStatus.REGISTRATION: Idle.REGISTRATION,
    TournamentStatus.CHECK_IN: Idle.CHECK_IN,
    TournamentStatus.PAUSED: Idle.PAUSED,
    TournamentStatus.FINISHED: Idle.FINISHED,
    TournamentStatus.PUBLISHED: Idle.PUBLISHED,
    TournamentStatus.CANCELLED: Idle.CANCELLED,
}
_UNRELEASED = (RoundStatus.PROPOSED, RoundStatus.CHANGING, RoundStatus.CONFIRMED)


def why_idle(status: TournamentStatus, tally: Tally, waits: Waits | None = None) -> Idle | None:
    """The reason why no card is being played, None while one is."""
    return None if tally.playing else reasons(status, tally, waits or Waits())[0]


def reasons(status: TournamentStatus, tally: Tally, waits: Waits) -> tuple[Idle, ...]:
    """All that is waited for, what somebody has to do something about first; of a tournament that is on."""
    if status in _BY_STATUS:
        return (_BY_STATUS[status],)
    return tuple(_waited_for(tally, waits)) or (_why_no_match_is_there(tally, waits),)


def _waited_for(tally: Tally, waits: Waits) -> Iterator[Idle]:
    """Matches that are there and not over; the nearest reason first."""
    if waits.disputed:
        yield Idle.DISPUTED
    if tally.due:
        yield Idle.NO_WORKER if tally.waited_seconds > PATIENCE_SECONDS else Idle.STARTING
    if tally.stalled:
        yield Idle.STALLED
    if waits.reported:
        yield Idle.UNCONFIRMED
    if waits.awaited:
        yield Idle.AWAITED


def _why_no_match_is_there(tally: Tally, waits: Waits) -> Idle:
    if waits.status in _UNRELEASED:
        return Idle.UNRELEASED
    if tally.held:
        return Idle.HELD
    if waits.trouble:
        return Idle.NO_DRAW if waits.status is None else Idle.STUCK
    if waits.unfilled:
        return Idle.STUCK
    return Idle.UNDRAWN if waits.is_drawn_by_hand else Idle.CLOSING
