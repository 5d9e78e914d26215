"""Programs that answer in the mailbox itself, as the servers that programs call do it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self

import psycopg
import redis
from django.conf import settings
from django.db import connection

from bots_api.models import BotVersion
from bots_api.pull.hints import ANSWERED
from matches.models import Agent
from tests.bots_api.tables import version_at
from tests.matches.drawn import conninfo

Message = dict[str, Any]
Behaviour = Callable[[Message], str | None]
"""What a program answers to a decision: an action, or nothing."""

OPEN = "SELECT decision_id, body FROM bots_api_pulldecision WHERE agent_id = %s AND state = 'open' AND given_at IS NULL"
GIVE = "UPDATE bots_api_pulldecision SET given_at = clock_timestamp() WHERE decision_id = %s AND given_at IS NULL"
ANSWER = """
UPDATE bots_api_pulldecision SET state = 'answered', action = %(action)s, note = 'well', decided_at = clock_timestamp(),
    elapsed_ms = 1000 * extract(epoch FROM clock_timestamp() - LEAST(given_at, made_at + interval '2 seconds'))
WHERE decision_id = %(id)s AND state = 'open'
    AND clock_timestamp() - LEAST(given_at, made_at + interval '2 seconds')
        <= (budget_ms + bank_ms + grace_ms) * interval '1 ms'
"""


def plays(message: Message) -> str:
    """Names trumps at once, then plays the default: a party of such programs comes to its end."""
    return "take" if "take" in message["legal"] else message["default"]


def pull_version() -> BotVersion:
    """A version that calls us, of a new program of Anna's, that may play at once."""
    version = version_at("")
    Agent.objects.filter(pk=version.agent_id).update(is_ready=True)
    version.agent.refresh_from_db()
    return version


def server_seen(seconds_ago: float = 0, alive_for: float = 3_600) -> None:
    """Notes that a server of ours said so long ago that it lives, and had lived without a gap."""
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO bots_api_pullserver (name, alive_since, seen_at) VALUES ('test', clock_timestamp()
            - make_interval(secs => %s), clock_timestamp() - make_interval(secs => %s))
            ON CONFLICT (name) DO UPDATE SET alive_since = excluded.alive_since, seen_at = excluded.seen_at""",
            [seconds_ago + alive_for, seconds_ago],
        )


class RowProgram:
    """Takes a version's decisions from the mailbox and answers them there; a thread, and a context.

    `hints`: whether it tells lanes of its answers; without, they look by themselves.
    """

    def __init__(self, version: BotVersion, behaviour: Behaviour = plays, *, hints: bool = True) -> None:
        self._agent_id, self._behaviour, self._hints = version.agent_id, behaviour, hints
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.heard: list[Message] = []

    def __enter__(self) -> Self:
        self._info, self._url = conninfo(), settings.HINTS_URL
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join(10)

    def _run(self) -> None:
        with psycopg.connect(self._info, autocommit=True) as session, redis.Redis.from_url(self._url) as hints:
            while not self._ending.is_set():
                session.execute("UPDATE bots_api_pullserver SET seen_at = clock_timestamp()")
                for decision_id, body in session.execute(OPEN, [self._agent_id]).fetchall():
                    self._decide(session, hints, decision_id, json.loads(body))
                time.sleep(0.002)

    def _decide(self, session: psycopg.Connection, hints: redis.Redis, decision_id: str, message: Message) -> None:
        self.heard.append(message)
        session.execute(GIVE, [decision_id])
        action = self._behaviour(message)
        if action is not None:
            session.execute(ANSWER, {"id": decision_id, "action": action})
        if self._hints:
            with suppress(redis.RedisError):
                hints.publish(ANSWERED, decision_id)
