"""Why nothing is being played, decided from what the rows say. Pure: no database, no clock."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tournaments.formats.lifecycle import TournamentStatus

PATIENCE_SECONDS = 10
"""So long a due match may wait before the page says that no worker has looked."""


class Idle(StrEnum):
    """The reasons, in the words of the card table where it has one."""

    DRAFT = "draft"
    REGISTRATION = "registration"
    PAUSED = "paused"
    FINISHED = "finished"
    PUBLISHED = "published"
    CANCELLED = "cancelled"
    STALLED = "stalled"
    HELD = "held"
    NO_WORKER = "no_worker"
    STARTING = "starting"
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


_BY_STATUS = {
    TournamentStatus.DRAFT: Idle.DRAFT,
    TournamentStatus.REGISTRATION: Idle.REGISTRATION,
    TournamentStatus.PAUSED: Idle.PAUSED,
    TournamentStatus.FINISHED: Idle.FINISHED,
    TournamentStatus.PUBLISHED: Idle.PUBLISHED,
    TournamentStatus.CANCELLED: Idle.CANCELLED,
}


def why_idle(status: TournamentStatus, tally: Tally) -> Idle | None:
    """The reason why no card is being played, None while one is."""
    if tally.playing:
        return None
    return _BY_STATUS.get(status) or _why_no_match_runs(tally)


def _why_no_match_runs(tally: Tally) -> Idle:
    """A running tournament: what its matches wait for, the nearest reason first."""
    if tally.due:
        return Idle.NO_WORKER if tally.waited_seconds > PATIENCE_SECONDS else Idle.STARTING
    if tally.stalled:
        return Idle.STALLED
    return Idle.HELD if tally.held else Idle.CLOSING
