"""One decision asked of one program until it is answered or forfeited: the table of protocol §5."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Protocol

from bots_api import observation, wire
from bots_api.delivery_log import KEPT_BYTES, Delivered
from bots_api.endpoints import Endpoint
from bots_api.models import MessageType
from bots_api.transport import GONE, CallFailed, HttpReply
from bots_api.wire import Reply, ReplyError
from engine import Action
from matches.agents import Answer, Question
from matches.core.faults import Cause

RESEND_SHARE = 0.4
TRY_AGAIN = frozenset({502, 503, 504})
LEAST_WAIT_MS = 100
LONGEST_WAIT_S = 3_600
FREE_CONNECTING_MS = 1_000
_CAUSES = {"illegal_action": Cause.ILLEGAL, "malformed": Cause.MALFORMED}


class Caller(Protocol):
    """Whoever posts for a decision and keeps the log of what came back."""

    async def post(
        self, endpoint: Endpoint, message_id: str, body: bytes, deadline_ms: int, free_ms: int = 0
    ) -> HttpReply:
        """One signed POST; raises CallFailed. `free_ms`: of connecting, beside the deadline."""
        ...

    async def renewed(self, endpoint: Endpoint) -> Endpoint:
        """The endpoint as it is by now, for whoever is sent something once more: its secrets may have changed."""
        ...

    def log(self, row: Delivered) -> None: ...


class Asking:
    """The clock runs from the first byte of the first try to the last byte of the last one, our delays excepted.

    Connections are opened before the clock starts: a decision has a second of connecting free.
    """

    def __init__(self, agents: Caller, endpoint: Endpoint, question: Question, seq: int, message: str) -> None:
        self.agents, self.endpoint, self.question, self.seq, self.message = agents, endpoint, question, seq, message
        self.legal = {action.text: action for action in question.view.legal}
        self.elapsed_ms = 0
        self.posts = 0
        self.corrected = self.resent = False
        self.free_ms, self.wait_ms = FREE_CONNECTING_MS, LEAST_WAIT_MS

    async def run(self) -> Answer:
        while True:
            answer = await self._try()
            if answer is not None:
                return answer

    @property
    def left_ms(self) -> int:
        return self.question.clock.hard_ms - self.elapsed_ms

    async def _try(self) -> Answer | None:
        """One POST. None means: ask again, the clock running."""
        if self.left_ms <= 0:
            return self._fault(Cause.TIMEOUT)
        if self.posts:
            self.endpoint = await self.agents.renewed(self.endpoint)
        self.posts += 1
        self.body, self.sent_at = self.message.encode(), datetime.now(UTC)
        decision_id = self.question.decision_id
        try:
            reply = await self.agents.post(self.endpoint, decision_id, self.body, self.left_ms, self.free_ms)
        except CallFailed as failure:
            self._charge(failure)
            self._log(failure.code, failure.elapsed_ms, detail=failure.detail, raw=failure.received)
            return self._resend() if failure.before_reply else self._fault(Cause(failure.code))
        self._charge(reply)
        return await self._read(reply)

    def _charge(self, call: HttpReply | CallFailed) -> None:
        free_ms = min(call.connecting_ms, self.free_ms)
        self.free_ms -= free_ms
        self.elapsed_ms += max(0, call.elapsed_ms - free_ms)

    async def _read(self, reply: HttpReply) -> Answer | None:
        if reply.status == 200:
            return self._read_action(reply)
        self._log(f"http_{reply.status}", reply.elapsed_ms, raw=reply.body, status=reply.status)
        if reply.status == 429:
            await self._wait(reply.retry_after)
            return None
        if reply.status in TRY_AGAIN:
            return self._resend()
        if reply.status in (401, 403):
            return self._fault(Cause.REJECTED)
        # Who says that he plays no more resigns, which is no failure on the way to him.
        return self._fault(Cause.RESIGNED if reply.status == GONE else Cause.HTTP_ERROR)

    def _read_action(self, reply: HttpReply) -> Answer | None:
        try:
            told = read_answer(reply, self.legal)
        except ReplyError as error:
            self._log(error.code, reply.elapsed_ms, detail=error.detail, raw=reply.body, status=200)
            return self._correct(error)
        self._log("ok", reply.elapsed_ms, told=told, status=200)
        return Answer(self.legal[told.action], self.elapsed_ms, corrected=self.corrected)

    def _correct(self, error: ReplyError) -> Answer | None:
        """Once a game the program is told what was wrong and asked again."""
        if self.corrected or not self.question.may_correct:
            return self._fault(_CAUSES[error.code], error.action)
        self.corrected = True
        self.message = observation.correction(self.message, error.code, error.detail)
        return None

    def _resend(self) -> Answer | None:
        budget_ms = self.question.clock.rules.budget_ms
        if self.resent or budget_ms - self.elapsed_ms < RESEND_SHARE * budget_ms:
            return self._fault(Cause.UNREACHABLE)
        self.resent = True
        return None

    async def _wait(self, retry_after: str) -> None:
        """429: the program asks for patience, on its own clock. What it asked for counts, not when we woke up."""
        if wire.is_number(retry_after):
            wanted_ms = min(int(retry_after), LONGEST_WAIT_S) * 1_000
        else:
            wanted_ms, self.wait_ms = self.wait_ms, self.wait_ms * 2
        waited_ms = min(max(wanted_ms, LEAST_WAIT_MS), self.left_ms)
        await asyncio.sleep(max(0, waited_ms) / 1_000)
        self.elapsed_ms += max(0, waited_ms)

    def _fault(self, cause: Cause, tried: Action | None = None) -> Answer:
        return Answer(None, self.elapsed_ms, cause, self.corrected, tried)

    def _log(
        self,
        outcome: str,
        elapsed_ms: int,
        *,
        detail: str = "",
        raw: bytes = b"",
        status: int | None = None,
        told: Reply | None = None,
    ) -> None:
        """A line of the log: an answer with its note, or what went wrong with all that was said."""
        self.agents.log(
            Delivered(
                agent_id=self.endpoint.agent_id,
                message=MessageType.DECISION.value,
                seq=self.seq,
                game=self.question.ref.game,
                message_id=self.question.decision_id,
                attempt=self.posts,
                outcome=outcome,
                detail=detail[:300],
                status=status,
                elapsed_ms=elapsed_ms,
                action=told.action if told else "",
                note=told.note if told else "",
                request="" if told else self.body[:KEPT_BYTES].decode(errors="replace"),
                reply=wire.excerpt(raw),
                sent_at=self.sent_at,
            )
        )


def read_answer(reply: HttpReply, legal: Collection[str]) -> Reply:
    """What a program answered with 200; raises ReplyError."""
    if reply.encoded:
        raise ReplyError("malformed", "A reply with a content encoding is not read.")
    return wire.read_reply(reply.body, legal)
