"""What a measurement stands on: servers of its own in a temporary folder, programs in processes, versions and matches.

The process that measures is pinned to the first core that it may use; the servers and programs share the others.
"""

from __future__ import annotations

import itertools
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any

from deploy.embedded.paths import PROJECT
from deploy.embedded.services import services

LONGEST_START_S = 30


@contextmanager
def stage() -> Iterator[dict[str, str]]:
    """PostgreSQL that commits to the disk, Valkey, a migrated database: the environment that names them."""
    for name in ("DATABASE_URL", "BROKER_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    pin_bystanders()
    with tempfile.TemporaryDirectory(prefix="manela-bench-") as folder, services(Path(folder)) as found:
        os.environ.update(found, MANELA_VAR=folder, LOG_LEVEL="ERROR", DJANGO_SETTINGS_MODULE="deploy.settings")
        import django
        from django.core.management import call_command
        from django.db import connections

        django.setup()
        call_command("migrate", verbosity=0)
        yield dict(os.environ)
        connections.close_all()


def cores() -> list[int]:
    return sorted(_allowed)


_allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else {0}


def pin_bystanders() -> None:
    """Leaves the first core to whoever measures; children inherit it."""
    if len(_allowed) > 1:
        os.sched_setaffinity(0, set(cores()[1:]))


def pin_measured() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {cores()[0]})


@contextmanager
def program(*argv: str, port: int, env: dict[str, str] | None = None) -> Iterator[None]:
    """A program beside the measurement; it is entered once something listens at its port."""
    with subprocess.Popen(
        [sys.executable, *argv, str(port)], cwd=PROJECT, env=env, stdout=subprocess.DEVNULL
    ) as process:
        try:
            wait_for(port, process)
            yield
        finally:
            process.kill()


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    give_up_at = time.monotonic() + LONGEST_START_S
    while time.monotonic() < give_up_at and process.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise RuntimeError(f"Nothing listens at port {port}.")


def measured(*argv: str, env: dict[str, str]) -> dict[str, Any]:
    """Runs a module of ours as one process and returns what its last line says."""
    allowed = ",".join(map(str, cores()))
    done = subprocess.run(
        [sys.executable, "-m", *argv],
        cwd=PROJECT,
        env=env | {"BENCH_CORES": allowed},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        preexec_fn=pin_measured,
    )
    return json.loads(done.stdout.strip().splitlines()[-1])


def versions(urls: Sequence[str]) -> list[Any]:
    """A program, of an owner of its own, with a version at each of these addresses, admitted without a ping."""
    from bots_api.services import add_version, register_bot
    from matches.models import AgentStatus, User
    from matches.services.versions import set_status

    names = [f"bench {next(_number)}" for _ in urls]
    owners = [User.objects.get_or_create(username=name)[0] for name in names]
    bots = [register_bot(name, owner) for name, owner in zip(names, owners, strict=True)]
    made = [add_version(bot, "v1", url) for bot, url in zip(bots, urls, strict=True)]
    for version in made:
        set_status(version.agent_id, AgentStatus.ACTIVE)
    return made


_number = itertools.count(1)


def draw_matches(pairs: Sequence[tuple[int, int]], **plan: Any) -> list[Any]:
    """One match for each pair of versions, due now."""
    from matches.core.plan import MatchPlan
    from matches.services.create import create_match

    return [create_match(MatchPlan(agents=pair, **plan), held=False) for pair in pairs]


def middle(values: Sequence[float]) -> float:
    return round(median(values), 3)


def machine() -> dict[str, Any]:
    return {"cores": len(_allowed), "python": ".".join(map(str, sys.version_info[:3]))}
