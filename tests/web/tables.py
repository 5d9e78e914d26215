"""One small event at every kind of table, played to its end by house programs: what the pages show of them."""

from __future__ import annotations

from dataclasses import dataclass

from matches.models import Match, Party
from matches.services.versions import house_agent
from tests.cast import play_out, tournament
from tournaments.models import Tournament
from tournaments.services import entries, running


@dataclass(frozen=True, slots=True)
class Tables:
    """`three`: four entries at tables of three, points of one deal. `four`: five at a table of four, whole parties.

    `pairs`: three pairs, the first of them one program at both hands, whole parties. `short`: stakes that are raised.
    """

    three: Tournament
    four: Tournament
    pairs: Tournament
    short: Tournament

    @property
    def all(self) -> dict[str, Tournament]:
        return {"three": self.three, "four": self.four, "pairs": self.pairs, "short": self.short}


def hold_tables() -> Tables:
    three = tournament("greedy@1", "greedy@1", "random@1", "greedy@1", slug="three", rules="moscow/3")
    rules = {"rules": "kharkov_full/4", "overrides": {"target": 301}, "deals": None}
    four = tournament(*["greedy@1"] * 4, "random@1", slug="four", **rules)
    pairs = tournament(slug="pairs", rules="klabor/pairs", overrides={"target": 301}, deals=None)
    entries.enter(pairs.pk, house_agent("greedy@1", "Both hands"))
    for first, second in (("North", "South"), ("East of the Dnipro and far beyond it", "West")):
        entries.enter(pairs.pk, house_agent("greedy@1", first), house_agent("random@1", second))
    short = tournament("greedy@1", "greedy@1", "random@1", slug="short", rules="short_dava/2", deals=None, boards=2)
    events = Tables(three, four, pairs, short)
    for number, event in enumerate(events.all.values(), start=1):
        running.start(event.pk, bytes([number]) * 32)
    play_out(short)
    for event in events.all.values():
        event.refresh_from_db()
    return events


def matches_of(of: Tournament):
    return Match.objects.filter(pairing__round__stage__tournament=of).order_by("id")


def party_of(of: Tournament, number: int = 1) -> Party:
    """A party of the first match."""
    return matches_of(of).first().parties.get(number=number)
