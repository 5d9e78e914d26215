"""A program that is never the bottleneck: it looks for the answer in the bytes and checks no signature.

`python -m tests.bench.bot_server PORT`; prints `ready` when it listens.
"""

from __future__ import annotations

import asyncio
import sys

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
TAKE, DEFAULT = b'"legal":["take"', b'"default":"'


def reply_to(body: bytes) -> bytes:
    """Takes the trumps it is offered, else plays the default; a notice has none and gets an empty object."""
    at = body.find(DEFAULT)
    if TAKE in body:
        answer = b'{"action":"take"}'
    elif at < 0:
        answer = b"{}"
    else:
        begin = at + len(DEFAULT)
        answer = b'{"action":"%b"}' % body[begin : body.index(b'"', begin)]
    return HEAD % (len(answer), answer)


class Bot(asyncio.Protocol):
    """One kept-alive connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport, self.buffer = transport, b""

    def data_received(self, received: bytes) -> None:
        self.buffer += received
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end].lower()
            at = head.index(b"content-length:") + 15
            whole = end + 4 + int(head[at:].split(b"\r\n", 1)[0])
            if len(self.buffer) < whole:
                return
            body, self.buffer = self.buffer[end + 4 : whole], self.buffer[whole:]
            self.transport.write(reply_to(body))


async def serve(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Bot, "127.0.0.1", port, backlog=1_024)
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
