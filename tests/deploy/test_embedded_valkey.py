"""The embedded Valkey: both clients reach it, it forgets nothing, and it never outlives its owner."""

from __future__ import annotations

from pathlib import Path

import pytest
import redis
from kombu import Connection

from deploy.embedded import EmbeddedValkey
from deploy.embedded.errors import AlreadyOwned
from tests.deploy.processes import GONE_WITHIN_S, bystander, lives, running_script, servers_pid, within

OWNER = """
    import sys, time
    from pathlib import Path
    from deploy.embedded import EmbeddedValkey
    with EmbeddedValkey(Path(sys.argv[1])):
        print("ready", flush=True)
        time.sleep(60)
"""


def test_keeps_what_it_was_given_over_a_kill(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path / "vk") as valkey, redis.Redis.from_url(valkey.redis_url) as client:
        client.set("trump", "hearts")
        valkey.kill()
        valkey.restart()
        assert client.get("trump") == b"hearts"
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_carries_messages_between_connections_in_a_folder_with_spaces(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path / "with spaces" / "vk", fast=True) as valkey:
        for _ in range(2):  # one puts and takes, the next one finds an empty queue of its own connection
            with Connection(valkey.broker_url) as connection, connection.SimpleQueue("hints") as queue:
                queue.put({"match": 1})
                message = queue.get(timeout=5)
                message.ack()
                assert message.payload == {"match": 1}


def test_the_second_owner_is_refused(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path / "vk", fast=True), pytest.raises(AlreadyOwned, match="BROKER_URL"):
        EmbeddedValkey(tmp_path / "vk", fast=True).__enter__()


def test_a_killed_owner_leaves_nothing_and_the_next_start_works(tmp_path: Path) -> None:
    with running_script(OWNER, tmp_path / "vk") as owner:
        left = servers_pid(tmp_path / "vk" / "valkey.pid")
        owner.kill()
        owner.wait()
        assert within(GONE_WITHIN_S, lambda: not lives(left))
    with EmbeddedValkey(tmp_path / "vk") as valkey, redis.Redis.from_url(valkey.redis_url) as client:
        assert client.ping()


def test_a_server_without_an_owner_is_ended_by_the_next_owner(servers_dir: Path) -> None:
    """Two servers would write to one append-only file."""
    valkey = EmbeddedValkey(servers_dir / "orphan")
    with valkey:
        argv = valkey._argv()
    with bystander(*argv) as orphan:
        assert within(5, lambda: (servers_dir / "orphan" / "valkey.pid").exists())
        with EmbeddedValkey(servers_dir / "orphan"):
            assert orphan.wait(timeout=1) == 0
