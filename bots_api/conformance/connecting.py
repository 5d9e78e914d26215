"""Cases about the connection: kept open, slow, and Nagle's algorithm, by the clock of a plain socket."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from statistics import median
from typing import Final

from bots_api.addresses import AddressRefused
from bots_api.conformance.finding import Finding, Outcome, passed, skipped
from bots_api.conformance.line import DEADLINE_MS, Line
from bots_api.conformance.plain_socket import QUICK_ACK, Acks, NoHttp, PlainConnection, Timed, plain_connection
from bots_api.conformance.program import Examinee
from bots_api.conformance.talking import first_question, line_of
from bots_api.wire import ReplyError, excerpt, read_reply
from matches.agents import Question

TRICKLE_SECONDS: Final = 1.0
TRICKLE_PIECES: Final = 20
ASKED: Final = 12 if QUICK_ACK is not None else 30
"""Decisions on one connection."""
WARM: Final = 2 if QUICK_ACK is not None else 14
"""Of them, those that do not count: systems acknowledge the first ones at once, unless they are told otherwise."""
LATE_MS: Final = 25.0
"""A reply's last byte comes so much later than its first, where an acknowledgement is waited for: systems delay
theirs by 40 ms, some by more."""
NAGLE: Final = (
    "Nagle's algorithm with delayed ACK: set TCP_NODELAY or write head and body in one send. "
    "The median reply comes {late:.0f} ms late, in {pieces} segments, as each waits for ours to acknowledge the last"
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A decision on a plain connection, and the reply."""

    question: Question
    message: str
    timed: Timed

    @property
    def wrong(self) -> str | None:
        if self.timed.status != 200:
            return f"Answered {self.timed.status}; expected 200."
        try:
            read_reply(self.timed.body, [action.text for action in self.question.view.legal])
        except ReplyError as error:
            return error.detail
        return None

    def finding(self, outcome: Outcome, detail: str) -> Finding:
        reply = f"HTTP {self.timed.status}\n{excerpt(self.timed.body)}"
        return Finding(outcome, detail, self.message, reply, round(self.timed.last_ms))


class _Broken(Exception):
    """No reply on this connection. The text is for the program's author."""

    def __init__(self, message: str, why: str) -> None:
        super().__init__(why)
        self.message = message

    @property
    def finding(self) -> Finding:
        return Finding(Outcome.FAILED, str(self), self.message)


@asynccontextmanager
async def _connected(line: Line) -> AsyncIterator[PlainConnection]:
    """Raises _Broken."""
    try:
        async with asyncio.timeout(DEADLINE_MS / 1_000):
            context = plain_connection(line.endpoint.url)
            connection = await context.__aenter__()
    except (AddressRefused, OSError, ssl.SSLError) as error:
        raise _Broken("", f"No connection: {error}") from error
    try:
        yield connection
    finally:
        await context.__aexit__(None, None, None)


async def _ask(line: Line, connection: PlainConnection, question: Question, *, slowly: bool = False) -> _Asked:
    """Raises _Broken."""
    message = await line.decision(question)
    request = connection.request(message.encode(), line.endpoint.signed(question.decision_id, message.encode()))
    try:
        async with asyncio.timeout(DEADLINE_MS / 1_000):
            if slowly:
                timed = await connection.ask_slowly(request, TRICKLE_SECONDS, TRICKLE_PIECES)
            else:
                timed = await connection.ask(request)
    except TimeoutError as error:
        raise _Broken(message, f"No complete answer within {DEADLINE_MS} ms.") from error
    except (NoHttp, OSError) as error:
        raise _Broken(message, str(error)) from error
    return _Asked(question, message, timed)


async def slow_link(examinee: Examinee) -> Finding:
    """Answers a request that trickles in over a second, to a reader that takes the reply in small bites."""
    line = line_of(examinee)
    try:
        async with _connected(line) as connection:
            asked = await _ask(line, connection, first_question(examinee), slowly=True)
    except _Broken as broken:
        return broken.finding
    told = f"The request came in {TRICKLE_PIECES} pieces within {TRICKLE_SECONDS:.0f} s: "
    return asked.finding(Outcome.FAILED, told + asked.wrong) if asked.wrong else passed()


async def keep_alive(examinee: Examinee) -> Finding:
    """Keeps the connection open between two decisions."""
    line = line_of(examinee)
    try:
        async with _connected(line) as connection:
            first = await _ask(line, connection, first_question(examinee))
            if first.timed.closes:
                return first.finding(Outcome.WARNED, "Closes the connection: each decision pays for a new one.")
            second = await _ask(line, connection, first_question(examinee))
    except _Broken as broken:
        said = f"On a connection that was said to stay open: {broken}"
        return Finding(Outcome.WARNED, said, broken.message)
    wrong = first.wrong or second.wrong
    return second.finding(Outcome.FAILED, wrong) if wrong else passed()


async def nagle(examinee: Examinee) -> Finding:
    """Sends each reply without waiting for our acknowledgement of its first part."""
    line = line_of(examinee)
    try:
        late = await _measured(examinee, line, Acks.LATE)
        if late is None:
            return skipped("The connection is closed after a decision; see keep_alive.")
        gap = median(one.timed.gap_ms for one in late)
        if gap < LATE_MS or median(one.timed.pieces for one in late) < 2:
            return passed(f"The median reply is whole {gap:.1f} ms after its first byte.", round(gap))
        prompt = None if QUICK_ACK is None else await _measured(examinee, line, Acks.AT_ONCE)
    except _Broken as broken:
        return broken.finding
    return _named(late, prompt)


async def _measured(examinee: Examinee, line: Line, acks: Acks) -> Sequence[_Asked] | None:
    """Many decisions on one connection, those at its beginning left out; None where it does not stay open."""
    asked: list[_Asked] = []
    async with _connected(line) as connection:
        connection.acks = acks
        for _ in range(ASKED):
            asked.append(await _ask(line, connection, first_question(examinee)))
            if asked[-1].timed.closes:
                return None
    return asked[WARM:]


def _named(late: Sequence[_Asked], prompt: Sequence[_Asked] | None) -> Finding:
    """What makes replies late: Nagle's algorithm if they are in time as soon as we acknowledge at once."""
    gap, pieces = median(one.timed.gap_ms for one in late), round(median(one.timed.pieces for one in late))
    slowest = max(late, key=lambda one: one.timed.gap_ms)
    quick = 0.0 if prompt is None else median(one.timed.gap_ms for one in prompt)
    if gap - quick < LATE_MS:
        detail = f"The median reply is whole only {gap:.0f} ms after its first byte: write head and body at once."
        return slowest.finding(Outcome.WARNED, detail)
    proof = "." if prompt is None else f"; with prompt acknowledgements it is {quick:.0f} ms."
    return slowest.finding(Outcome.WARNED, NAGLE.format(late=gap, pieces=pieces) + proof)
