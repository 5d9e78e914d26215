"""One decision asked of one program until it is answered or forfeited: the table of protocol §5."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bots_api import wire
from bots_api.delivery_log import KEPT_BYTES, Delivered
from bots_api.endpoints import Endpoint
from bots_api.transport import CallFailed, HttpReply
from bots_api.wire import ReplyError
from engine import parse_action
from matches.agents import Answer, Question
from matches.core.faults import Cause

if TYPE_CHECKING:
    from bots_api.push import PushAgents

RESEND_SHARE = 0.4
TRY_AGAIN = frozenset({502, 503, 504})
LEAST_WAIT_MS = 100
_CAUSES = {"illegal_action": Cause.ILLEGAL, "malformed": Cause.MALFORMED}


class Asking:
    """The clock runs from the first byte of the first try to the last byte of the last one, our delays excepted."""

    def __init__(self, agents: PushAgents, endpoint: Endpoint, question: Question, message: dict[str, Any]) -> None:
        self.agents, self.endpoint, self.question, self.message = agents, endpoint, question, message
        self.elapsed_ms = 0
        self.attempt = 1
        self.corrected = self.resent = False

    async def run(self) -> Answer:
        while True:
            answer = await self._try()
            if answer is not None:
                return answer

    async def _try(self) -> Answer | None:
        """One POST. None means: ask again, the clock running."""
        left_ms = self.question.clock.hard_ms - self.elapsed_ms
        if left_ms <= 0:
            return self._fault(Cause.TIMEOUT)
        body, sent_at = wire.encode(self.message), datetime.now(UTC)
        try:
            reply = await self.agents.post(self.endpoint, self.question.decision_id, body, left_ms)
        except CallFailed as failure:
            self.elapsed_ms += failure.elapsed_ms
            self._log(body, sent_at, failure.code, failure.detail, None, b"", failure.elapsed_ms)
            return self._resend() if failure.before_reply else self._fault(Cause(failure.code))
        self.elapsed_ms += reply.elapsed_ms
        return await self._read(reply, body, sent_at)

    async def _read(self, reply: HttpReply, body: bytes, sent_at: datetime) -> Answer | None:
        if reply.status == 200:
            return self._read_action(reply, body, sent_at)
        self._log(body, sent_at, f"http_{reply.status}", "", reply.status, reply.body, reply.elapsed_ms)
        if reply.status == 429:
            return await self._wait(reply.retry_after)
        if reply.status in TRY_AGAIN:
            return self._resend()
        if reply.status in (401, 403):
            return self._fault(Cause.REJECTED)
        return self._fault(Cause.RESIGNED if reply.status == 410 else Cause.HTTP_ERROR)

    def _read_action(self, reply: HttpReply, body: bytes, sent_at: datetime) -> Answer | None:
        try:
            if reply.encoded:
                raise ReplyError("malformed", "A reply with a content encoding is not read.")
            told = wire.read_reply(reply.body, self.message["legal"])
        except ReplyError as error:
            self._log(body, sent_at, error.code, error.detail, reply.status, reply.body, reply.elapsed_ms)
            return self._correct(error)
        self._log(body, sent_at, "ok", "", 200, b"", reply.elapsed_ms, told.action, told.note)
        return Answer(parse_action(told.action), self.elapsed_ms, corrected=self.corrected)

    def _correct(self, error: ReplyError) -> Answer | None:
        """Once a game the program is told what was wrong and asked again."""
        if self.corrected or not self.question.may_correct:
            return self._fault(_CAUSES[error.code])
        self.corrected, self.attempt = True, 2
        self.message = wire.correction(self.message, error)
        return None

    def _resend(self) -> Answer | None:
        budget_ms = self.question.clock.rules.budget_ms
        if self.resent or budget_ms - self.elapsed_ms < RESEND_SHARE * budget_ms:
            return self._fault(Cause.UNREACHABLE)
        self.resent = True
        return None

    async def _wait(self, retry_after: str) -> None:
        """429: the program asks for patience, on its own clock."""
        wanted_ms = int(retry_after) * 1_000 if retry_after.isdigit() and len(retry_after) < 6 else LEAST_WAIT_MS
        left_ms = self.question.clock.hard_ms - self.elapsed_ms
        began = time.monotonic()
        await asyncio.sleep(max(0, min(max(wanted_ms, LEAST_WAIT_MS), left_ms)) / 1_000)
        self.elapsed_ms += int((time.monotonic() - began) * 1_000)

    def _fault(self, cause: Cause) -> Answer:
        return Answer(None, self.elapsed_ms, cause, self.corrected)

    def _log(
        self,
        body: bytes,
        sent_at: datetime,
        outcome: str,
        detail: str,
        status: int | None,
        received: bytes,
        elapsed_ms: int,
        action: str = "",
        note: str = "",
    ) -> None:
        well = outcome == "ok"
        self.agents.log(
            Delivered(
                agent_id=self.endpoint.agent_id,
                message="decision",
                seq=self.message["seq"],
                game=self.question.ref.game,
                message_id=self.question.decision_id,
                attempt=self.attempt,
                outcome=outcome,
                detail=detail[:300],
                status=status,
                elapsed_ms=elapsed_ms,
                action=action,
                note=note,
                request="" if well else body[:KEPT_BYTES].decode(errors="replace"),
                reply="" if well else wire.excerpt(received),
                sent_at=sent_at,
            )
        )
