"""The client of `docs/client` where a line breaks or leads nowhere."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from tests.api.test_client import manela


@contextmanager
def site(*streams: bytes) -> Iterator[tuple[str, list[str]]]:
    """A server whose streams say this, one after another, and are cut; its address, and what it was asked for."""
    asked: list[str] = []

    class Streams(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path.rpartition("/")[2])
            self.send_response(200)
            self.end_headers()
            self.wfile.write(streams[min(len(asked), len(streams)) - 1])

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Streams) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", asked
        finally:
            server.shutdown()
            thread.join()


def test_what_was_not_heard_yet_is_asked_for_after_another_break() -> None:
    hello, over = b'{"type":"hello","seq":%d}\n', b'{"type":"game_over","seq":%d}\n'
    with site(hello % 50 + over % 60, hello % 100, hello % 100 + over % 61) as (address, asked):
        with manela.Client("mnl_x", address) as client, closing(client.messages()) as messages:
            assert [next(messages)["seq"] for _ in range(2)] == [60, 61]
        assert asked == ["stream", "stream?after=60", "stream?after=60"]


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "https://127.0.0.1:1", "http://name.invalid"])
def test_a_site_that_is_not_there_is_told_at_once(address: str) -> None:
    with manela.Client("mnl_x", address) as client, pytest.raises(OSError):
        next(client.decisions())
