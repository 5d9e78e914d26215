"""kill -9 in the middle of a party: the match goes on at the same card, and has one result."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from matches.models import Match, Party
from tests.cast import SEED
from tests.chaos.conftest import WHOLE_SIZE, Install
from tests.chaos.crew import kill_process
from tests.chaos.installation import QUICK, Entrant, Installation
from tests.chaos.reading import (
    cards_played,
    events,
    gone_on,
    is_published,
    seconds_without_a_card,
    why_not_a_continuation,
    why_not_sound,
)

PAIR = (Entrant("Careful", "careful.py"), Entrant("Random Olha", "random@1"))
GOES_ON_WITHIN_S = 60


def pool_child(hall: Installation) -> None:
    """The process that plays the match now: it has signed the lease."""
    assert kill_process(int(Match.objects.get(status="running").lease_owner.split(":")[1]))


def whole_worker(hall: Installation) -> None:
    hall.crew.kill("lanes")
    hall.crew.start_again("lanes")


@pytest.mark.chaos
@pytest.mark.timeout(300)
def test_a_match_goes_on_at_the_same_card(install: Install, say: Callable[[str], None]) -> None:
    with install("one-match", {} if WHOLE_SIZE else QUICK) as hall:
        competition = hall.competition(PAIR, SEED, boards=4)
        for after_cards, victim in ((30, pool_child), (330, whole_worker)):
            lost_s = _killed(hall, victim, after_cards)
            settings = "default settings" if WHOLE_SIZE else "lease 3 s"
            say(f"{victim.__name__.replace('_', ' ')} killed, {settings}: the next card after {lost_s:.1f} s")
        hall.wait(lambda: is_published(competition), 120, "the standings are published")
        assert why_not_sound(competition) is None


def _killed(hall: Installation, kill: Callable[[Installation], None], after_cards: int) -> float:
    """Kills once so many cards are played; returns the seconds from the last card to the next."""
    hall.wait(
        lambda: cards_played() > after_cards and _is_young(), 60, f"{after_cards} cards are played", pause_s=0.002
    )
    kill(hall)
    killed_at, before = timezone.now(), events()
    match, party = [Match.objects.get().pk], max(before)
    hall.wait(lambda: gone_on(match, killed_at), GOES_ON_WITHIN_S, "the next card is played")
    assert why_not_a_continuation(before, events()) is None
    assert len(events()[party]) > len(before[party]), "the kill came between two parties"
    return seconds_without_a_card(match, killed_at)


def _is_young() -> bool:
    """Whether the party being played has only just begun, so that it is not over before the kill has its effect."""
    playing = Party.objects.filter(status="playing").first()
    return playing is not None and playing.events.count() in range(2, 9)
