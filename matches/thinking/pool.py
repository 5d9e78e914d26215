"""The thinkers of one lane: started when first needed, replaced when one falls, ended with the lane.

A pool child of Celery may have no children of multiprocessing; these are programs of their own, with a pipe each way.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from typing import Final, Self

from matches.thinking.thoughts import HEAD, Conclusion, Thought, frame, unframed

PROGRAM: Final = "matches.thinking.thinker"
STARVED_SECONDS: Final = 20
"""So much longer than its limit a thought may take where others have the cores; then the thinker counts as hanging."""


class OutOfTime(Exception):
    """The house program computed up to its limit; the thinker was ended by that."""


class ThinkerFell(Exception):
    """The thinker ended or hangs, and not because of the clock. A failure of ours: the question may be asked again."""


class Thinker:
    """One process, asked one thing at a time."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    async def started(cls, program: str) -> Self:
        """Raises ThinkerFell where the system has no room for another process."""
        argv = (sys.executable, "-m", program, str(os.getpid()))
        try:
            return cls(await asyncio.create_subprocess_exec(*argv, stdin=PIPE, stdout=PIPE, start_new_session=True))
        except OSError as error:
            raise ThinkerFell(f"no thinker could be started: {error}") from error

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_up(self) -> bool:
        return self._process.returncode is None

    async def conclude(self, thought: Thought) -> Conclusion:
        """Raises OutOfTime, ThinkerFell. Whenever this does not return, the thinker is of no use any more."""
        try:
            async with asyncio.timeout(thought.limit_ms / 1_000 + STARVED_SECONDS):
                return await self._answer(thought)
        except TimeoutError:
            raise ThinkerFell(f"thinker {self.pid} hangs") from None
        except (asyncio.IncompleteReadError, ConnectionError):
            status = await self._process.wait()
        if status == -signal.SIGPROF:
            raise OutOfTime
        raise ThinkerFell(f"thinker {self.pid} ended with status {status}")

    async def _answer(self, thought: Thought) -> Conclusion:
        thoughts, conclusions = self._process.stdin, self._process.stdout
        assert thoughts is not None
        assert conclusions is not None
        thoughts.write(frame(thought))
        await thoughts.drain()
        (length,) = HEAD.unpack(await conclusions.readexactly(HEAD.size))
        conclusion = unframed(await conclusions.readexactly(length))
        assert isinstance(conclusion, Conclusion)
        return conclusion

    async def end(self) -> None:
        """At once, whatever it computes."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


class Thinkers:
    """Up to `most` of them. Who asks waits in the order of asking; a match asks one thing at a time, so that matches

    take turns however many there are.
    """

    def __init__(self, most: int, program: str = PROGRAM) -> None:
        self._program = program
        self._turns = asyncio.Semaphore(most)
        self._idle: list[Thinker] = []

    async def conclude(self, thought: Thought) -> Conclusion:
        """Raises OutOfTime, ThinkerFell; the next question is for a new thinker then."""
        async with self._turns:
            thinker = await self._one()
            try:
                conclusion = await thinker.conclude(thought)
            except BaseException:  # cancelled, too: what it still computes is for nobody
                await thinker.end()
                raise
            self._idle.append(thinker)
            return conclusion

    async def _one(self) -> Thinker:
        while self._idle:
            if (idle := self._idle.pop()).is_up:
                return idle
        return await Thinker.started(self._program)

    async def close(self) -> None:
        """Ends them all; nobody may be asking any more."""
        await asyncio.gather(*(thinker.end() for thinker in self._idle))
        self._idle.clear()
