"""The ASGI application that programs call: four routes, and nothing of a framework between them and the loop."""

from __future__ import annotations

import asyncio
import logging
import re
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType

from bots_api.pull.server.answers import answer, presence
from bots_api.pull.server.desk import Desk
from bots_api.pull.server.exchange import Exchange, Receive, Scope, Send
from bots_api.pull.server.gathering import AWAY
from bots_api.pull.server.polls import poll
from bots_api.pull.server.problems import Refused, not_found, unavailable, wrong_method
from bots_api.pull.server.streams import stream

logger = logging.getLogger(__name__)

PREFIX = "/api/v1"
PATHS = (f"{PREFIX}/bot/", f"{PREFIX}/decisions/")
"""What lies below these is answered here; a proxy that joins two servers sends them here."""
_DECISION = re.compile(rf"{PREFIX}/decisions/([^/]+)")

Route = Callable[[Desk, Exchange], Awaitable[None]]


class PullServer:
    """Opened by the server's lifespan, or by the first request where the server has none."""

    def __init__(self) -> None:
        self._opening: asyncio.Task[Desk] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._serve(Exchange(scope, receive, send))

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        desk = await self._opened()
        await send({"type": "lifespan.startup.complete"})
        with _at_signals(desk.close):
            await receive()
        await self.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def _opened(self) -> Desk:
        if self._opening is None:
            self._opening = asyncio.create_task(Desk().__aenter__())
        return await asyncio.shield(self._opening)

    async def close(self) -> None:
        """Ends all that wait here and lets go of the database."""
        if self._opening:
            desk = await self._opening
            desk.close()
            await desk.__aexit__()
        self._opening = None

    async def _serve(self, exchange: Exchange) -> None:
        """One request; whatever goes wrong is told as a problem, or ends a stream that has begun."""
        try:
            await self._answer(exchange)
        except Refused as refusal:
            await exchange.refuse(refusal)
        except ConnectionResetError:
            return
        except AWAY as error:
            logger.warning("%s %s waits for the database: %s", exchange.method, exchange.path, error)
            await exchange.refuse(unavailable())
        except Exception:  # the outermost: a mistake of ours is a program's 500, and everybody else goes on
            logger.exception("%s %s", exchange.method, exchange.path)
            await exchange.refuse(Refused(500, "error", "That is our fault, and it is in our log."))

    async def _answer(self, exchange: Exchange) -> None:
        method, route = _routed(exchange.path)
        if exchange.method == "OPTIONS":
            return await exchange.answer(b"", 204, {"allow": f"{method}, OPTIONS"})
        if exchange.method != method:
            raise wrong_method([method, "OPTIONS"])
        return await route(await self._opened(), exchange)


def _routed(path: str) -> tuple[str, Route]:
    """The method that an address takes and what it does, with a slash at its end or without; raises Refused."""
    plain = path.removesuffix("/")
    if plain in _ROUTES:
        return _ROUTES[plain]
    if found := _DECISION.fullmatch(plain):
        return "PUT", partial(answer, decision_id=found[1])
    raise not_found()


_ROUTES: dict[str, tuple[str, Route]] = {
    f"{PREFIX}/bot/decisions": ("GET", poll),
    f"{PREFIX}/bot/stream": ("GET", stream),
    f"{PREFIX}/bot/presence": ("PUT", presence),
}


@contextmanager
def _at_signals(close: Callable[[], None]) -> Iterator[None]:
    """Within it a server that is told to end has our streams ended at once.

    Servers wait for the requests that are open before they tell the lifespan of their end; a stream would be open for
    ever. Whoever was to hear of the signal hears of it as before.
    """
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def heard(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(close)
        if callable(earlier := before[signal.Signals(number)]):
            earlier(number, frame)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    for number in before:
        signal.signal(number, heard)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


app = PullServer()
