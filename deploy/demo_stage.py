"""What `deploy.demo` puts on: the processes, the cast, the competition, and what the terminal shows of it."""

from __future__ import annotations

import os
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy.embedded import Program, Supervisor, var_dir

EXAMPLES = Path(__file__).resolve().parent.parent / "docs" / "examples"
FIRST_BOT_PORT = 9001
LONGEST_START_S = 60

HOUSE = (
    ("Greedy Anna", "greedy@1"),
    ("Random Olha", "random@1"),
    ("Greedy Bohdan", "greedy@1"),
    ("Random Petro", "random@1"),
    ("Greedy Chrystyna", "greedy@1"),
    ("Random Roman", "random@1"),
    ("Greedy Danylo", "greedy@1"),
)
PROGRAMS = (
    ("Careful", "careful.py"),
    ("Strongest", "strongest.py"),
    ("Careful Twin", "careful.py"),
    ("Strongest Twin", "strongest.py"),
    ("Cheapest", "cheapest.py"),
)


OVER = frozenset({"published", "cancelled"})
"""States of a tournament in which there is nothing left to wait for."""


class DemoFailed(Exception):
    """The competition cannot go on; the text says what to look at."""


@dataclass(frozen=True, slots=True)
class Progress:
    done: int
    total: int
    games: int
    is_over: bool


def free_port(first: int) -> int:
    """The first port from `first` on that nobody listens at."""
    for port in range(first, min(first + 1_000, 65_536)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise DemoFailed(f"No free port from {first} on.")


class Stage:
    """One evening's competitions."""

    def __init__(self, supervisor: Supervisor, port: int, entrants: int) -> None:
        self.supervisor = supervisor
        self.programs = PROGRAMS[: max(2, entrants - len(HOUSE))]
        self.house = HOUSE[: entrants - len(self.programs)]
        self.port = free_port(port)
        self.url = f"http://localhost:{self.port}"
        os.environ.update(PUBLIC_URL=self.url, DJANGO_SETTINGS_MODULE="deploy.settings")

    def prepare(self) -> None:
        """Migrates, makes the demo's account, starts web, workers and beat; raises DemoFailed."""
        import django

        django.setup()
        from deploy.demo_desk import desk_account, migrate, reach_broker

        reach_broker()
        migrate()
        self.desk = desk_account(var_dir())
        for program in self._service_programs():
            self.supervisor.start(program)

    def _service_programs(self) -> tuple[Program, ...]:
        from django.conf import settings

        python = (sys.executable, "-m")
        celery = (*python, "celery", "-A", "deploy")
        worker = (*celery, "worker", "--loglevel", "WARNING", "--without-gossip", "--without-mingle")
        granian = ("granian", "--interface", "asgi", "--host", "127.0.0.1", "--port", str(self.port))
        room = ("--backlog", "4096", "--backpressure", "4096")
        lanes = ("-Q", "lanes", "-c", str(settings.MATCH_LANES), "-n", "lanes@%h")
        return (
            Program("web", (*python, *granian, *room, "--no-ws", "deploy.asgi:application")),
            Program("worker", (*worker, "-Q", "default", "-c", "1", "-n", "default@%h")),
            Program("calls", (*worker, "-Q", "calls", "-c", "2", "-n", "calls@%h")),
            Program("lanes", (*worker, *lanes)),
            Program("beat", (*celery, "beat", "--loglevel", "WARNING", "--pidfile", "")),
        )

    def open(self) -> None:
        """Brings the cast in and starts the tournaments."""
        from deploy.demo_desk import next_evening
        from deploy.demo_events import EVENTS, Cast, put_on

        number = next_evening(event.slug for event in EVENTS)
        cast = Cast(self._house(), self._programs())
        self.tournaments = [put_on(event, number, cast, self.desk.user) for event in EVENTS]
        print()
        for one in self.tournaments:
            print(f"  “{one.name}” is being played: {self.url}{one.get_absolute_url()}")
        print(flush=True)

    def _house(self) -> list[Any]:
        from deploy.demo_desk import own_name
        from matches.models import PlayerKind
        from matches.services.versions import house_agent

        return [house_agent(label, own_name(name, kind=PlayerKind.HOUSE)) for name, label in self.house]

    def _programs(self) -> list[Any]:
        versions, port = [], FIRST_BOT_PORT
        for name, script in self.programs:
            port = free_port(port)
            versions.append(self._start_program(name, script, port))
            port += 1
        return [self._admitted(version) for version in versions]

    def _start_program(self, name: str, script: str, port: int) -> Any:
        from bots_api.services import shown_secret
        from deploy.demo_desk import version_at

        version = version_at(name, script, f"http://127.0.0.1:{port}/", self.desk.user)
        argv = (sys.executable, str(EXAMPLES / script), str(port))
        self.supervisor.start(
            Program(name.lower().replace(" ", "-"), argv, env={"SECRET": shown_secret(version)}, grace_s=0.5)
        )
        return version

    def _admitted(self, version: Any) -> Any:
        """Waits until the program answers a ping; raises DemoFailed."""
        from bots_api.services import ping
        from matches.models import AgentStatus
        from matches.services.versions import set_status

        give_up_at = time.monotonic() + LONGEST_START_S
        while time.monotonic() < give_up_at:
            self.supervisor.tick()
            delivery = ping(version)
            if delivery.outcome == "ok":
                set_status(version.agent_id, AgentStatus.ACTIVE)
                version.agent.refresh_from_db()
                return version.agent
            time.sleep(0.2)
        raise DemoFailed(f"{version} does not answer: {delivery.detail} See {var_dir() / 'log'}.")

    def watch_to_the_end(self) -> None:
        """Shows the progress until all standings are published, then the tables and the addresses."""
        from deploy.demo_screen import show_evening, show_progress

        show_progress(self.progress, self.supervisor.tick)
        show_evening(self.tournaments, self.url, self.desk)

    def progress(self) -> Progress:
        from matches.models import Match, Party

        for one in self.tournaments:
            one.refresh_from_db()
        matches = Match.objects.filter(pairing__round__stage__tournament__in=self.tournaments)
        return Progress(
            done=matches.filter(status__in=["finished", "void"]).count(),
            total=matches.count(),
            games=Party.objects.filter(match__in=matches, status="finished").count(),
            is_over=all(one.status in OVER for one in self.tournaments),
        )
