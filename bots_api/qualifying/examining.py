"""One version examined: the cases put to it the way it plays, each result kept as soon as it is there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bots_api.conformance import CaseResult, Examinee, Verdict, examine
from bots_api.conformance.called import examinee_at
from bots_api.conformance.program import Exchange
from bots_api.endpoints import endpoint_of
from bots_api.models import PULL, BotVersion, PullDecision
from bots_api.practice import PracticeSeat
from bots_api.qualifying.mail import ExaminedMail
from bots_api.qualifying.rows import keep
from bots_api.sequence import Counter
from bots_api.services.calling import retire_gone
from matches.core.house import KIND
from matches.house import HouseAgents
from matches.lag import LagMeter
from matches.ledger import Ledger


async def examined(qualification_id: int, version: BotVersion, ledger: Ledger, numbers: Counter) -> Verdict:
    """Puts every case to a version. Takes `RUN_SECONDS` at the most."""

    async def told(result: CaseResult) -> None:
        await ledger.run(keep, qualification_id, result)

    opened = calling_us(version, ledger) if version.is_pull else _called(version, ledger, numbers)
    async with opened as examinee:
        return await examine(examinee, told)


@asynccontextmanager
async def _called(version: BotVersion, ledger: Ledger, numbers: Counter) -> AsyncIterator[Examinee]:
    async def gone(agent_id: int) -> None:
        await ledger.run(retire_gone, agent_id)

    endpoint = await ledger.run(endpoint_of, version.agent_id)
    async with examinee_at(endpoint, numbers.next, gone) as examinee:
        yield examinee


@asynccontextmanager
async def calling_us(version: BotVersion, ledger: Ledger) -> AsyncIterator[Examinee]:
    async def overhear(decision_id: str) -> Exchange:
        return await ledger.run(_said_about, decision_id)

    lag = LagMeter()
    async with ExaminedMail(lag, ledger, version.agent_id) as mail, HouseAgents(lag, None) as house:
        seat = PracticeSeat(PULL, version.agent_id, "")
        yield Examinee(seat, {PULL: mail, KIND: house}, overhear, mail=mail)


def _said_about(decision_id: str) -> Exchange:
    """A decision from the mailbox and what the program made of it."""
    row = PullDecision.objects.filter(decision_id=decision_id).first()
    if row is None:
        return Exchange()
    if row.cause == "timeout" and not row.reply:
        return Exchange(row.body, "", "Is the program running, with a play token of this version?")
    return Exchange(row.body, row.reply or row.tried or row.action)
