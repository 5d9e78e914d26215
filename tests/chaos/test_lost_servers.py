"""Valkey emptied and killed, PostgreSQL shut down, all in the middle of play: everything ends, nothing is lost."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable

import pytest
from django.db import connection
from django.utils import timezone

from matches.models import Match
from tests.cast import SEED
from tests.chaos.conftest import WHOLE_SIZE, Install
from tests.chaos.installation import QUICK, SMALL, WHOLE, Installation, Servers
from tests.chaos.reading import (
    cards_played,
    events,
    faults,
    gone_on,
    is_published,
    seconds_without_a_card,
    why_not_a_continuation,
    why_not_sound,
)

DOWN_S = 2.0
GOES_ON_WITHIN_S = 60


def empty_valkey(servers: Servers) -> None:
    """Queues, messages on their way, everything that the broker knows."""
    servers.flush()


def kill_valkey(servers: Servers) -> None:
    servers.valkey.kill()
    time.sleep(DOWN_S)
    servers.valkey.restart()


def shut_postgres_down(servers: Servers) -> None:
    """An immediate shutdown: every connection is cut, the log is replayed at the start."""
    servers.postgres.kill(signal.SIGQUIT)
    time.sleep(DOWN_S)
    servers.postgres.restart()
    connection.close()


STRIKES = (shut_postgres_down, empty_valkey, kill_valkey)
"""In this order: without a database nothing is played meanwhile, without a broker much is."""
ENTRANTS = WHOLE if WHOLE_SIZE else SMALL
FIRST_AFTER, THEN_AFTER = (3_000, 5_000) if WHOLE_SIZE else (300, 400)


@pytest.mark.chaos
@pytest.mark.timeout(1_200)
def test_a_competition_outlives_its_servers(install: Install, say: Callable[[str], None]) -> None:
    with install("servers", {} if WHOLE_SIZE else QUICK) as hall:
        hall.supervised = True
        competition = hall.competition(ENTRANTS, SEED)
        for number, strike in enumerate(STRIKES):
            lost_s = _struck(hall, strike, FIRST_AFTER + THEN_AFTER * number)
            settings = "default settings" if WHOLE_SIZE else "lease 3 s"
            say(f"{strike.__name__.replace('_', ' ')}, {settings}: the next card after at most {lost_s:.1f} s")
        hall.wait(lambda: is_published(competition), 600, "the standings are published")
        assert why_not_sound(competition) is None
        assert faults(events()) == []
        say(f"fallen by themselves meanwhile and started again: {', '.join(hall.fell) or 'none'}")


def _struck(hall: Installation, strike: Callable[[Servers], None], after_cards: int) -> float:
    """Strikes once so many cards are played; returns the longest time that a match then waited for its next one."""
    hall.wait(lambda: cards_played() >= after_cards, 300, f"{after_cards} cards are played", pause_s=0.01)
    playing = list(Match.objects.filter(status="running").values_list("pk", flat=True))
    assert playing, f"{strike.__name__} came too late"
    before, struck_at = events(), timezone.now()
    strike(hall.servers)
    hall.wait(lambda: gone_on(playing, struck_at), GOES_ON_WITHIN_S, f"every match goes on after {strike.__name__}")
    assert why_not_a_continuation(before, events()) is None
    return seconds_without_a_card(playing, struck_at)
