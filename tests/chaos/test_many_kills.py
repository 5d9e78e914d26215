"""A whole competition through many kills, card for card the one that nobody disturbed.

Size: 4 kills among 4 entrants, 20 among 12 with MANELA_PROOF=full.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

import pytest
from django.utils import timezone

from matches.models import Match
from tests.cast import SEED
from tests.chaos.conftest import WHOLE_SIZE, Install
from tests.chaos.crew import kill_process
from tests.chaos.installation import SMALL, WHOLE, Installation
from tests.chaos.reading import (
    Place,
    Played,
    cards_played,
    digest_over_names,
    events,
    faults,
    gone_on,
    is_published,
    seconds_without_a_card,
    why_not_a_continuation,
    why_not_sound,
)

KILLS = 20 if WHOLE_SIZE else 4
ENTRANTS = WHOLE if WHOLE_SIZE else SMALL
BOARDS = 3 if WHOLE_SIZE else 2
"""Enough that play is not over before the last kill: it goes on while everybody comes back."""
PLAYED_OUT_WITHIN_S = 900 if WHOLE_SIZE else 120


@dataclass(frozen=True, slots=True)
class Quiet:
    """What a run that nobody disturbed leaves behind."""

    log: dict[Place, list[Played]]
    digest: str

    @property
    def events(self) -> int:
        return sum(map(len, self.log.values()))


@dataclass(slots=True)
class Toll:
    """What the kills hit, for the line that is printed."""

    kinds: list[str] = field(default_factory=list)
    interrupted: list[int] = field(default_factory=list)
    lost_s: list[float] = field(default_factory=list)


@pytest.mark.chaos
@pytest.mark.timeout(2_400)
def test_every_card_is_played_once_through_kills(install: Install, say: Callable[[str], None]) -> None:
    with install("quiet") as hall:
        quiet = _undisturbed(hall)
    with install("killed") as hall:
        competition = hall.competition(ENTRANTS, SEED, boards=BOARDS)
        toll = _kill_along_the_way(hall, quiet)
        hall.wait(lambda: is_published(competition), PLAYED_OUT_WITHIN_S, "the standings are published")
        assert why_not_sound(competition) is None
        log = events()
        assert faults(log) == []
        assert log == quiet.log
        assert digest_over_names(competition) == quiet.digest
        matches = Match.objects.count()
    say(
        f"{len(toll.kinds)} kills of workers during a competition, lease 3 s: "
        f"{toll.kinds.count('pool child')} pool children, {toll.kinds.count('whole worker')} whole workers, "
        f"during {matches} matches and {quiet.events} events; "
        f"{sum(toll.interrupted)} matches interrupted, the next card after at most {max(toll.lost_s):.1f} s; "
        "0 lost, 0 doubled, same standings"
    )


def _undisturbed(hall: Installation) -> Quiet:
    competition = hall.competition(ENTRANTS, SEED, boards=BOARDS)
    hall.wait(lambda: is_published(competition), PLAYED_OUT_WITHIN_S, "the standings are published")
    assert why_not_sound(competition) is None
    assert faults(events()) == []
    return Quiet(events(), digest_over_names(competition))


def _kill_along_the_way(hall: Installation, quiet: Quiet) -> Toll:
    """One kill each time so much of the competition is played, so that none comes before it or after."""
    toll, chance = Toll(), random.Random(1)
    for number in range(KILLS):
        wanted = quiet.events * (number + 1) // (KILLS + 2)
        hall.wait(lambda wanted=wanted: cards_played() >= wanted, PLAYED_OUT_WITHIN_S, f"{wanted} events", pause_s=0.02)
        before = events()
        killed_at, playing = _kill(hall, number, chance, toll)
        toll.interrupted.append(len(playing))
        hall.wait(lambda ids=playing, at=killed_at: gone_on(ids, at), 60, "every match goes on")
        assert why_not_a_continuation(before, events()) is None
        toll.lost_s.append(seconds_without_a_card(playing, killed_at))
    return toll


def _kill(hall: Installation, number: int, chance: random.Random, toll: Toll) -> tuple[datetime, list[int]]:
    """Kills a pool child, or a whole worker, in turn; returns when, and the matches that it was playing."""
    hall.wait(lambda: bool(_players(hall)), 60, "a pool child plays")
    if number % 2:
        killed = hall.crew.pool_of("lanes")
        hall.crew.kill("lanes")
        hall.crew.start_again("lanes")
    else:
        killed = [chance.choice(_players(hall))]
        assert kill_process(killed[0])
    toll.kinds.append("whole worker" if number % 2 else "pool child")
    return timezone.now(), [match for match, pid in _leases().items() if pid in killed]


def _players(hall: Installation) -> list[int]:
    """Pool children that hold leases."""
    return sorted({*_leases().values()} & {*hall.crew.pool_of("lanes")})


def _leases() -> dict[int, int]:
    """Matches being played, and the process that signed each one's lease."""
    running = Match.objects.filter(status="running").exclude(lease_owner="").values_list("pk", "lease_owner")
    return {match: int(owner.split(":")[1]) for match, owner in running}
