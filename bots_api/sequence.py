"""`seq`: how many messages a version has been sent, counted exactly however many processes send.

Numbers that are asked for in the same moment are drawn in one statement, which rides with the lane's events.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from matches.ledger import Ledger
from matches.services.journal import Statement, write_together

# The rows are locked in order of their keys, so that two lanes cannot wait for each other.
ADVANCE = """
WITH asked AS (SELECT * FROM unnest(%s::bigint[], %s::int[]) AS row(agent_id, wanted)), held AS (
    SELECT counter.agent_id FROM bots_api_messagecounter AS counter JOIN asked USING (agent_id)
    ORDER BY counter.agent_id FOR NO KEY UPDATE OF counter
)
UPDATE bots_api_messagecounter AS counter SET last_seq = counter.last_seq + asked.wanted
FROM asked WHERE counter.agent_id = asked.agent_id AND counter.agent_id IN (SELECT agent_id FROM held)
RETURNING counter.agent_id, counter.last_seq, counter.key_changes
"""


def advance(wanted: Mapping[int, int]) -> dict[int, int]:
    """Moves each version's counter on by what is wanted; returns the new last number of each."""
    (rows,) = write_together([_advancing(wanted)])
    return {agent_id: last for agent_id, last, _ in rows}


def _advancing(wanted: Mapping[int, int]) -> Statement:
    return Statement(ADVANCE, [list(wanted), list(wanted.values())])


class Counter:
    """Hands out numbers; those who ask while one trip is at the database gather for the following one.

    `key_changes`: of each version, how often its signing secrets had been changed when its last number was drawn.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._waiting: defaultdict[int, list[asyncio.Future[int]]] = defaultdict(list)
        self._travelling: Mapping[int, list[asyncio.Future[int]]] = {}
        self._expected: dict[str, asyncio.Future[int]] = {}
        self.key_changes: dict[int, int] = {}
        ledger.carry(self)

    def next(self, agent_id: int) -> asyncio.Future[int]:
        """The version's next number, as soon as it is drawn."""
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting[agent_id].append(future)
        self._ledger.wake()
        return future

    def expect(self, agent_id: int, game: str) -> None:
        """Draws the number of the decision that follows in a game, on the trip that writes the answer before it."""
        if game not in self._expected:
            self._expected[game] = self.next(agent_id)

    def expected(self, agent_id: int, game: str) -> asyncio.Future[int]:
        """The number drawn for this game; a match that was given up may have left one, or the error of its trip."""
        drawn = self._expected.pop(game, None)
        failed = drawn is not None and drawn.done() and drawn.exception() is not None
        return self.next(agent_id) if drawn is None or failed else drawn

    def forget(self, game: str) -> None:
        """A game whose next decision is not asked here."""
        self._expected.pop(game, None)

    def statement(self) -> Statement | None:
        if not self._waiting:
            return None
        self._travelling, self._waiting = self._waiting, defaultdict(list)
        return _advancing({agent_id: len(futures) for agent_id, futures in self._travelling.items()})

    def settle(self, rows: Sequence[tuple[Any, ...]]) -> None:
        last = {agent_id: number for agent_id, number, _ in rows}
        self.key_changes.update({agent_id: changes for agent_id, _, changes in rows})
        for agent_id, futures in self._travelling.items():
            _deal_out(agent_id, futures, last.get(agent_id))

    def fail(self, error: Exception) -> None:
        for futures in self._travelling.values():
            _fail(futures, error)


def _fail(futures: list[asyncio.Future[int]], error: Exception) -> None:
    for future in futures:
        if not future.done():
            future.set_exception(error)
            future.exception()  # whoever asked may have given up the match by now


def _deal_out(agent_id: int, futures: list[asyncio.Future[int]], last: int | None) -> None:
    if last is None:
        return _fail(futures, LookupError(f"version {agent_id} has no counter of messages"))
    for number, future in enumerate(futures, start=last - len(futures) + 1):
        if not future.done():
            future.set_result(number)
    return None
