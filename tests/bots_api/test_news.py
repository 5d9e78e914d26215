"""The news of a game are told once each and in turn, and wait where nobody answers (protocol §4)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from bots_api.models import MessageType
from bots_api.news import MOST_WAITING, News
from engine import rules_of
from matches.agents import GameRef

REF = GameRef(1, "v1", "g_1", "m_1", 1, False, "ladder", rules_of("moscow/2"), 0, 1, "c" * 64)


class Listener:
    """Takes what it is told one at a time: `takes` says by a message's place whether it is answered."""

    def __init__(self, takes: Callable[[int], bool] = lambda _: True) -> None:
        self._takes, self.gate = takes, asyncio.Event()
        self.gate.set()
        self.told: list[Any] = []
        self.dropped: list[Any] = []
        self.news = News(self._tell, lambda ref, kind, message, why: self.dropped.append(message["deal"]))

    async def _tell(self, ref: GameRef, kind: MessageType, message: dict[str, Any]) -> bool:
        self.told.append(message["deal"] if kind is MessageType.DEAL_OVER else "end")
        number = len(self.told)
        await self.gate.wait()
        return self._takes(number)

    async def deals(self, *numbers: int) -> None:
        """Deals that are over, one right after the other; returns when nothing moves any more."""
        for number in numbers:
            self.news.deal_over(REF, {"deal": number})
        await self.settled()

    async def settled(self) -> None:
        for _ in range(50):
            await asyncio.sleep(0)


async def test_deals_that_are_over_while_one_is_told_follow_it_in_turn() -> None:
    program = Listener()
    program.gate.clear()
    await program.deals(*range(5))
    assert program.told == [0]
    program.gate.set()
    program.news.game_over(REF, {})
    await program.news.close(5)
    assert (program.told, program.dropped) == ([0, 1, 2, 3, 4, "end"], [])


async def test_after_news_without_an_answer_the_following_wait_for_the_program_to_answer_something() -> None:
    program = Listener(takes=lambda number: number != 2)
    await program.deals(0, 1, 2, 3)
    assert program.told == [0, 1]
    program.news.answered(REF)
    await program.settled()
    assert (program.told, program.dropped) == ([0, 1, 2, 3], [])


async def test_so_many_wait_and_no_more_and_none_that_waits_outlives_the_game() -> None:
    program = Listener(takes=lambda _: False)
    await program.deals(0)
    await program.deals(*range(1, MOST_WAITING + 3))
    assert (program.told, program.dropped) == ([0], [1, 2])
    program.news.game_over(REF, {})
    await program.news.close(5)
    assert program.told == [0, "end"]
    assert program.dropped == list(range(1, MOST_WAITING + 3))


async def test_a_game_that_is_left_is_forgotten() -> None:
    program = Listener(takes=lambda _: False)
    await program.deals(0)
    await program.deals(1, 2)
    program.news.leave(REF)
    await program.news.close(5)
    assert (program.told, program.dropped) == ([0], [1, 2])
    assert program.news._games == {}
