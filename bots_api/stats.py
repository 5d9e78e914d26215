"""How a version plays, from the delivery log; and why it does not, from the matches that wait."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.conf import settings
from django.db import connection
from django.db.models import Max, Min, Q, QuerySet
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from bots_api.models import DecisionState, PullDecision
from bots_api.pull.presence import GONE_SECONDS
from matches.core.faults import Cause
from matches.core.lifecycle import MatchStatus
from matches.models import Agent, AgentStatus, Match
from matches.services.claim import claimable, in_turn

HOURS = 7 * 24
MOST_DECISIONS = 10_000
MOST_AHEAD = 10_000
IDLE_MINUTES = 5
"""Something is due for so long and no lane plays anything: then none is there."""
_BP = 10_000
"""Basis points in the whole."""
_OK = "ok"

# What counts of a decision is its last line. One that was corrected or sent again has several, and so has one that was
# asked again after a fault of ours, whose attempts are counted anew. Lines of one moment may be written in any order.
DECISIONS = """
WITH newest AS (
    SELECT id, message_id, attempt, sent_at, outcome, elapsed_ms FROM bots_api_delivery
    WHERE agent_id = %s AND message = 'decision' AND NOT is_repeat AND sent_at > now() - make_interval(hours => %s)
    ORDER BY id DESC LIMIT %s
), decided AS (
    SELECT DISTINCT ON (message_id) outcome, elapsed_ms FROM newest
    ORDER BY message_id, sent_at DESC, attempt DESC, id DESC
)
SELECT outcome, count(*), (
    SELECT percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY elapsed_ms) FROM decided WHERE outcome = 'ok'
) FROM decided GROUP BY outcome ORDER BY outcome
"""

_CAUSES = {
    "illegal_action": Cause.ILLEGAL,
    "http_401": Cause.REJECTED,
    "http_403": Cause.REJECTED,
    "http_410": Cause.RESIGNED,
    "http_502": Cause.UNREACHABLE,
    "http_503": Cause.UNREACHABLE,
    "http_504": Cause.UNREACHABLE,
    "http_429": Cause.TIMEOUT,
}


@dataclass(frozen=True, slots=True)
class Stats:
    """Of the last decisions: how long good answers took (None without one), and how many ended otherwise, by cause.

    `fault_rate_bp`: faults among the decisions in basis points. What was our own fault, or the desk's word, is
    none of a version's.
    """

    decisions: int
    p50_ms: int | None
    p95_ms: int | None
    faults: Mapping[str, int]
    fault_rate_bp: int


def stats_of(agent: Agent, hours: int = HOURS) -> Stats:
    """Of the last seven days, or the last 10 000 messages if there were more. One query."""
    with connection.cursor() as cursor:
        cursor.execute(DECISIONS, [agent.pk, hours, MOST_DECISIONS])
        rows = cursor.fetchall()
    p50_ms, p95_ms = (rows[0][2] if rows else None) or (None, None)
    faults = _by_cause((outcome, count) for outcome, count, _ in rows if outcome != _OK)
    decisions = sum(count for _, count, _ in rows)
    rate = sum(faults.values()) * _BP // decisions if decisions else 0
    return Stats(decisions, p50_ms, p95_ms, faults, rate)


def _by_cause(outcomes: Iterable[tuple[str, int]]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for outcome, count in outcomes:
        cause = _cause_of(outcome)
        if cause not in (Cause.INFRA, Cause.ADMIN_VOID):
            counted[cause] = counted.get(cause, 0) + count
    return counted


def _cause_of(outcome: str) -> str:
    """A line of the log tells what happened on the way; a fault has the cause that follows (protocol §5)."""
    if outcome.startswith("http_") and outcome not in _CAUSES:
        return Cause.HTTP_ERROR
    return _CAUSES.get(outcome, outcome)


@dataclass(frozen=True, slots=True)
class Lately:
    """Decisions and faults of the last hour. `owed_s`: so long a decision waits for its answer already."""

    owed_s: int = 0
    decisions: int = 0
    faults: int = 0


def lately_of(agent: Agent) -> Lately:
    """Two queries. What is owed is known of versions that call us: their decisions lie in the mailbox."""
    still_open = PullDecision.objects.filter(agent=agent, state=DecisionState.OPEN)
    since = still_open.aggregate(since=Min(Coalesce("given_at", "made_at")))["since"]
    hour = stats_of(agent, hours=1)
    owed_s = max(0, int((timezone.now() - since).total_seconds())) if since else 0
    return Lately(owed_s, hour.decisions, sum(hour.faults.values()))


class Reason(StrEnum):
    """Why nothing of a version's plays."""

    PLAYING = "playing"
    NOT_ACTIVE = "not_active"
    DRAINING = "draining"
    NOT_CONNECTED = "not_connected"
    NONE_DUE = "none_due"
    LATER = "later"
    HELD_BY_ORGANISER = "held_by_organiser"
    OPPONENT_NOT_READY = "opponent_not_ready"
    QUEUED = "queued"
    NO_WORKER = "no_worker"


@dataclass(frozen=True, slots=True)
class Waiting:
    """`due`: how many of a version's matches may be played now; `ahead`: how many of others' come before its first.

    `next_at`: when the first of those that are fixed for later is due. `idle_minutes`: so long nobody plays anything
    though something could be. `begins_at`: when the first match of a version that drains begins all the same.
    """

    due: int
    ahead: int
    running: int
    reason: str
    next_at: datetime | None = None
    idle_minutes: int = 0
    begins_at: datetime | None = None


def waiting_of(agent: Agent) -> Waiting:
    """What a version waits for. Eleven queries at most."""
    own = Match.objects.filter(seats__agent=agent).distinct()
    due = own.due(Now())
    running = own.filter(status=MatchStatus.RUNNING, lease_until__gte=Now()).count()
    playable = set(claimable().filter(pk__in=due.values("pk")).values_list("pk", flat=True))
    ahead = _ahead_of(playable) if playable else 0
    reason, next_at, idle = _reason(agent, own, due.exists(), bool(playable), running), None, 0
    if reason is Reason.NONE_DUE:
        next_at = own.filter(status=MatchStatus.READY).aggregate(first=Min("due_at"))["first"]
        reason = Reason.LATER if next_at else reason
    elif reason is Reason.QUEUED and (idle := _idle_minutes(playable)) >= IDLE_MINUTES:
        reason = Reason.NO_WORKER
    return Waiting(due.count(), ahead, running, reason, next_at, idle, _begins_at(agent, own))


def _begins_at(agent: Agent, own: QuerySet[Match]) -> datetime | None:
    """None of a version that takes matches, or has none to begin."""
    version = getattr(agent, "bot_version", None)
    if version is None or version.is_accepting:
        return None
    first = own.filter(status=MatchStatus.READY).aggregate(first=Min("due_at"))["first"]
    return max(timezone.now(), first + timedelta(seconds=settings.MATCH_PATIENCE_SECONDS)) if first else None


def _idle_minutes(playable: set[int]) -> int:
    """Whole minutes for which no lane has held a match, though these could be played."""
    due_at = Match.objects.filter(pk__in=playable).aggregate(first=Min("due_at"))["first"]
    held = Match.objects.filter(is_reported=False).aggregate(ended=Max("finished_at"), until=Max("lease_until"))
    last = max(at for at in (due_at, held["ended"], held["until"]) if at is not None)
    return max(0, int((timezone.now() - last).total_seconds())) // 60


def _ahead_of(playable: set[int]) -> int:
    turns = in_turn(MOST_AHEAD, {})
    return next((place for place, pk in enumerate(turns) if pk in playable), len(turns))


def _reason(agent: Agent, own: QuerySet[Match], any_due: bool, any_playable: bool, running: int) -> Reason:
    if running:
        return Reason.PLAYING
    if agent.status != AgentStatus.ACTIVE:
        return Reason.NOT_ACTIVE
    if absence := _absence(agent):
        return absence
    if not any_due:
        held = own.filter(Q(status=MatchStatus.HELD) | Q(status=MatchStatus.STALLED)).exists()
        return Reason.HELD_BY_ORGANISER if held else Reason.NONE_DUE
    return Reason.QUEUED if any_playable else Reason.OPPONENT_NOT_READY


def _absence(agent: Agent) -> Reason | None:
    version = getattr(agent, "bot_version", None)
    if version is None:
        return None
    if not version.is_accepting:
        return Reason.DRAINING
    heard = Agent.objects.filter(pk=agent.pk, presence__seen_at__gt=Now() - timedelta(seconds=GONE_SECONDS))
    return Reason.NOT_CONNECTED if version.is_pull and not heard.exists() else None
