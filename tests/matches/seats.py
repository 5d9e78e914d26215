"""Agents that misbehave on purpose, for SEAT_AGENTS: each plays as the greedy house program but for one thing."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import ClassVar

import psycopg

from engine import Action
from engine.actions import PLAYS
from engine.party import DealRecord
from matches.agents import Answer, GameRef, Question
from matches.core.faults import Cause
from matches.house import HouseAgents
from tests.matches.drawn import conninfo


class Erring(HouseAgents):
    """Answers nothing legal at every third of its turns, and at two running in its third deal."""

    async def decide(self, question: Question) -> Answer:
        turn = question.view.ply // 2
        if turn % 7 == 3 or turn > 40:
            return Answer(None, elapsed_ms=300, cause=Cause.MALFORMED)
        return await super().decide(question)


class Slow(HouseAgents):
    """Takes 2 seconds of its clock for every answer, without anybody waiting for it."""

    async def decide(self, question: Question) -> Answer:
        answer = await super().decide(question)
        return Answer(answer.action, elapsed_ms=2_000)


class Raising(HouseAgents):
    """A fault of ours in the code that reaches a program."""

    async def decide(self, question: Question) -> Answer:
        raise RuntimeError("a mistake in an agent")


class Unlucky(HouseAgents):
    """The platform itself fails three times running in the first game that it is asked in, after some cards."""

    asked: Counter[str] = Counter()

    async def decide(self, question: Question) -> Answer:
        self.asked[question.ref.game] += 1
        if question.view.ply >= 10 and question.ref.game == next(iter(self.asked)):
            return Answer(None, cause=Cause.INFRA)
        return await super().decide(question)


class Cursed(HouseAgents):
    """The platform fails whenever it asks."""

    async def decide(self, question: Question) -> Answer:
        await asyncio.sleep(0)
        return Answer(None, cause=Cause.INFRA)


class Flickering(HouseAgents):
    """The platform fails two times running, now and then, and never three."""

    asked: Counter[str] = Counter()

    async def decide(self, question: Question) -> Answer:
        self.asked[question.decision_id] += 1
        if self.asked[question.decision_id] == 1 and question.view.ply in (4, 5):
            return Answer(None, elapsed_ms=900, cause=Cause.INFRA)
        return await super().decide(question)


class Revoking(HouseAgents):
    """Plays whatever card it holds and may not play, once a deal at most."""

    async def decide(self, question: Question) -> Answer:
        forbidden = illegal_card(question)
        if forbidden is None:
            return await super().decide(question)
        return Answer(None, cause=Cause.ILLEGAL, tried=forbidden)


def illegal_card(question: Question) -> Action | None:
    """A card of the hand that is not legal now, None where every card is, or no card may be played at all."""
    legal = {action.card for action in question.view.legal}
    if legal <= {None}:
        return None
    return next((PLAYS[card] for card in question.view.cards if card not in legal), None)


class Listening(HouseAgents):
    """Looks into the log, past this process, in the moment in which it hears of a deal."""

    heard: ClassVar[list[tuple[str, int, int]]] = []

    def deal_over(self, ref: GameRef, deal: DealRecord) -> None:
        asked = "SELECT count(*) FROM matches_partyevent e JOIN matches_game g USING (party_id) WHERE g.public_id = %s"
        with psycopg.connect(conninfo()) as session:
            (written,) = session.execute(asked, [ref.game]).fetchone() or (0,)
        self.heard.append((ref.game, written, len(deal.actions)))


class Passing(HouseAgents):
    """Never names trumps."""

    async def decide(self, question: Question) -> Answer:
        return Answer(question.view.default)


class ThinkingSlowly(HouseAgents):
    """House programs with thinkers that know some of the tests' own."""

    thinker = "tests.matches.slow_thinker"
