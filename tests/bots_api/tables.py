"""What the tests of this room ask: a real view of a real table, a quick clock, versions in the database."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from bots_api.models import BotVersion, Delivery
from bots_api.push import PushAgents
from bots_api.services import add_version, register_bot
from engine import PartySetup, Rules, observe, rules_of, start
from matches.agents import Answer, GameRef, Question
from matches.core.clocks import Clock, ClockRules
from matches.lag import LagMeter
from matches.ledger import Ledger
from matches.models import AgentStatus, User
from matches.public_ids import new_id
from matches.services.versions import set_status
from tests.rogues.program import Behaviour, Program, Request

QUICK = ClockRules(budget_ms=200, bank_ms=300, grace_ms=50)
SEED = bytes(range(32))
_numbers = itertools.count(1)


def rules() -> Rules:
    return rules_of("moscow/2", {"deals": 1, "next_dealer": "rotate", "hang_dealer": "next"})


def version_at(url: str) -> BotVersion:
    """A version of a new program, with an owner of its own, that may play at once."""
    number = next(_numbers)
    owner, _ = User.objects.get_or_create(username=f"owner {number}")
    version = add_version(register_bot(f"Program {number}", owner), "v1", url)
    set_status(version.agent_id, AgentStatus.ACTIVE)
    version.agent.refresh_from_db()
    return version


def ref_of(version: BotVersion) -> GameRef:
    return GameRef(
        agent_id=version.agent_id,
        label="v1",
        game=new_id("g_"),
        match=new_id("m_"),
        round_number=3,
        rated=True,
        control="blitz",
        rules=rules(),
        seat=0,
        party=1,
        commitment="c" * 64,
    )


def question_to(version: BotVersion, clock: ClockRules = QUICK, *, may_correct: bool = True) -> Question:
    """The first decision of a party, asked of that version."""
    table = start(PartySetup(rules(), SEED))
    assert table.seat_to_act is not None
    return Question(
        ref=ref_of(version),
        decision_id=new_id("dec_"),
        view=observe(table, table.seat_to_act),
        clock=Clock(clock, clock.bank_ms),
        chance=bytes,
        may_correct=may_correct,
    )


def ask(*questions: Question) -> Sequence[Answer]:
    """The questions put one after the other, over one transport, log written."""

    async def put(push: PushAgents) -> list[Answer]:
        return [await push.decide(question) for question in questions]

    return asyncio.run(_with_push(put))


def ask_at_once(*questions: Question) -> Sequence[Answer]:
    """The questions put all in the same moment."""

    async def put(push: PushAgents) -> list[Answer]:
        return await asyncio.gather(*(push.decide(question) for question in questions))

    return asyncio.run(_with_push(put))


async def _with_push(put: Callable[[PushAgents], Awaitable[list[Answer]]]) -> list[Answer]:
    lag = LagMeter()
    async with Ledger() as ledger, PushAgents(lag, ledger) as push:
        beating = asyncio.create_task(lag.run())
        answers = await put(push)
        beating.cancel()
        return answers


@dataclass(frozen=True, slots=True)
class Seen:
    """How one program was dealt with: the platform's answer and log, and what the program saw of it."""

    answer: Answer
    requests: Sequence[Request]
    log: Sequence[Delivery]

    @property
    def outcomes(self) -> list[str]:
        return [row.outcome for row in self.log]


def judged(
    programs: Mapping[str, Behaviour], clock: ClockRules = QUICK, *, may_correct: bool = True
) -> dict[str, Seen]:
    """The first decision of a party, asked of all of these programs in the same moment."""
    with ExitStack() as running:
        servers = [running.enter_context(Program(behaviour)) for behaviour in programs.values()]
        versions = [version_at(server.url) for server in servers]
        answers = ask_at_once(*(question_to(version, clock, may_correct=may_correct) for version in versions))
    return {
        name: Seen(answer, server.received, list(Delivery.objects.filter(agent=version.agent).order_by("id")))
        for name, answer, server, version in zip(programs, answers, servers, versions, strict=True)
    }
