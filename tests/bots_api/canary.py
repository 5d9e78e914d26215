"""What nobody is to reach: a listener at one port of every address of this machine, which counts who comes.

And the calls that would lead there: the corpus, and names that are resolved as it says.
"""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Self

from bots_api import transport
from bots_api.addresses import check_url
from bots_api.resolving import LookUp
from bots_api.transport import CallFailed, HttpReply, Transport
from matches.lag import LagMeter
from tests.bots_api.address_corpus import LEADING_INSIDE, LOOKED_UP, PORT

BODY = b'{"type":"decision","legal":["take"],"default":"take"}'


class Canary:
    """A context. `port` is where it listens, `connections` how many came."""

    def __enter__(self) -> Self:
        self.connections = 0
        first = socket.create_server(("0.0.0.0", 0))
        self.port: int = first.getsockname()[1]
        self._sockets = [first]
        with suppress(OSError):  # without IPv6 there is nobody to come that way
            self._sockets.append(socket.create_server(("::", self.port), family=socket.AF_INET6))
        self._wake, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._count, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._wake.close()
        self._thread.join(5)
        for one in (*self._sockets, self._woken):
            one.close()

    def _count(self) -> None:
        while True:
            ready, _, _ = select.select([*self._sockets, self._woken], [], [])
            if self._woken in ready:
                return
            for one in ready:
                came, _ = one.accept()
                self.connections += 1
                came.close()


Came = HttpReply | CallFailed


def looked_up(host: str, *_: Any, **__: Any) -> list[Any]:
    return [_answer(one) for one in LOOKED_UP.get(host.lower().rstrip("."), ("127.0.0.1",))]


async def called(
    urls: Iterable[str], look_up: LookUp = looked_up, *, loopback: bool = False, deadline_ms: int = 2_000
) -> list[Came]:
    """What came of each, one after the other."""
    came: list[Came] = []
    async with Transport(LagMeter(), allow_loopback=loopback, allow_http=True, look_up=look_up) as calling:
        for url in urls:
            try:
                came.append(await calling.post(url, BODY, {}, deadline_ms))
            except CallFailed as failure:
                came.append(failure)
            except ValueError:  # without the rule: what the library itself cannot read
                assert transport.check_url is not check_url
    return came


def at(port: int, urls: Iterable[str] = LEADING_INSIDE) -> list[str]:
    return [url.replace(PORT, str(port)) for url in urls]


def _answer(address: str) -> Any:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return family, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, 0)
