"""Agents that hold up the whole lane: the fault of ours that `infra` is for."""

from __future__ import annotations

import asyncio
import time

from matches.agents import Answer, Question
from matches.house import HouseAgents

NAP_SECONDS = 0.4
NAPS = 14


class SleepingAgents(HouseAgents):
    """Plays defaults, and sleeps in the loop at its first decisions."""

    naps = 0

    async def decide(self, question: Question) -> Answer:
        if self.naps < NAPS:
            self.naps += 1
            await asyncio.sleep(0.01)
            time.sleep(NAP_SECONDS)  # on purpose
        legal = [action for action in question.view.legal if str(action) in ("take", "trump:C")]
        return Answer(legal[0] if legal else question.view.default)
