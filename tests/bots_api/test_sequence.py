"""`seq` counts the messages to a version from 1, exactly, however many lanes draw numbers at once."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import DatabaseError, connection

from bots_api.sequence import Counter, advance
from deploy.embedded.paths import PROJECT
from matches.ledger import Ledger
from matches.services.journal import Statement
from tests.bots_api.tables import version_at

pytestmark = pytest.mark.django_db(transaction=True)

DRAW_IN_A_PROCESS = """
import sys, django
django.setup()
from bots_api.sequence import advance
first, second = map(int, sys.argv[1:])
for turn in range(100):
    # Now in one order, now in the other: rows are locked in the order of their keys, whatever is asked for.
    wanted = {first: 2, second: 1} if turn % 2 else {second: 1, first: 2}
    drawn = advance(wanted)
    print(drawn[first], drawn[second])
"""


class Watched(Ledger):
    """Counts the trips to the database."""

    trips = 0

    async def _trip(self, *arguments) -> None:
        Watched.trips += 1
        await super()._trip(*arguments)


@pytest.fixture
def agents() -> tuple[int, int]:
    return version_at("http://127.0.0.1:9001/").agent_id, version_at("http://127.0.0.1:9002/").agent_id


def test_it_begins_at_one(agents: tuple[int, int]) -> None:
    assert advance({agents[0]: 1}) == {agents[0]: 1}
    assert advance({agents[0]: 3, agents[1]: 1}) == {agents[0]: 4, agents[1]: 1}


def test_threads_draw_without_gap_or_double(agents: tuple[int, int]) -> None:
    def draw(_: int) -> list[int]:
        drawn = [advance({agents[0]: 1, agents[1]: 1})[agents[0]] for _ in range(50)]
        connection.close()
        return drawn

    with ThreadPoolExecutor(4) as threads:
        drawn = [number for numbers in threads.map(draw, range(4)) for number in numbers]
    assert sorted(drawn) == list(range(1, 201))


def test_processes_draw_without_gap_or_double(agents: tuple[int, int], child_env: dict[str, str]) -> None:
    argv = [sys.executable, "-c", DRAW_IN_A_PROCESS, *map(str, agents)]
    env = child_env | {"DJANGO_SETTINGS_MODULE": "deploy.settings"}
    lanes = [subprocess.Popen(argv, env=env, cwd=PROJECT, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = [lane.communicate(timeout=60)[0].split() for lane in lanes]
    assert [lane.returncode for lane in lanes] == [0, 0, 0]
    ends = [int(number) for words in said for number in words[0::2]]
    assert sorted(number for end in ends for number in (end - 1, end)) == list(range(1, 601))
    assert sorted(int(number) for words in said for number in words[1::2]) == list(range(1, 301))


def test_a_lane_hands_out_each_number_once(agents: tuple[int, int]) -> None:
    async def run() -> tuple[list[int], list[int]]:
        async with Watched() as ledger:
            counter = Counter(ledger)
            first = asyncio.gather(*(counter.next(agents[0]) for _ in range(300)))
            second = asyncio.gather(*(counter.next(agents[1]) for _ in range(20)))
            return await first, await second

    Watched.trips = 0
    assert asyncio.run(run()) == (list(range(1, 301)), list(range(1, 21)))
    assert Watched.trips == 1


def test_those_who_ask_during_a_trip_wait_for_the_next_one(agents: tuple[int, int]) -> None:
    async def run() -> list[int]:
        async with Ledger() as ledger:
            counter = Counter(ledger)
            first = counter.next(agents[0])
            await asyncio.sleep(0)
            await asyncio.sleep(0)  # the trip is under way
            return list(await asyncio.gather(first, counter.next(agents[0]), counter.next(agents[0])))

    assert asyncio.run(run()) == [1, 2, 3]


def test_a_version_without_a_counter_fails_alone(agents: tuple[int, int]) -> None:
    async def run() -> list[int | BaseException]:
        async with Ledger() as ledger:
            counter = Counter(ledger)
            asked = [counter.next(agent) for agent in (agents[0], 10**9, agents[1])]
            return await asyncio.gather(*asked, return_exceptions=True)

    first, unknown, second = asyncio.run(run())
    assert (first, second) == (1, 1)
    assert isinstance(unknown, LookupError)


def test_a_trip_is_one_transaction_and_all_who_were_on_it_learn_that_it_failed(agents: tuple[int, int]) -> None:
    class Breaking:
        """A rider whose first statement fails after the others'."""

        error: Exception | None = None

        def statement(self) -> Statement | None:
            return None if self.error else Statement("SELECT 1 / %s", [0])

        def settle(self, rows: object) -> None:
            raise AssertionError(rows)

        def fail(self, error: Exception) -> None:
            self.error = error

    async def run() -> list[int | BaseException]:
        async with Ledger() as ledger:
            counter, breaking = Counter(ledger), Breaking()
            ledger.carry(breaking)
            asked = [counter.next(agent) for agent in agents]
            failed = await asyncio.gather(*asked, return_exceptions=True)
            assert breaking.error
            return [*failed, await counter.next(agents[0])]

    first, second, third = asyncio.run(run())
    assert isinstance(first, DatabaseError)
    assert isinstance(second, DatabaseError)
    assert third == 1  # what was drawn on the trip that failed is not drawn
