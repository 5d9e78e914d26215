"""The competitions of the demo: an evening for two, and beside it small ones: in pairs, at tables of three, and one in

which a program measures itself against every house program, those that compute for long included.

Import it once Django is set up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matches.models import Agent, User
from tournaments.models import Tournament
from tournaments.services import entries, running


@dataclass(frozen=True, slots=True)
class Event:
    """What is put on; its address is the slug and a number, one number for all events of an evening."""

    slug: str
    name: str
    description: str
    rules: str
    boards: int
    deals: int


EVENING = Event(
    "evening",
    "Evening tournament",
    "A round robin of house programs and of programs that are called over HTTP.",
    "moscow/2",
    boards=2,
    deals=4,
)
PAIRS = Event(
    "pairs",
    "Klabor in pairs",
    "Partners sit opposite; who has none plays both hands.",
    "klabor/pairs",
    boards=1,
    deals=2,
)
THREES = Event("threes", "Moscow at three", "Tables of three, each for himself.", "moscow/3", boards=1, deals=2)
ANCHORS = Event(
    "anchors",
    "House anchors",
    "One of each house program, and a newcomer to be measured against them.",
    "moscow/2",
    boards=1,
    deals=2,
)
EVENTS = (EVENING, PAIRS, THREES, ANCHORS)


@dataclass(frozen=True, slots=True)
class Cast:
    """Who is there to play."""

    house: Sequence[Agent]
    programs: Sequence[Agent]


def entrants_of(event: Event, cast: Cast) -> list[tuple[Agent, ...]]:
    """The entries of an event, with one version or a pair's two each; some of everything, and few in the small ones."""
    house, programs = cast.house, cast.programs
    if event is PAIRS:
        return [tuple(house[:2]), tuple(programs[:2]), *((one,) for one in (*house[2:3], *programs[2:3]))]
    if event is ANCHORS:
        return [(one,) for one in programs[:1]]
    if event is THREES:
        return [(one,) for one in (*house[:2], *programs[:4])]
    return [(one,) for one in (*house, *programs)]


def put_on(event: Event, number: int, cast: Cast, organiser: User) -> Tournament:
    """Draws the event up, enters the cast and starts it."""
    tournament = Tournament.objects.create(
        slug=f"{event.slug}-{number}",
        name=f"{event.name} {number}",
        description=event.description,
        organiser=organiser,
        rules=event.rules,
        boards=event.boards,
        deals=event.deals,
    )
    entries.open_registration(tournament.pk)
    for agents in entrants_of(event, cast):
        entries.enter(tournament.pk, *agents)
    if event is ANCHORS:
        entries.enter_house(tournament.pk)
    return running.start(tournament.pk)
