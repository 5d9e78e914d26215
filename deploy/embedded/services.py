"""Both servers at once, for whoever needs an environment to run programs in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from deploy.embedded.postgres import EmbeddedPostgres
from deploy.embedded.server import EmbeddedServer
from deploy.embedded.valkey import EmbeddedValkey


class Found(dict[str, str]):
    """Environment variables that name the servers started here, and those servers for `Supervisor.watch`."""

    servers: tuple[EmbeddedServer, ...] = ()


@contextmanager
def services(var_dir: Path, fast: bool = False) -> Iterator[Found]:
    """Start what the environment does not name, and give the variables that name it.

    DATABASE_URL, and BROKER_URL with REDIS_URL: only those that were not set.
    """
    found = Found()
    with ExitStack() as running:
        if not os.environ.get("DATABASE_URL"):
            postgres = running.enter_context(EmbeddedPostgres(var_dir / "postgres", fast))
            found["DATABASE_URL"] = postgres.url
            found.servers += (postgres,)
        if not os.environ.get("BROKER_URL"):
            valkey = running.enter_context(EmbeddedValkey(var_dir / "valkey", fast))
            found["BROKER_URL"] = valkey.broker_url
            if not os.environ.get("REDIS_URL"):
                found["REDIS_URL"] = valkey.redis_url
            found.servers += (valkey,)
        yield found
