"""Matches drawn for a test, and several connections at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, TypeVar

import psycopg
from django.db import connection
from django.utils import timezone

from deploy.celery import app as celery_app
from matches.core.plan import MatchPlan
from matches.models import Agent, AgentStatus, Match, Party, PartyEvent, Player
from matches.party_play import Entry
from matches.services.claim import Lease, claim_due
from matches.services.create import create_match
from matches.services.journal import NewEvent
from matches.services.versions import house_agent
from tests.cast import SEED
from tests.quicker import empty_tables

T = TypeVar("T")
SOON_OVER = 1
"""Deals of a party that is soon over."""


def drawn(*labels: str, held: bool = False, **plan: Any) -> Match:
    """A match of house programs, one board of one deal if nothing else is asked for."""
    agents = tuple(house_agent(label, f"{label} {seat}").pk for seat, label in enumerate(labels or ("greedy@1",) * 2))
    return create_match(MatchPlan(**{"agents": agents, "boards": 1, "deals": SOON_OVER, **plan}), held=held)


def agent_of_kind(kind: str, name: str = "") -> Agent:
    """A version that is reached by another class of SEAT_AGENTS; it plays as the greedy house program would."""
    player = Player.objects.create(name=name or kind, kind="house")
    return Agent.objects.create(player=player, kind=kind, label="greedy@1", status=AgentStatus.ACTIVE)


def against(agent: Agent, **plan: Any) -> Match:
    """A match of that version, at seat 0, against a greedy house program."""
    return drawn(agents=(agent.pk, house_agent("greedy@1", "Sparring partner").pk), **plan)


def claimed(owner: str = "lane") -> Lease:
    """The lease of the only match that is due."""
    (lease,) = claim_due(owner, 10)
    return lease


def expire(match: Match) -> None:
    """Lets the lease of a match that is being played run out."""
    Match.objects.filter(pk=match.pk, status="running").update(lease_until=timezone.now() - timedelta(seconds=1))


def event(lease: Lease, seq: int = 0, **columns: Any) -> NewEvent:
    """The next line of the log of a match's first party."""
    party = Party.objects.filter(match=lease.match_id).order_by("number").first()
    assert party is not None
    return NewEvent(lease, party.pk, Entry(seq, **{"kind": "action", "seat": 0, "action": "pass", **columns}))


def log_of(match: Match) -> list[tuple[Any, ...]]:
    """What was played, party by party, in order; void attempts apart."""
    rows = PartyEvent.objects.filter(party__match=match).exclude(party__status="void")
    return list(
        rows.order_by("party__number", "seq").values_list("party__number", "seq", "kind", "seat", "action", "cause")
    )


def forget_everything() -> None:
    """Empties the database, so that the same seed can be drawn again."""
    empty_tables()


def same_seed(**plan: Any) -> dict[str, Any]:
    return {"seed": SEED, **plan}


def own_connection(work: Callable[..., T], *arguments: Any) -> T:
    """Runs work in this thread and leaves no connection behind."""
    try:
        return work(*arguments)
    finally:
        connection.close()


def at_once(*works: Callable[[], T]) -> list[T]:
    """Runs each in a thread with a connection of its own, all let go at the same moment."""
    gate = threading.Barrier(len(works))

    def run(work: Callable[[], T]) -> T:
        connection.ensure_connection()
        gate.wait()
        return own_connection(work)

    with ThreadPoolExecutor(len(works)) as pool:
        return [future.result() for future in [pool.submit(run, work) for work in works]]


def wait_until_somebody_waits_for_a_lock(seconds: float = 5) -> None:
    """Returns once a session of this database waits for another one's lock."""
    asked = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with psycopg.connect(conninfo(), autocommit=True) as session:
        until = time.monotonic() + seconds
        while session.execute(asked).fetchone() == (0,):
            assert time.monotonic() < until, "nobody waits for a lock"
            time.sleep(0.01)


def conninfo() -> str:
    """Where the tests' database is, for a session of one's own."""
    wanted = connection.get_connection_params()
    return psycopg.conninfo.make_conninfo(
        **{key: wanted[key] for key in ("dbname", "user", "host", "port") if wanted.get(key)}
    )


@contextmanager
def no_broker() -> Iterator[None]:
    """Lets this process's Celery publish to a socket that nobody listens at."""
    before = celery_app.conf.broker_url
    _publish_to("redis+socket:///nonexistent")
    try:
        yield
    finally:
        _publish_to(before)


def _publish_to(url: str) -> None:
    celery_app.conf.broker_url = url
    celery_app._after_fork()
