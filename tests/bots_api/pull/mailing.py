"""Programs that answer in the mailbox itself, by the very statements of the servers that programs call."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Self

import redis
from django.conf import settings
from django.db import connection

from bots_api.models import BotVersion, PullDecision
from bots_api.pull.agents import PullAgents
from bots_api.pull.hints import ANSWERED
from bots_api.pull.server.trips import Given, Put, settle
from bots_api.pull.server.verdicts import Verdict
from bots_api.wire import Reply
from matches.agents import Answer, Question
from matches.core.clocks import ClockRules
from matches.lag import LagMeter
from matches.ledger import Ledger
from matches.models import Agent
from tests.bots_api.tables import version_at

Message = dict[str, Any]
Behaviour = Callable[[Message], str | Sequence[str] | None]
"""What a program answers to a decision: an action, several one after the other, or nothing."""
PATIENT = ClockRules(budget_ms=5_000, bank_ms=60_000, grace_ms=250)
"""A clock that no busy machine makes run out."""
LOOKS_EVERY_S, BEATS_EVERY_S = 0.005, 0.2


def plays(message: Message) -> str:
    """Names trumps at once, then plays the default: a party of such programs comes to its end."""
    return "take" if "take" in message["legal"] else message["default"]


def hangs(message: Message) -> None:
    return None


def pull_version() -> BotVersion:
    """A version that calls us, of a new program, that may play at once."""
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


def put(decision_id: str, agent_id: int, action: str) -> Verdict:
    """Answers a decision that has been given out; its raw text is the action and a question mark."""
    (verdict,) = settle([Put(decision_id, agent_id, Reply(action, "well"), time.monotonic(), raw=f"{action}?")])
    assert verdict is not None
    return verdict


def give(decision_id: str) -> None:
    """Starts a decision's clock."""
    settle([Given(decision_id, time.monotonic())])


class RowProgram:
    """Takes a version's decisions from the mailbox and answers them there; a thread, and a context.

    `hints`: whether lanes are told of its answers; without, they look by themselves. `beats`: whether the server that
    it stands for says that it lives.
    """

    def __init__(
        self, version: BotVersion, behaviour: Behaviour = plays, *, hints: bool = True, beats: bool = True
    ) -> None:
        self._agent_id, self._behaviour, self._hints, self._beats = version.agent_id, behaviour, hints, beats
        self._ending, self._next_beat = threading.Event(), 0.0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.heard: list[Message] = []
        self.verdicts: list[Verdict] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join(10)

    def _run(self) -> None:
        try:
            with redis.Redis.from_url(settings.HINTS_URL) as hints:
                while not self._ending.wait(LOOKS_EVERY_S):
                    self._look(hints)
        finally:
            connection.close()

    def _look(self, hints: redis.Redis) -> None:
        if self._beats and time.monotonic() >= self._next_beat:
            server_seen()
            self._next_beat = time.monotonic() + BEATS_EVERY_S
        new = PullDecision.objects.filter(agent=self._agent_id, state="open", given_at=None)
        for decision_id, body in list(new.values_list("decision_id", "body")):
            self.heard.append(json.loads(body))
            give(decision_id)
            answer = self._behaviour(self.heard[-1])
            for action in [answer] if isinstance(answer, str) else answer or ():
                self.verdicts.append(put(decision_id, self._agent_id, action))
            if self._hints:
                with suppress(redis.RedisError):
                    hints.publish(ANSWERED, decision_id)


def ask(*questions: Question) -> Sequence[Answer]:
    """The questions put all in the same moment, as a lane puts them."""

    async def put_all(pull: PullAgents) -> list[Answer]:
        return await asyncio.gather(*(pull.decide(question) for question in questions))

    return asyncio.run(with_pull(put_all))


async def with_pull(work: Callable[[PullAgents], Awaitable[Sequence[Answer]]]) -> Sequence[Answer]:
    async with Ledger() as ledger, PullAgents(LagMeter(), ledger) as pull:
        return await work(pull)
