"""Thinkers as real processes: what they answer, what ends them, and that nobody waits for one in vain."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import psutil
import pytest

from deploy.embedded.paths import PROJECT
from engine import PartySetup, View, observe, rules_of, start
from engine.bots import house
from matches.thinking import pool
from matches.thinking.pool import OutOfTime, ThinkerFell, Thinkers
from matches.thinking.thoughts import Conclusion, Thought
from tests.matches.slow_thinker import SLOW_MS

PROGRAM = "tests.matches.slow_thinker"
SEED, CHANCE = bytes(range(32)), bytes(range(8))


def view_of() -> View:
    table = start(PartySetup(rules_of("moscow/2", {}), SEED, b"", "CDHS", None))
    assert table.seat_to_act is not None
    return observe(table, table.seat_to_act)


def thought(policy: str, limit_ms: int = 5_000) -> Thought:
    return Thought(policy, view_of(), CHANCE, limit_ms)


def with_thinkers(work: Callable[[Thinkers], Awaitable[None]], most: int = 1, program: str = PROGRAM) -> None:
    """Runs work with thinkers that are ended afterwards, and checks that they are."""

    async def run() -> None:
        thinkers = Thinkers(most, program)
        try:
            await work(thinkers)
        finally:
            await thinkers.close()

    asyncio.run(run())
    assert running() == []


def running() -> list[int]:
    """Thinkers of this process."""
    return [one.pid for one in psutil.Process().children() if one.status() != psutil.STATUS_ZOMBIE and _thinks(one)]


def _thinks(process: psutil.Process) -> bool:
    return any("thinker" in word for word in process.cmdline())


def test_a_thinker_answers_what_the_program_answers_here() -> None:
    async def work(thinkers: Thinkers) -> None:
        for policy in ("greedy", "random"):
            concluded = await thinkers.conclude(thought(policy))
            assert concluded.action is house(policy).choose(view_of(), random.Random(CHANCE))
            assert concluded.failure == ""

    with_thinkers(work, program=pool.PROGRAM)


def test_none_is_started_before_it_is_needed_and_no_more_than_are_allowed() -> None:
    async def work(thinkers: Thinkers) -> None:
        assert running() == []
        await thinkers.conclude(thought("slow"))
        assert len(running()) == 1
        await asyncio.gather(*(thinkers.conclude(thought("slow")) for _ in range(6)))
        assert len(running()) == 2

    with_thinkers(work, most=2)


def test_who_asked_first_is_answered_first() -> None:
    answered: list[int] = []

    async def ask(thinkers: Thinkers, number: int) -> None:
        await thinkers.conclude(thought("slow"))
        answered.append(number)

    async def work(thinkers: Thinkers) -> None:
        await asyncio.gather(*(ask(thinkers, number) for number in range(5)))

    with_thinkers(work)
    assert answered == list(range(5))


def test_the_time_told_is_what_the_program_computed() -> None:
    """Not what it waited: neither for a thinker, nor for a core."""

    async def work(thinkers: Thinkers) -> None:
        concluded = await asyncio.gather(*(thinkers.conclude(thought("slow")) for _ in range(4)))
        assert all(SLOW_MS <= one.elapsed_ms < 2 * SLOW_MS for one in concluded)
        assert (await thinkers.conclude(thought("sleeping"))).elapsed_ms < 100

    with_thinkers(work)


def test_the_loop_goes_on_while_a_program_thinks() -> None:
    async def work(thinkers: Thinkers) -> None:
        await thinkers.conclude(thought("slow"))
        thinking = asyncio.create_task(thinkers.conclude(thought("sleeping")))
        beats = 0
        while not thinking.done():
            await asyncio.sleep(0.005)
            beats += 1
        assert beats > 10

    with_thinkers(work)


def test_a_program_beyond_its_limit_is_ended_and_the_next_question_answered() -> None:
    async def work(thinkers: Thinkers) -> None:
        with pytest.raises(OutOfTime):
            await thinkers.conclude(thought("endless", limit_ms=100))
        assert (await thinkers.conclude(thought("slow"))).action is not None

    with_thinkers(work)


def test_the_limit_of_one_thought_does_not_end_the_next() -> None:
    async def work(thinkers: Thinkers) -> None:
        for _ in range(6):
            assert (await thinkers.conclude(thought("slow", limit_ms=3 * SLOW_MS))).action is not None

    with_thinkers(work)


def test_a_thinker_that_hangs_without_computing_counts_as_fallen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "STARVED_SECONDS", 0)

    async def work(thinkers: Thinkers) -> None:
        await thinkers.conclude(thought("slow"))
        with pytest.raises(ThinkerFell, match="hangs"):
            await thinkers.conclude(thought("sleeping", limit_ms=100))

    with_thinkers(work)


def test_a_thinker_that_falls_says_how_and_is_replaced() -> None:
    async def work(thinkers: Thinkers) -> None:
        for _ in range(11):
            await thinkers.conclude(thought("fragile"))
        with pytest.raises(ThinkerFell, match="ended with status 7"):
            await thinkers.conclude(thought("fragile"))
        assert (await thinkers.conclude(thought("fragile"))).action is not None

    with_thinkers(work)


def test_a_thinker_that_cannot_be_started_counts_as_fallen(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the system has no room for another process: the question may be asked again."""

    async def work(thinkers: Thinkers) -> None:
        with monkeypatch.context() as without_python:
            without_python.setattr(sys, "executable", "/nowhere/python")
            with pytest.raises(ThinkerFell, match=r"no thinker could be started: .*nowhere"):
                await thinkers.conclude(thought("slow"))
        assert (await thinkers.conclude(thought("slow"))).action is not None

    with_thinkers(work)


def test_an_idle_thinker_that_somebody_kills_is_not_asked() -> None:
    async def work(thinkers: Thinkers) -> None:
        await thinkers.conclude(thought("slow"))
        (pid,) = running()
        os.kill(pid, signal.SIGKILL)
        await asyncio.sleep(0.2)
        assert (await thinkers.conclude(thought("slow"))).action is not None

    with_thinkers(work)


def test_a_mistake_in_a_program_comes_back_in_words() -> None:
    async def work(thinkers: Thinkers) -> None:
        concluded = await thinkers.conclude(thought("raising"))
        assert concluded == Conclusion(None, concluded.elapsed_ms, concluded.failure)
        assert "ValueError: a mistake in a house program" in concluded.failure

    with_thinkers(work)


def test_what_a_program_prints_disturbs_nobody() -> None:
    async def work(thinkers: Thinkers) -> None:
        assert (await thinkers.conclude(thought("talking"))).action is not None

    with_thinkers(work)


def test_who_gives_up_leaves_no_thinker_behind_with_an_answer_for_nobody() -> None:
    async def work(thinkers: Thinkers) -> None:
        waiting = asyncio.create_task(thinkers.conclude(thought("endless")))
        await asyncio.sleep(0.5)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert running() == []
        assert (await thinkers.conclude(thought("slow"))).action is not None

    with_thinkers(work)


ORPHANING = f"""
import asyncio, os, signal
from matches.thinking.pool import Thinkers
from tests.matches.test_thinkers import running, thought
async def main():
    thinkers = Thinkers(1, "{PROGRAM}")
    asking = asyncio.create_task(thinkers.conclude(thought("endless", limit_ms=30_000)))
    await asyncio.sleep(1)
    print(*running(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""


def test_a_thinker_dies_with_a_killed_lane_in_the_middle_of_a_thought() -> None:
    """On Linux at once, elsewhere when the thought is over."""
    lane = subprocess.run([sys.executable, "-c", ORPHANING], cwd=PROJECT, stdout=subprocess.PIPE, text=True, timeout=60)
    assert lane.returncode == -signal.SIGKILL
    with _soon(5 if sys.platform == "linux" else 40) as asked_again:
        while psutil.pid_exists(int(lane.stdout)) and psutil.Process(int(lane.stdout)).status() != "zombie":
            asked_again()


@contextmanager
def _soon(seconds: float) -> Iterator[Callable[[], None]]:
    until = time.monotonic() + seconds

    def wait() -> None:
        assert time.monotonic() < until, "it still runs"
        time.sleep(0.02)

    yield wait
