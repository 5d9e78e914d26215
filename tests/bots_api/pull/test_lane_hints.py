"""Hints over a line on which the broker is gone without a word."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from pytest_django import Settings

from bots_api.pull import hints
from bots_api.pull.hints import ASKED, Hints


class Line:
    """Passes bytes on to the broker, until it dies: what is open by then stays open, and nothing passes any more."""

    def __init__(self, broker_url: str) -> None:
        self._broker, self._opened, self._dead = urlsplit(broker_url), 0, 0

    async def _far(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._broker.scheme == "unix":
            return await asyncio.open_unix_connection(self._broker.path)
        return await asyncio.open_connection(self._broker.hostname, self._broker.port)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._opened += 1
        far_reader, far_writer = await self._far()
        await asyncio.gather(self._pass(reader, far_writer), self._pass(far_reader, writer))

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        number = self._opened
        while passed := await source.read(4_096):
            if number > self._dead:
                sink.write(passed)
        sink.close()

    def die(self) -> None:
        self._dead = self._opened


@pytest.mark.usefixtures("broker")
def test_a_listener_notices_that_its_broker_has_vanished_and_hears_again(
    broker: dict[str, str], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "QUIET_SECONDS", 0.2)
    assert asyncio.run(hear_again(broker["REDIS_URL"], settings))


async def hear_again(broker_url: str, settings: Settings) -> bool:
    line, heard = Line(broker_url), asyncio.Event()
    server = await asyncio.start_server(line.accept, "127.0.0.1", 0)
    settings.HINTS_URL = broker_url
    async with Hints() as speaker:
        settings.HINTS_URL = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"
        async with Hints() as listener:
            listener.listen(ASKED, lambda ids: heard.set())
            await said_until(speaker, heard)
            line.die()
            heard.clear()
            await said_until(speaker, heard)
    server.close()
    return heard.is_set()


async def said_until(speaker: Hints, heard: asyncio.Event) -> None:
    """Says it again and again until somebody hears."""
    with suppress(TimeoutError):
        async with asyncio.timeout(30):
            while not heard.is_set():
                await speaker.publish(ASKED, [1])
                await asyncio.sleep(0.05)
