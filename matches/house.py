"""House programs at the seats: the quick ones answer inside the lane's loop, the others think in processes apart."""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Self

from django.conf import settings

from engine.bots import UnknownBot, house
from engine.party import DealRecord
from matches.agents import Answer, GameRef, NotPlayedHere, Question
from matches.core.faults import Cause
from matches.core.house import HouseProgram, HouseRefused, house_program
from matches.lag import LagMeter
from matches.ledger import Ledger
from matches.thinking.pool import PROGRAM, OutOfTime, ThinkerFell, Thinkers
from matches.thinking.thoughts import Thought

logger = logging.getLogger(__name__)
LONGEST_THOUGHT_MS: Final = 10_000
"""A house program's clock ends here at the latest, however long the match's would run: others wait for the thinker."""


class HouseAgents:
    """Every house program that one lane plays with; they share the lane's thinkers."""

    thinker: ClassVar[str] = PROGRAM

    def __init__(self, lag: LagMeter, ledger: Ledger | None) -> None:
        """Neither the lag nor the database matters: a thinker measures its own time, and practice has no ledger."""
        self._thinkers = Thinkers(settings.HOUSE_THINKERS, self.thinker)
        self._programs: dict[str, HouseProgram] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._thinkers.close()

    async def begin(self, ref: GameRef) -> None:
        """Raises NotPlayedHere."""
        self._program(ref)

    def expect(self, ref: GameRef) -> None:
        return None

    async def decide(self, question: Question) -> Answer:
        """Raises NotPlayedHere."""
        program = self._program(question.ref)
        if program.thinks:
            return await self._thought_of(program, question)
        return Answer(house(program.policy).choose(question.view, random.Random(question.chance())))

    def _program(self, ref: GameRef) -> HouseProgram:
        if ref.label not in self._programs:
            self._programs[ref.label] = _played_here(ref)
        return self._programs[ref.label]

    async def _thought_of(self, program: HouseProgram, question: Question) -> Answer:
        """Waits for a thinker, which is nobody's time, and for its conclusion, whose time the thinker tells."""
        limit_ms = min(question.clock.hard_ms, LONGEST_THOUGHT_MS)
        thought = Thought(program.policy, question.view, question.chance(), limit_ms)
        try:
            concluded = await self._thinkers.conclude(thought)
        except OutOfTime:
            return Answer(None, elapsed_ms=limit_ms, cause=Cause.TIMEOUT)
        except ThinkerFell as fall:
            logger.warning("%s in %s is asked again: %s", program.label, question.ref.game, fall)
            return Answer(None, cause=Cause.INFRA)
        if concluded.action is None:
            logger.error("%s failed in %s:\n%s", program.label, question.ref.game, concluded.failure)
            return Answer(None, cause=Cause.INFRA)
        return Answer(concluded.action, concluded.elapsed_ms)

    def deal_over(self, ref: GameRef, deal: DealRecord) -> None:
        return None

    async def over(self, ref: GameRef, causes: Sequence[Cause | None]) -> None:
        return None

    async def end(self, ref: GameRef, result: Mapping[str, Any]) -> None:
        return None

    def leave(self, ref: GameRef) -> None:
        return None


def _played_here(ref: GameRef) -> HouseProgram:
    try:
        program = house_program(ref.label)
    except (HouseRefused, UnknownBot) as refusal:
        raise NotPlayedHere(str(refusal)) from refusal
    if not program.plays(ref.rules):
        raise NotPlayedHere(f"{ref.label} does not play {ref.rules.name}.")
    if program.thinks and not settings.HOUSE_THINKERS:
        raise NotPlayedHere(f"{ref.label} needs a thinker, and HOUSE_THINKERS is 0 here.")
    return program
