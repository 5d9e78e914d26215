"""What programs are told while play goes on and nobody waits: that a deal is over, that a game is."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from bots_api.models import MessageType
from matches.agents import GameRef

logger = logging.getLogger(__name__)
IN_TURN_SECONDS = 0.25
"""So long the end of a game lets the news of its last deals go first, so that whoever answers at once hears in turn."""
MOST_WAITING = 8
"""Deals of a game whose news wait for their turn."""

Message = dict[str, Any]
Tell = Callable[[GameRef, MessageType, Message], Awaitable[bool]]
Drop = Callable[[GameRef, MessageType, Message, str], None]


@dataclass(slots=True)
class _Game:
    """The news of one game: one deal's on its way, and behind it those that wait. `is_deaf`: the last had no answer."""

    sending: asyncio.Task[None] | None = None
    waiting: deque[Message] = field(default_factory=deque)
    is_deaf: bool = False


class News:
    """Sends the news of each game one after the other, and never more of them than a program can take.

    `tell` sends a message and returns whether anything came back, `drop` notes one that is not sent. Where a deal's
    news had no answer the following ones wait until the program has `answered` something else. Of a few that wait the
    oldest is dropped for every new one.
    """

    def __init__(self, tell: Tell, drop: Drop) -> None:
        self._tell, self._drop = tell, drop
        self._games: dict[str, _Game] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def deal_over(self, ref: GameRef, message: Message) -> None:
        game = self._games.setdefault(ref.game, _Game())
        if len(game.waiting) == MOST_WAITING:
            why = f"{MOST_WAITING} later deals were over before this one's turn came."
            self._drop(ref, MessageType.DEAL_OVER, game.waiting.popleft(), why)
        game.waiting.append(message)
        self._go_on(ref, game)

    def answered(self, ref: GameRef) -> None:
        """The program is there: it has answered a decision of this game."""
        game = self._games.get(ref.game)
        if game is not None and game.is_deaf:
            game.is_deaf = False
            self._go_on(ref, game)

    def game_over(self, ref: GameRef, message: Message) -> None:
        self._start(self._tell_end(ref, self._games.pop(ref.game, _Game()), message))

    def leave(self, ref: GameRef) -> None:
        """Somebody else, or nobody, goes on with a game; what is on its way comes to its end."""
        if game := self._games.pop(ref.game, None):
            self._drop_waiting(ref, game, "The game was left here before its turn came.")

    async def close(self, seconds: float) -> None:
        """Returns when all is told, after so long at most; what is still on its way then is cut off."""
        if not self._tasks:
            return
        _, late = await asyncio.wait(self._tasks, timeout=seconds)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def _go_on(self, ref: GameRef, game: _Game) -> None:
        if game.waiting and game.sending is None and not game.is_deaf:
            game.sending = self._start(self._tell_deals(ref, game))

    async def _tell_deals(self, ref: GameRef, game: _Game) -> None:
        try:
            while game.waiting and not game.is_deaf:
                game.is_deaf = True  # whatever becomes of it, unless it is heard
                game.is_deaf = not await self._tell(ref, MessageType.DEAL_OVER, game.waiting.popleft())
        finally:
            game.sending = None

    async def _tell_end(self, ref: GameRef, game: _Game, message: Message) -> None:
        if game.sending is not None:
            await asyncio.wait([game.sending], timeout=IN_TURN_SECONDS)
        self._drop_waiting(ref, game, "The game was over before its turn came.")
        await self._tell(ref, MessageType.GAME_OVER, message)

    def _drop_waiting(self, ref: GameRef, game: _Game, why: str) -> None:
        while game.waiting:
            self._drop(ref, MessageType.DEAL_OVER, game.waiting.popleft(), why)

    def _start(self, telling: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(telling)
        self._tasks.add(task)
        task.add_done_callback(self._told)
        return task

    def _told(self, task: asyncio.Task[None]) -> None:
        """Nobody waits for the news of a deal's or a game's end, so what went wrong with it is told here."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logger.error("The end of a deal or game was not told: %r", error)
