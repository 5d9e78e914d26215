"""Who takes new matches: versions that accept them and, of those that call us, are there."""

from __future__ import annotations

from typing import Final

from django.db import connection, transaction

from bots_api.models import BotVersion
from bots_api.pull.mailbox import ALIVE

GONE_SECONDS: Final = 30
"""A version that calls us and was not seen for so long is not there."""

# Programs that could not call because none of our servers was there keep what they were, until one has been there for
# as long as they have to come back.
READY = f"""
WITH server AS (
    SELECT EXISTS (
        SELECT FROM bots_api_pullserver AS server
        WHERE {ALIVE} AND server.alive_since < clock_timestamp() - interval '{GONE_SECONDS} seconds'
    ) AS was_there
), found AS (
    SELECT agent.id, CASE
        WHEN NOT version.is_accepting THEN false
        WHEN version.url <> '' THEN true
        WHEN presence.seen_at > clock_timestamp() - interval '{GONE_SECONDS} seconds' THEN true
        WHEN presence.seen_at IS NULL OR server.was_there THEN false
        ELSE agent.is_ready
    END AS is_ready
    FROM matches_agent AS agent JOIN bots_api_botversion AS version ON version.agent_id = agent.id
        LEFT JOIN bots_api_presence AS presence ON presence.agent_id = agent.id CROSS JOIN server
    WHERE %s::bigint IS NULL OR version.id = %s
), changed AS (
    SELECT agent.id, found.is_ready FROM matches_agent AS agent JOIN found ON found.id = agent.id
    WHERE agent.is_ready <> found.is_ready ORDER BY agent.id FOR NO KEY UPDATE OF agent
)
UPDATE matches_agent AS agent SET is_ready = changed.is_ready FROM changed WHERE agent.id = changed.id
"""


def find_who_is_ready(version_id: int | None = None) -> int:
    """Sets `Agent.is_ready` of every version, or of one; returns how many have changed."""
    with connection.cursor() as cursor:
        cursor.execute(READY, [version_id, version_id])
        return cursor.rowcount


@transaction.atomic
def set_accepting(version_id: int, accepting: bool) -> None:
    """Drains a version, or ends that: it finishes what it has begun and, drained, begins nothing.

    `version_id`: the key of its `BotVersion`. One that calls us is ready again once it is there.
    """
    BotVersion.objects.filter(pk=version_id).update(is_accepting=accepting)
    find_who_is_ready(version_id)
