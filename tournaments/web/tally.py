"""How the matches of a tournament stand: counted by what they wait for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from matches.core.lifecycle import MatchStatus
from matches.models import Match
from tournaments.web.idle import Tally

WAIT_STEP_SECONDS = 10


def tally_of(matches: Sequence[Match], now: datetime) -> Tally:
    """Counts matches by what they wait for. A running match whose lease ran out waits for a worker like a new one."""
    playing = [
        one for one in matches if one.status == MatchStatus.RUNNING and one.lease_until and one.lease_until >= now
    ]
    orphaned = [one for one in matches if one.status == MatchStatus.RUNNING and one not in playing]
    due = [one for one in matches if one.status == MatchStatus.READY and one.due_at <= now] + orphaned
    return Tally(
        done=_count(matches, MatchStatus.FINISHED),
        playing=len(playing),
        due=len(due),
        held=_count(matches, MatchStatus.HELD),
        stalled=_count(matches, MatchStatus.STALLED),
        waited_seconds=_waited(matches, due, now),
    )


def _count(matches: Iterable[Match], status: MatchStatus) -> int:
    return sum(one.status == status for one in matches)


def _waited(matches: Iterable[Match], due: Sequence[Match], now: datetime) -> int:
    """Since when no worker has been seen, in steps, so that a page that waits does not change every second."""
    if not due:
        return 0
    signs = [sign for one in matches for sign in (one.started_at, one.finished_at, one.lease_until) if sign]
    last = max([min(one.due_at for one in due), *(sign for sign in signs if sign <= now)])
    return int((now - last).total_seconds()) // WAIT_STEP_SECONDS * WAIT_STEP_SECONDS
