"""Programs that are called, at whatever table: the questions of play, the news, the log's lines, one POST a message.

Where a program is called and with which keys, how its messages are numbered, and what follows from what it answers,
differs between matches and practice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Self

from bots_api import wire
from bots_api.asking import Asking
from bots_api.delivery_log import Delivered
from bots_api.endpoints import Endpoint
from bots_api.messages import Decisions, deal_over, game_over, game_start
from bots_api.models import MessageType
from bots_api.news import News
from bots_api.transport import GONE, CallFailed, HttpReply, Transport
from engine.party import DealRecord
from matches.agents import Answer, GameRef, Question
from matches.core.faults import Cause
from matches.public_ids import new_id

NOTICE_DEADLINE_MS: Final = 2_000
UNHEARD: Final = (Cause.TIMEOUT, Cause.UNREACHABLE, Cause.INFRA)
"""Nothing, or nothing in time, has come of the program."""


class CalledPrograms(ABC):
    """Agents of the kind `push`, over one transport, which is open while they are."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._decisions = Decisions()
        self._news = News(self._tell, self._drop)

    @abstractmethod
    def number(self, agent_id: int) -> Awaitable[int]:
        """The next `seq` of a program."""

    def number_asked(self, ref: GameRef) -> Awaitable[int]:
        """The `seq` of the decision that a game has come to."""
        return self.number(ref.agent_id)

    @abstractmethod
    async def endpoint(self, agent_id: int) -> Endpoint:
        """As it was when the program's last number was drawn, or newer."""

    @abstractmethod
    async def renewed(self, endpoint: Endpoint) -> Endpoint:
        """As it is by now."""

    @abstractmethod
    def known(self, agent_id: int) -> Endpoint | None:
        """The endpoint, if it need not be looked up."""

    @abstractmethod
    async def gone(self, agent_id: int) -> None:
        """It has answered 410."""

    @abstractmethod
    def log(self, row: Delivered) -> None: ...

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._news.close(NOTICE_DEADLINE_MS / 1_000)

    async def begin(self, ref: GameRef) -> None:
        await self._tell(ref, MessageType.GAME_START, game_start(ref))

    def expect(self, ref: GameRef) -> None:
        """Opens a connection for the decision that follows, where none idles."""
        if endpoint := self.known(ref.agent_id):
            self._transport.open_ahead(endpoint.url)

    async def decide(self, question: Question) -> Answer:
        ref = question.ref
        seq = await self.number_asked(ref)
        endpoint = await self.endpoint(ref.agent_id)
        answer = await Asking(self, endpoint, question, seq, self._decisions.text(question, seq)).run()
        if answer.cause not in UNHEARD:
            self._news.answered(ref)
        if answer.cause is Cause.RESIGNED:
            await self.gone(ref.agent_id)
        return answer

    def deal_over(self, ref: GameRef, deal: DealRecord) -> None:
        self._news.deal_over(ref, deal_over(ref, deal))

    async def over(self, ref: GameRef, causes: Sequence[Cause | None]) -> None:
        return None

    async def end(self, ref: GameRef, result: Mapping[str, Any]) -> None:
        self._news.game_over(ref, game_over(ref, result))

    def leave(self, ref: GameRef) -> None:
        self._decisions.forget(ref.game)
        self._news.leave(ref)

    async def post(
        self, endpoint: Endpoint, message_id: str, body: bytes, deadline_ms: int, free_ms: int = 0
    ) -> HttpReply:
        """One signed POST; raises CallFailed."""
        return await self._transport.post(endpoint.url, body, endpoint.signed(message_id, body), deadline_ms, free_ms)

    async def _tell(self, ref: GameRef, kind: MessageType, message: dict[str, Any]) -> bool:
        """A notice: sent once, and whatever the program answers changes nothing (but 410, which retires it).

        Returns whether anything came back.
        """
        message["seq"] = await self.number(ref.agent_id)
        endpoint = await self.endpoint(ref.agent_id)
        line = _line(ref, kind, message, "Cut off before an answer came.")
        try:
            reply = await self.post(endpoint, line.message_id, line.request.encode(), NOTICE_DEADLINE_MS)
            line = _answered(line, reply)
        except CallFailed as failure:
            line = _failed(line, failure)
        finally:
            self.log(line)
        if line.status == GONE:
            await self.gone(ref.agent_id)
        return line.status is not None

    def _drop(self, ref: GameRef, kind: MessageType, message: Mapping[str, Any], why: str) -> None:
        """Notes a message that is not sent: it has no number of its own."""
        self.log(_line(ref, kind, message, why))


def _line(ref: GameRef, kind: MessageType, message: Mapping[str, Any], detail: str) -> Delivered:
    """The log's line of a notice that nobody has answered."""
    return Delivered(
        agent_id=ref.agent_id,
        message=kind,
        seq=message.get("seq", 0),
        game=ref.game,
        message_id=new_id("msg_"),
        attempt=1,
        outcome="dropped",
        detail=detail,
        status=None,
        elapsed_ms=0,
        action="",
        note="",
        request=wire.encode(message).decode(),
        reply="",
        sent_at=datetime.now(UTC),
    )


def _failed(line: Delivered, failure: CallFailed) -> Delivered:
    return line._replace(
        outcome=failure.code,
        detail=failure.detail[:300],
        elapsed_ms=failure.elapsed_ms,
        reply=wire.excerpt(failure.received),
    )


def _answered(line: Delivered, reply: HttpReply) -> Delivered:
    is_ok = reply.status // 100 == 2
    return line._replace(
        outcome="ok" if is_ok else "http_error",
        detail="",
        status=reply.status,
        elapsed_ms=reply.elapsed_ms,
        reply=wire.excerpt(reply.body, wire.NOTED_LIMIT if is_ok else wire.REPLY_LIMIT),
    )
