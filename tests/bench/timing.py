"""How long the platform takes over each decision of ordinary programs, from the question to the answer."""

from __future__ import annotations

import time
from collections import defaultdict

from bots_api.push import PushAgents
from matches.agents import Answer, Question

taken_ms: defaultdict[int, list[float]] = defaultdict(list)


class TimedPushAgents(PushAgents):
    async def decide(self, question: Question) -> Answer:
        began = time.perf_counter()
        answer = await super().decide(question)
        taken_ms[question.ref.agent_id].append((time.perf_counter() - began) * 1_000)
        return answer
