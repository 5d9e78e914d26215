"""What nobody is to reach: a listener at one port of every address of this machine, which counts who comes."""

from __future__ import annotations

import select
import socket
import threading
from contextlib import suppress
from typing import Self


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
