"""The mailbox of a program that is examined: used as by a lane, and spoiled on purpose."""

from __future__ import annotations

import json

from django.db.models.functions import Now

from bots_api import wire
from bots_api.conformance.program import Change
from bots_api.models import DecisionState, PullDecision
from bots_api.pull.agents import PullAgents
from bots_api.pull.mailbox import Asked
from bots_api.sequence import advance
from matches.agents import Question
from matches.core.faults import Cause
from matches.lag import LagMeter
from matches.ledger import Ledger


class ExaminedMail(PullAgents):
    """What cases want of the mailbox (`conformance.program.Mail`), for one version."""

    def __init__(self, lag: LagMeter, ledger: Ledger, agent_id: int) -> None:
        super().__init__(lag, ledger, keeps_log=False)
        self._agent_id = agent_id
        self._changes: dict[str, Change] = {}

    def spoil(self, decision_id: str, change: Change) -> None:
        self._changes[decision_id] = change

    async def pass_over_a_number(self) -> None:
        await self._run(advance, {self._agent_id: 1})

    async def reopen(self, decision_id: str) -> None:
        await self._run(_give_up, decision_id)

    def _asked(self, question: Question) -> Asked:
        asked, change = super()._asked(question), self._changes.get(question.decision_id)
        return _changed(asked, change) if change else asked


def _changed(asked: Asked, change: Change) -> Asked:
    message = json.loads(f"{asked.before}0{asked.after}")
    del message["seq"]
    change(message)
    return asked._replace(before=f'{wire.encode(message).decode()[:-1]},"seq":', after="}")


def _give_up(decision_id: str) -> None:
    """Has a decision that is over count as lost by us: put in again, it is asked under its id once more."""
    over = PullDecision.objects.filter(decision_id=decision_id).exclude(state=DecisionState.OPEN)
    over.update(state=DecisionState.CLOSED, cause=Cause.INFRA, action="", note="", decided_at=Now())
