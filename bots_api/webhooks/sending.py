"""One try after the other with what a webhook is owed: signed, timed, and judged. No row is read or written here."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self, TypeVar

from standardwebhooks import Webhook as Signer

from bots_api import wire
from bots_api.models import WebhookDelivery
from bots_api.transport import CallFailed, HttpReply, Transport, open_transport
from matches.lag import LagMeter

T = TypeVar("T")
DEADLINE_MS = 5_000
IN_TURN_SECONDS = 15
"""After so long with one webhook the rest of its share waits for the next one."""
PAUSES_S = (5, 30, 300, 1_800, 7_200, 21_600, 43_200, 86_400)
"""Before the second try, the third, …; after the last of these nothing is tried any more."""
LONGEST_RETRY_AFTER_S = 21_600
GONE = 410


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one try: `status` is None where no answer came, and `is_untried` says that there was no try.

    `pause_s`: until the next one; None: there is none. `asked_s`: for so long the site wants to be left alone.
    """

    delivery: WebhookDelivery
    status: int | None = None
    detail: str = ""
    reply: str = ""
    pause_s: int | None = None
    asked_s: int = 0
    is_untried: bool = False

    @property
    def arrived(self) -> bool:
        return self.status is not None and self.status // 100 == 2


class Sending:
    """A loop in a thread of its own, which sends while its owner reads and writes rows. A context."""

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="webhooks", daemon=True)
        self._thread.start()
        self._run(self._open()).result()
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self._close()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def start(self, share: Sequence[WebhookDelivery]) -> Future[list[Outcome]]:
        """Begins to send what one webhook is owed, one after the other."""
        return self._run(_send_share(self._transport, share))

    def _run(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _open(self) -> None:
        self._opened = AsyncExitStack()
        self._transport = await self._opened.enter_async_context(open_transport(LagMeter()))

    async def _close(self) -> None:
        await self._opened.aclose()
        await self._loop.shutdown_default_executor()


async def _send_share(transport: Transport, share: Sequence[WebhookDelivery]) -> list[Outcome]:
    """Once one has not arrived the rest is not tried: a site in trouble is not told more at this moment."""
    outcomes: list[Outcome] = []
    until = time.monotonic() + IN_TURN_SECONDS
    for delivery in share:
        if any(not one.arrived for one in outcomes) or time.monotonic() > until:
            outcomes.append(Outcome(delivery, is_untried=True))
        else:
            outcomes.append(await _send(transport, delivery))
    return outcomes


async def _send(transport: Transport, delivery: WebhookDelivery) -> Outcome:
    headers = signed(bytes(delivery.webhook.secret), delivery.public_id, delivery.body)
    pause_s = _pause_after(delivery.attempts)
    try:
        reply = await transport.post(delivery.webhook.url, delivery.body.encode(), headers, DEADLINE_MS)
    except CallFailed as failure:
        shown = wire.excerpt(failure.received, wire.NOTED_LIMIT)
        return Outcome(delivery, detail=f"{failure.code}: {failure.detail}"[:300], reply=shown, pause_s=pause_s)
    detail = "" if reply.status // 100 == 2 else f"answered {reply.status}; expected 2xx"
    shown = wire.excerpt(reply.body, wire.NOTED_LIMIT)
    return Outcome(delivery, reply.status, detail, shown, pause_s, _asked_for(reply))


def signed(secret: bytes, message_id: str, body: str) -> dict[str, str]:
    """The headers of Standard Webhooks; the timestamp is that of this try."""
    now = datetime.now(UTC)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Signer(secret).sign(message_id, now, body),
    }


def _pause_after(attempts: int) -> int | None:
    """None: it was tried often enough."""
    return PAUSES_S[attempts - 1] if attempts <= len(PAUSES_S) else None


def _asked_for(reply: HttpReply) -> int:
    """Seconds of Retry-After, as far as they are honoured."""
    return min(int(reply.retry_after), LONGEST_RETRY_AFTER_S) if wire.is_number(reply.retry_after) else 0
