"""A program that calls us, as its author would write it: over real sockets, in a thread and a loop of its own.

It does what the protocol says: reconnects where a stream or a reply is lost, sends an answer until it has a reply,
and answers a decision once however often it is given. What it heard and what it was replied stays to be looked at.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import aiohttp
import psutil

from deploy.demo_stage import free_port
from deploy.embedded.lineage import SUPERVISED, as_ourselves, before_exec
from deploy.embedded.paths import PROJECT

FIRST_PORT = 18_100
READY_SECONDS = 60
PAUSE_SECONDS = 0.05
LOST = (aiohttp.ClientError, ConnectionError, asyncio.TimeoutError)

Message = dict[str, Any]
Behaviour = Callable[[Message], str | dict[str, Any] | None]
"""A decision → an action, or the whole body of an answer; None: no answer."""


def by_default(decision: Message) -> str:
    """Plays what the platform would play for it."""
    return decision["default"]


def first_legal(decision: Message) -> str:
    return decision["legal"][0]


@dataclass(frozen=True, slots=True)
class Replied:
    """What came back for an answer. `seconds`: from sending it to the reply, all attempts together."""

    decision_id: str
    sent: Mapping[str, Any]
    status: int
    body: Mapping[str, Any]
    seconds: float


class PullProgram:
    """A context: it plays from its beginning to its end. `mode`: `stream` or `poll`.

    `heard`: every message in order, duplicates too; `replies`: one for each decision that it answered. `heard_at` and
    `connections` are for those who measure.
    """

    def __init__(self, base_url: str, token: str, behaviour: Behaviour = by_default, mode: str = "stream") -> None:
        self.base_url, self._token, self._behaviour, self._mode = base_url, token, behaviour, mode
        self.heard: list[Message] = []
        self.heard_at: list[float] = []
        self.replies: list[Replied] = []
        self.refusals: list[int] = []
        self.connections = 0
        self._answered: set[str] = set()
        self._answering: set[asyncio.Task[None]] = set()
        self._last_seq: int | None = None

    def messages(self, kind: str = "decision") -> list[Message]:
        """What it was sent, of one type."""
        return [message for message in list(self.heard) if message["type"] == kind]

    def wait(self, condition: Callable[[PullProgram], object], seconds: float = 20.0) -> None:
        """Waits until that is true of it."""
        until = time.monotonic() + seconds
        while not condition(self):
            assert time.monotonic() < until, (
                f"heard {self.heard[-3:]}, replies {self.replies[-3:]}, {self.refusals[-3:]}"
            )
            time.sleep(0.005)

    def __enter__(self) -> Self:
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(10)

    async def _run(self) -> None:
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector) as session:
            playing = asyncio.create_task(self.play(session))
            self._ready.set()
            await self._stopped.wait()
            playing.cancel()
            await asyncio.gather(playing, *self._answering, return_exceptions=True)

    async def play(self, session: aiohttp.ClientSession) -> None:
        """Plays until it is cancelled; for those who run many programs in one loop."""
        self._session = session
        listen = self._listen if self._mode == "stream" else self._poll
        while True:
            with suppress(*LOST):
                await listen()
            await asyncio.sleep(PAUSE_SECONDS)

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._token}"}

    async def _listen(self) -> None:
        after = {} if self._last_seq is None else {"after": str(self._last_seq)}
        timeout = aiohttp.ClientTimeout(total=None, sock_read=12)
        self.connections += 1
        url = f"{self.base_url}/api/v1/bot/stream"
        async with self._session.get(url, params=after, headers=self._headers, timeout=timeout) as stream:
            if stream.status != 200:
                self.refusals.append(stream.status)
                return
            async for line in stream.content:
                self._take(json.loads(line))

    async def _poll(self) -> None:
        url = f"{self.base_url}/api/v1/bot/decisions"
        self.connections += 1
        async with self._session.get(url, params={"wait": "25", "max": "64"}, headers=self._headers) as reply:
            if reply.status != 200:
                self.refusals.append(reply.status)
                return
            decisions = (await reply.json())["decisions"]
        for decision in decisions:
            self._take(decision)
        if self._answering:  # else the same ones would be given again at once
            await asyncio.wait(set(self._answering), return_when=asyncio.FIRST_COMPLETED)

    def _take(self, message: Message) -> None:
        self.heard.append(message)
        self.heard_at.append(time.monotonic())
        if message["type"] not in ("hello", "ping", "resync"):
            self._last_seq = max(message["seq"], self._last_seq or 0)
        if message["type"] == "decision" and message["decision_id"] not in self._answered:
            self._answered.add(message["decision_id"])
            task = asyncio.create_task(self._answer(message))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

    async def _answer(self, decision: Message) -> None:
        chosen = self._behaviour(decision)
        if chosen is None:
            return
        sent = {"action": chosen} if isinstance(chosen, str) else chosen
        began = time.monotonic()
        status, body = await self._put(decision["decision_id"], sent)
        seconds = time.monotonic() - began
        self.replies.append(Replied(decision["decision_id"], sent, status, body, seconds))

    async def _put(self, decision_id: str, sent: Mapping[str, Any]) -> tuple[int, Message]:
        """Sends an answer until there is a reply to it: that is always safe."""
        url = f"{self.base_url}/api/v1/decisions/{decision_id}"
        while True:
            with suppress(*LOST):
                async with self._session.put(url, json=sent, headers=self._headers) as reply:
                    if reply.status != 503:
                        return reply.status, await reply.json(content_type=None)
            await asyncio.sleep(PAUSE_SECONDS)


@dataclass(frozen=True, slots=True)
class Served:
    """A server that runs. `process` is its main one, whose child serves: `worker`."""

    base_url: str
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def worker(self) -> int:
        (child,) = psutil.Process(self.process.pid).children()
        return child.pid

    def stop(self, seconds: float = 10.0) -> float:
        """Asks it to end; returns after how long it did."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(seconds)
        return time.monotonic() - began


@contextmanager
def serving(env: Mapping[str, str], port: int = 0, application: str = "", **more: str) -> Iterator[Served]:
    """The whole site on one real server, as the demo runs it; `env` as `child_env` gives it, `more` on top."""
    port = port or free_port(FIRST_PORT + os.getpid() % 200 * 20)
    argv = (sys.executable, "-m", *granian(port, application or APPLICATION))
    with TemporaryDirectory() as folder:
        log = Path(folder) / "web.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**env, **more, SUPERVISED: "1"},
                cwd=PROJECT,
                start_new_session=True,
                preexec_fn=before_exec(as_ourselves, signal.SIGKILL),
            )
        try:
            served = Served(f"http://127.0.0.1:{port}", process, log)
            _wait_for(served)
            yield served
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def granian(port: int, application: str) -> tuple[str, ...]:
    """The server's module and its arguments."""
    many = ("--backlog", "4096", "--backpressure", "4096")
    return ("granian", "--interface", "asgi", "--host", "127.0.0.1", "--port", str(port), "--no-ws", *many, application)


APPLICATION = "deploy.asgi:application"


def _wait_for(served: Served) -> None:
    """A server that says who it does not know knows everybody."""
    until = time.monotonic() + READY_SECONDS
    while time.monotonic() < until and served.process.poll() is None:
        with suppress(OSError):
            try:
                urllib.request.urlopen(f"{served.base_url}/api/v1/bot/decisions", timeout=2)
            except urllib.error.HTTPError as refusal:
                refusal.close()
                if refusal.code == 401:
                    return
        time.sleep(0.05)
    raise AssertionError(f"the server does not serve:\n{served.log.read_text(errors='replace')[-3_000:]}")
