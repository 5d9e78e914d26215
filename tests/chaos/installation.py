"""A whole installation for a test to kill parts of: its own servers, workers, beat, and programs called over HTTP."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import redis
from django.conf import settings
from django.core.management import call_command
from django.db import InterfaceError, OperationalError, connection

from bots_api.services import add_version, ping, register_bot, shown_secret
from deploy import environment
from deploy.celery import app as celery_app
from deploy.demo_stage import EXAMPLES, free_port
from deploy.embedded import EmbeddedPostgres, EmbeddedValkey
from matches.models import Agent, AgentStatus, User
from matches.services.versions import house_agent, set_status
from tests.chaos.crew import CELERY, WORKER, Crew
from tournaments.models import Tournament
from tournaments.services import entries, running

QUICK = {"MATCH_LEASE_SECONDS": "3", "MATCH_LANE_SECONDS": "5", "MATCH_SLOTS": "4"}
"""Settings that make a test short. Without them: 15, 20 and 32."""
TEMPLATE = "prepared"
FIRST_PORT = 9_500


@dataclass(frozen=True, slots=True)
class Entrant:
    """A name and what plays under it: a house program's label, or a file of docs/examples."""

    name: str
    plays: str


SMALL = (
    Entrant("Greedy Anna", "greedy@1"),
    Entrant("Random Olha", "random@1"),
    Entrant("Careful", "careful.py"),
    Entrant("Strongest", "strongest.py"),
)
WHOLE = (
    *SMALL,
    Entrant("Greedy Bohdan", "greedy@1"),
    Entrant("Greedy Danylo", "greedy@1"),
    Entrant("Greedy Emil", "greedy@1"),
    Entrant("Random Petro", "random@1"),
    Entrant("Random Roman", "random@1"),
    Entrant("Careful Twin", "careful.py"),
    Entrant("Strongest Twin", "strongest.py"),
    Entrant("Cheapest", "cheapest.py"),
)


@dataclass(frozen=True, slots=True)
class Servers:
    """PostgreSQL and Valkey as an installation has them, durable: they are killed and started again here."""

    postgres: EmbeddedPostgres
    valkey: EmbeddedValkey

    def env(self, database: str) -> dict[str, str]:
        return {
            "DATABASE_URL": self.postgres.url_of(database),
            "BROKER_URL": self.valkey.broker_url,
            "REDIS_URL": self.valkey.redis_url,
        }

    def flush(self) -> None:
        """Empties Valkey: queues, messages not yet acknowledged, everything."""
        with redis.Redis.from_url(self.valkey.redis_url) as client:
            client.flushall()


def prepare_template(servers: Servers) -> None:
    """Migrates one database, of which every installation gets a copy."""
    _make_database(servers, TEMPLATE, "template0")
    with _pointed_at(servers, TEMPLATE):
        call_command("migrate", verbosity=0)


def _make_database(servers: Servers, name: str, template: str) -> None:
    with psycopg.connect(servers.postgres.url_of("postgres"), autocommit=True) as session:
        session.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')


@contextmanager
def _pointed_at(servers: Servers, database: str) -> Iterator[None]:
    """Lets this process's Django and Celery speak to an installation's servers, and gives them back."""
    before, broker = dict(connection.settings_dict), celery_app.conf.broker_url
    env = servers.env(database)
    connection.close()
    with _environment(env):
        chosen = environment.database()
    connection.settings_dict.update({key: value for key, value in chosen.items() if key != "ENGINE"})
    _publish_to(env["BROKER_URL"])
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(before)
        _publish_to(broker)


@contextmanager
def _environment(env: Mapping[str, str]) -> Iterator[None]:
    before = {key: os.environ.get(key) for key in env}
    os.environ.update(env)
    try:
        yield
    finally:
        for key, value in before.items():
            if value is None:
                del os.environ[key]
            else:
                os.environ[key] = value


def _publish_to(url: str) -> None:
    celery_app.conf.broker_url = url
    celery_app._after_fork()


class Installation:
    """Workers, beat and programs around one database.

    A program that falls by itself fails the test, unless the installation is `supervised`: then it is started again,
    as systemd, a container's restart policy or our own supervisor would do, and `fell` names it.
    """

    supervised = False

    def __init__(self, servers: Servers, folder: Path, database: str, quick: Mapping[str, str]) -> None:
        self.servers = servers
        self.crew = Crew(folder, servers.env(database) | quick)
        self.fell: list[str] = []
        self._next_port = FIRST_PORT + os.getpid() % 200 * 20

    def start_workers(self) -> None:
        lanes = str(settings.MATCH_LANES)
        self.crew.start("default", *WORKER, "-Q", "default", "-c", "1", "-n", "default@%h")
        self.crew.start("lanes", *WORKER, "-Q", "lanes", "-c", lanes, "-n", "lanes@%h")
        schedule = str(self.crew.folder / "schedule")
        self.crew.start("beat", *CELERY, "beat", "--loglevel", "WARNING", "-s", schedule, "--pidfile", "")

    def competition(self, entrants: tuple[Entrant, ...], seed: bytes, **options: object) -> Tournament:
        """Brings the entrants in and starts a tournament from a given seed, so that it can be played again.

        The time control is the slowest: a program that the machine keeps waiting is not to time out.
        """
        organiser = User.objects.create_superuser("anna")
        drawn_up = Tournament.objects.create(
            slug="cup", name="Cup", organiser=organiser, **{"control": "classic", **options}
        )
        entries.open_registration(drawn_up.pk)
        for entrant in entrants:
            entries.enter(drawn_up.pk, self._agent(entrant, organiser))
        return running.start(drawn_up.pk, seed)

    def _agent(self, entrant: Entrant, owner: User) -> Agent:
        if not entrant.plays.endswith(".py"):
            return house_agent(entrant.plays, entrant.name)
        port = free_port(self._next_port)
        self._next_port = port + 1
        version = add_version(register_bot(entrant.name, owner), "v1", f"http://127.0.0.1:{port}/")
        program = entrant.name.lower().replace(" ", "-")
        argv = (sys.executable, str(EXAMPLES / entrant.plays), str(port))
        self.crew.start(program, *argv, SECRET=shown_secret(version))
        self.wait(lambda: ping(version).outcome == "ok", 30, f"{program} answers")
        set_status(version.agent_id, AgentStatus.ACTIVE)
        version.agent.refresh_from_db()
        return version.agent

    def wait(self, condition: Callable[[], bool], seconds: float, what: str, pause_s: float = 0.05) -> None:
        """Waits until that is so; fails with the workers' last words if it does not come or a program falls.

        A database that is away just now is waited for.
        """
        until = time.monotonic() + seconds
        while not _asked(condition):
            self._look_after_the_fallen()
            assert time.monotonic() < until, f"not within {seconds} s: {what}\n{self.crew.last_words('lanes')}"
            time.sleep(pause_s)

    def _look_after_the_fallen(self) -> None:
        for name in self.crew.fallen():
            assert self.supervised, f"{name} fell by itself:\n{self.crew.last_words(name)}"
            self.fell.append(name)
            self.crew.start_again(name)


def _asked(condition: Callable[[], bool]) -> bool:
    try:
        return condition()
    except (OperationalError, InterfaceError):
        connection.close()
        return False


@contextmanager
def installed(
    servers: Servers, folder: Path, database: str, quick: Mapping[str, str] = QUICK
) -> Iterator[Installation]:
    """An installation with a fresh database and its workers running; everything is killed at the end."""
    servers.flush()
    _make_database(servers, database, TEMPLATE)
    home = folder / database
    home.mkdir()
    with _pointed_at(servers, database):
        installation = Installation(servers, home, database, quick)
        try:
            installation.start_workers()
            yield installation
        finally:
            installation.crew.stop()
