"""The program that is examined, as cases reach it: whichever way it is spoken to, it is asked the same questions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from bots_api.conformance.finding import Finding, Outcome
from bots_api.conformance.line import Line
from bots_api.practice import PracticeSeat
from engine import View
from matches.agents import Agents, Answer, GameRef, Question
from matches.core.clocks import Clock, ClockRules, Control
from matches.public_ids import new_id

CLOCK: Final = ClockRules(budget_ms=1_000, bank_ms=4_000)
"""Of a single question: the budget of `ladder`, and so little in the bank that a whole run is soon over."""

WHAT_CAME: Final[Mapping[str, str]] = {
    "timeout": "No complete answer came in time.",
    "illegal": "Twice running an action that was not offered.",
    "malformed": "Twice running an answer that is none.",
    "unreachable": "The program cannot be reached.",
    "http_error": "The answer was no 200.",
    "rejected": "The program refused our signature.",
    "resigned": "The program answered 410 Gone, by which a version is retired.",
    "infra": "Our own failure: it says nothing of the program. Ask for another run.",
}


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a program was sent last in a decision, and what came back; the texts are as they went."""

    request: str = ""
    reply: str = ""
    detail: str = ""


Overhear = Callable[[str], Awaitable[Exchange]]
"""What was said about a decision, by its id."""


Change = Callable[[dict[str, Any]], None]
"""What is done to a message before it goes out."""


class Mail(Protocol):
    """The mailbox of a program that calls us, by which its decisions go."""

    def spoil(self, decision_id: str, change: Change) -> None:
        """Has a decision go out changed."""
        ...

    async def pass_over_a_number(self) -> None:
        """Leaves one out of the numbers of its messages."""
        ...

    async def reopen(self, decision_id: str) -> None:
        """Has a decision that is over be asked once more, under its id, if it is put again."""
        ...


@dataclass(slots=True)
class Examinee:
    """`seat`: how practice tables know the program. `line`: to it where it is called; `mail`: its own where it calls
    us.
    """

    seat: PracticeSeat
    agents: Mapping[str, Agents]
    overhear: Overhear
    line: Line | None = None
    mail: Mail | None = None

    def question(self, view: View, clock: ClockRules = CLOCK) -> Question:
        """A decision of a game of its own, as a match without rating would have it."""
        return question_to(self.seat, view, clock)

    async def decide(self, question: Question) -> Answer:
        return await self.agents[self.seat.kind].decide(question)

    async def fault_in(self, questions: Sequence[Question], answers: Iterable[Answer]) -> Finding | None:
        """The first of the answers that is a fault, with what was said; None where all are well."""
        for question, answer in zip(questions, answers, strict=True):
            if answer.cause is not None:
                return await self.fault(question.decision_id, answer.cause.value, answer.elapsed_ms)
        return None

    async def fault(self, decision_id: str, cause: str, elapsed_ms: int) -> Finding:
        heard = await self.overhear(decision_id)
        detail = f"{WHAT_CAME.get(cause, cause)} {heard.detail}".strip()
        return Finding(Outcome.FAILED, detail, heard.request, heard.reply, elapsed_ms)

    async def decide_all(self, questions: Sequence[Question]) -> list[Answer]:
        """All of them at once."""
        return await asyncio.gather(*(self.decide(question) for question in questions))


def question_to(seat: PracticeSeat, view: View, clock: ClockRules = CLOCK) -> Question:
    ref = GameRef(
        agent_id=seat.agent_id,
        label=seat.label,
        game=new_id("g_"),
        match=new_id("m_"),
        round_number=1,
        rated=False,
        control=Control.LADDER,
        rules=view.rules,
        seat=view.seat,
        party=1,
        commitment="0" * 64,
    )
    return Question(ref, new_id("dec_"), view, Clock(clock, clock.bank_ms), chance=bytes)
