"""Who takes new matches: versions that accept them and are there, whether they call us or we call them."""

from __future__ import annotations

from typing import Final

from django.db import connection, transaction

from bots_api.models import BotVersion, QuarantinedBy
from bots_api.pull.mailbox import ALIVE
from matches.models import AgentStatus

GONE_SECONDS: Final = 30
"""A version that calls us and was not seen for so long is not there."""

# Locked before anything is read that decides: of two who look at one moment the second sees what the first has done.
LOCK = "SELECT 1 FROM matches_agent WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE"

# A program that we call is away while it answers no pings: its matches wait for it as for one that does not call.
# Programs that could not call because none of our servers was there keep what they were, until one has been there for
# as long as they have to come back.
FOUND = f"""
WITH server AS (
    SELECT EXISTS (
        SELECT FROM bots_api_pullserver AS server
        WHERE {ALIVE} AND server.alive_since < clock_timestamp() - interval '{GONE_SECONDS} seconds'
    ) AS was_there
), found AS (
    SELECT agent.id, CASE
        WHEN NOT version.is_accepting THEN false
        WHEN agent.status = '{AgentStatus.QUARANTINED}' AND version.quarantined_by = '{QuarantinedBy.PROBES}' THEN false
        WHEN version.url <> '' THEN true
        WHEN presence.seen_at > clock_timestamp() - interval '{GONE_SECONDS} seconds' THEN true
        WHEN presence.seen_at IS NULL OR server.was_there THEN false
        ELSE agent.is_ready
    END AS is_ready
    FROM matches_agent AS agent JOIN bots_api_botversion AS version ON version.agent_id = agent.id
        LEFT JOIN bots_api_presence AS presence ON presence.agent_id = agent.id CROSS JOIN server
)
"""
DIFFERS = f"""{FOUND}
SELECT agent.id FROM found JOIN matches_agent AS agent USING (id)
WHERE found.is_ready <> agent.is_ready AND (%s::bigint[] IS NULL OR agent.id = ANY(%s::bigint[]))
"""
READY = f"""{FOUND}
UPDATE matches_agent AS agent SET is_ready = found.is_ready FROM found
WHERE agent.id = found.id AND agent.id = ANY(%s) AND found.is_ready <> agent.is_ready
"""


@transaction.atomic
def find_who_is_ready(agent_ids: list[int] | None = None) -> int:
    """Sets `Agent.is_ready` of these versions, or of every one; returns how many have changed. Locks those."""
    with connection.cursor() as cursor:
        cursor.execute(DIFFERS, [agent_ids, agent_ids])
        differ = [agent_id for (agent_id,) in cursor.fetchall()]
    return _find_who_is_ready(differ) if differ else 0


def _find_who_is_ready(agent_ids: list[int]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [agent_ids])
        cursor.execute(READY, [agent_ids])
        return cursor.rowcount


@transaction.atomic
def set_accepting(version_id: int, accepting: bool) -> None:
    """Drains a version, or ends that: drained, it finishes what it has begun and takes nothing new.

    A match that is due waits for it as for one that is not there, and begins all the same when that time is over.
    `version_id`: the key of its `BotVersion`. One that calls us is ready again once it is there. Locks its agent.
    """
    version = BotVersion.objects.filter(pk=version_id)
    version.update(is_accepting=accepting)  # before its agent is locked, as whoever quarantines it does
    _find_who_is_ready(list(version.values_list("agent_id", flat=True)))
