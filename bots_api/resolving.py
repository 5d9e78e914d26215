"""Names of strangers: resolved, each answer checked, and in turn, so that nobody's name servers keep others waiting."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from ipaddress import ip_address
from typing import Any
from weakref import WeakValueDictionary

from aiohttp.abc import AbstractResolver, ResolveResult

from bots_api.addresses import AddressRefused, may_call

LookUp = Callable[..., list[Any]]
LOOK_UPS_AT_ONCE = 64
LOOK_UPS_OF_ONE = 4
"""Of the names under one domain that somebody registered; the rest of them wait for these."""
_SHORT_LABEL = 3
_NUMERIC = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV


def registered_domain(host: str) -> str:
    """The part of a name that one owner registered, roughly: two labels, three below the likes of `co.uk`.

    Where strangers have names below one domain all the same they share its turns, and wait; nobody is charged for it.
    """
    labels = host.rstrip(".").lower().split(".")
    is_below_a_country = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= _SHORT_LABEL
    return ".".join(labels[-3 if is_below_a_country else -2 :])


class CheckedResolver(AbstractResolver):
    """Resolves a name and refuses it unless each of its addresses may be called.

    Threads of its own, one at most for a name and a few for a domain: a system's look-up cannot be called off, and name
    servers that never answer hold their own threads alone. `waiting` is entered for as long as a name waits for its
    turn, which is nobody's time but ours.
    """

    def __init__(
        self,
        allow_loopback: bool,
        look_up: LookUp = socket.getaddrinfo,
        waiting: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self._allow_loopback, self._look_up, self._waiting = allow_loopback, look_up, waiting
        self._threads = ThreadPoolExecutor(max_workers=LOOK_UPS_AT_ONCE, thread_name_prefix="resolver")
        self._turns = asyncio.Semaphore(LOOK_UPS_AT_ONCE)
        self._shares: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._asked: dict[str, _Asked] = {}

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        asked = self._asked.get(host) or self._ask(host)
        if not asked.begun.is_set():
            with self._waiting():
                await asked.begun.wait()
        found = await asyncio.shield(asked.found)
        return [self._checked(host, port, answer) for answer in found]

    def _ask(self, host: str) -> _Asked:
        begun = asyncio.Event()
        asked = self._asked[host] = _Asked(begun, asyncio.create_task(self._in_turn(host, begun)))
        asked.found.add_done_callback(partial(self._forget, host))
        return asked

    async def _in_turn(self, host: str, begun: asyncio.Event) -> list[Any]:
        """Its domain's turn first: no domain stands in the queue of all with more than its share."""
        domain = registered_domain(host)
        share = self._shares.setdefault(domain, asyncio.Semaphore(LOOK_UPS_OF_ONE))
        async with share, self._turns:
            begun.set()
            look_up = partial(self._look_up, host, None, type=socket.SOCK_STREAM)
            return await asyncio.get_running_loop().run_in_executor(self._threads, look_up)

    def _forget(self, host: str, found: asyncio.Task[list[Any]]) -> None:
        self._asked.pop(host).begun.set()
        if not found.cancelled():
            found.exception()  # whoever asked may have given up: nobody else is to be told

    def _checked(self, host: str, port: int, answer: Any) -> ResolveResult:
        family, _, proto, _, (address, *_) = answer
        if not may_call(ip_address(address.partition("%")[0]), allow_loopback=self._allow_loopback):
            raise AddressRefused(f"{host} has the address {address}, which is not on the open internet.")
        return ResolveResult(hostname=host, host=address, port=port, family=family, proto=proto, flags=_NUMERIC)

    async def close(self) -> None:
        for asked in list(self._asked.values()):
            asked.found.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)


class _Asked:
    """One name: whether its turn has come, and what was found."""

    def __init__(self, begun: asyncio.Event, found: asyncio.Task[list[Any]]) -> None:
        self.begun, self.found = begun, found
