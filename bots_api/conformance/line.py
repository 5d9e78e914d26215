"""A line to a program that is called: single messages of ours, made as in play or spoiled on purpose."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from standardwebhooks import Webhook

from bots_api import wire
from bots_api.asking import read_answer
from bots_api.conformance.finding import Finding, Outcome
from bots_api.endpoints import Endpoint
from bots_api.messages import Decisions
from bots_api.practice.programs import Gone, NextNumber
from bots_api.transport import GONE, CallFailed, HttpReply, Transport
from bots_api.wire import Reply, ReplyError
from matches.agents import Question
from matches.public_ids import new_id

DEADLINE_MS: Final = 5_000
"""Of a single message."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message and what came back: a reply, or the reason why there is none."""

    request: str
    reply: HttpReply | None
    failure: CallFailed | None = None

    @property
    def elapsed_ms(self) -> int:
        call = self.reply or self.failure
        return call.elapsed_ms if call else 0

    @property
    def shown(self) -> str:
        """The reply as its author should see it, or as much of one as came."""
        if self.reply is None:
            return wire.excerpt(self.failure.received) if self.failure else ""
        return f"HTTP {self.reply.status}\n{wire.excerpt(self.reply.body)}"

    @property
    def is_ok(self) -> bool:
        """Whether the status is of those that mean well."""
        return self.reply is not None and self.reply.status // 100 == 2

    def why_not_200(self) -> str | None:
        if self.reply is None:
            return f"No answer came. {self.failure.detail}" if self.failure else "No answer came."
        return None if self.reply.status == 200 else f"Answered {self.reply.status}; expected 200."

    def why_no_answer_to(self, question: Question) -> str | None:
        """Why this answers the question with no legal action; None if it does."""
        try:
            self.answer_to(question)
        except ReplyError as error:
            return error.detail
        return None

    def answer_to(self, question: Question) -> Reply:
        """The action chosen; raises ReplyError."""
        if self.reply is None or self.reply.status != 200:
            raise ReplyError("malformed", self.why_not_200() or "")
        return read_answer(self.reply, [action.text for action in question.view.legal])

    def finding(self, outcome: Outcome, detail: str) -> Finding:
        return Finding(outcome, detail, self.request, self.shown, self.elapsed_ms)

    def failed(self, detail: str) -> Finding:
        return self.finding(Outcome.FAILED, detail)

    def warned(self, detail: str) -> Finding:
        return self.finding(Outcome.WARNED, detail)


class Line:
    """To one program. Each message is sent once more where the connection was gone before a byte came back."""

    def __init__(self, endpoint: Endpoint, transport: Transport, next_number: NextNumber, gone: Gone) -> None:
        self.endpoint = endpoint
        self._transport, self._next_number, self._gone = transport, next_number, gone
        self._decisions = Decisions()

    async def number(self) -> int:
        return await self._next_number(self.endpoint.agent_id)

    async def decision(self, question: Question, seq: int | None = None) -> str:
        """The decision as it goes out in play; `seq` is the next number where none is given."""
        return self._decisions.text(question, await self.number() if seq is None else seq)

    async def tell(self, message: Mapping[str, Any]) -> Said:
        """A message that is no decision, with its number."""
        return await self.send(wire.encode({**message, "seq": await self.number()}).decode(), new_id("msg_"))

    async def ask(self, question: Question, message: str | None = None) -> Said:
        """A decision, or what was made of it, under its id."""
        return await self.send(message or await self.decision(question), question.decision_id)

    async def send(self, message: str, message_id: str) -> Said:
        """As our own word, so that its 410 counts."""
        said = await self.post(message, self.endpoint.signed(message_id, message.encode()))
        if said.reply and said.reply.status == GONE:
            await self._gone(self.endpoint.agent_id)
        return said

    async def post(self, message: str, headers: Mapping[str, str]) -> Said:
        said = await self._post(message, headers)
        again = said.failure is not None and said.failure.before_reply and said.elapsed_ms < DEADLINE_MS / 2
        return await self._post(message, headers) if again else said

    async def _post(self, message: str, headers: Mapping[str, str]) -> Said:
        try:
            reply = await self._transport.post(self.endpoint.url, message.encode(), headers, DEADLINE_MS)
        except CallFailed as failure:
            return Said(message, None, failure)
        return Said(message, reply)

    def forged(self, message_id: str, message: str) -> dict[str, str]:
        """The headers of somebody who does not know the secret."""
        return sealed(Webhook(secrets.token_bytes(32)), message_id, message, datetime.now(UTC))

    def stale(self, message_id: str, message: str) -> dict[str, str]:
        """The headers of a message that was ours an hour ago."""
        return sealed(self.endpoint.signer, message_id, message, datetime.now(UTC) - timedelta(hours=1))


def sealed(signer: Webhook, message_id: str, message: str, at: datetime) -> dict[str, str]:
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": signer.sign(message_id, at, message),
    }
