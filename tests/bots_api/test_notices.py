"""Messages that want no answer: what comes back changes nothing, but 410, which retires the version (protocol §5)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from bots_api.models import Delivery
from bots_api.push import PushAgents
from bots_api.wire import CUT, NOTED_LIMIT
from engine import PartySetup, apply, default_action, start
from matches.agents import GameRef
from matches.lag import LagMeter
from matches.ledger import Ledger
from matches.models import Agent, AgentStatus
from tests.bots_api.tables import ref_of, version_at
from tests.rogues import behaviours as does
from tests.rogues.program import Behaviour, Program

pytestmark = pytest.mark.django_db(transaction=True)

RESULT = {"totals": [512, 388], "winner": 0, "reason": "target", "stakes": None, "forfeiter": None}
Telling = Callable[[PushAgents, GameRef], Coroutine[Any, Any, None]]


async def begin(push: PushAgents, ref: GameRef) -> None:
    await push.begin(ref)


async def deal_over(push: PushAgents, ref: GameRef) -> None:
    table = start(PartySetup(ref.rules, bytes(32)))
    while not table.over:
        table = apply(table, next((one for one in table.legal if one.text == "take"), default_action(table)))
    push.deal_over(ref, table.party.deals[-1])


async def end(push: PushAgents, ref: GameRef) -> None:
    await push.end(ref, RESULT)


KINDS = {"game_start": begin, "deal_over": deal_over, "game_over": end}


def told(behaviour: Behaviour, tell: Telling) -> tuple[Delivery, Program, Agent]:
    """The one line of the log, the program, and what became of the version."""
    with Program(behaviour) as program:
        version = version_at(program.url)

        async def run() -> None:
            async with Ledger() as ledger, PushAgents(LagMeter(), ledger) as push:
                await tell(push, ref_of(version))

        asyncio.run(run())
    return Delivery.objects.get(), program, Agent.objects.get(pk=version.agent_id)


@pytest.mark.parametrize("kind", KINDS)
def test_410_to_any_of_them_retires_the_version(kind: str) -> None:
    line, _, agent = told(does.says(b"", 410), KINDS[kind])
    assert (line.message, line.outcome, line.status) == (kind, "http_error", 410)
    assert (agent.status, agent.status_reason) == (AgentStatus.RETIRED, "answered 410 Gone")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("status", [401, 429, 503])
def test_nothing_else_that_is_answered_changes_anything_and_none_is_sent_twice(kind: str, status: int) -> None:
    line, program, agent = told(does.says(b"", status, Retry_After="1", Location="/"), KINDS[kind])
    assert (line.outcome, line.status) == ("http_error", status)
    assert agent.status == AgentStatus.ACTIVE
    assert len(program.received) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_who_hangs_up_is_told_twice(kind: str) -> None:
    line, program, agent = told(does.hangs_up, KINDS[kind])
    assert (line.outcome, line.status, agent.status) == ("unreachable", None, AgentStatus.ACTIVE)
    assert len(program.received) == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("body", [b"not JSON", b"x" * 100_000])
def test_what_a_reply_to_them_says_is_not_read(kind: str, body: bytes) -> None:
    line, _, agent = told(does.says(body), KINDS[kind])
    assert (line.outcome, line.status, agent.status) == ("ok", 200, AgentStatus.ACTIVE)
    assert len(line.reply) <= NOTED_LIMIT + len(CUT)
