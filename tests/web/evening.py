"""What the pages show in the tests.

A finished cup with a program that nobody reaches, a league that waits, a draft, a cup of the longest names, and a match
of two versions of one player.
"""

from __future__ import annotations

from dataclasses import dataclass

from bots_api.models import Bot
from bots_api.services import add_version, register_bot
from matches.core.plan import MatchPlan
from matches.models import Agent, AgentStatus, Match, User
from matches.services.create import create_match
from matches.services.versions import house_agent, set_status
from tests.cast import SEED, anna, person, play_out, tournament
from tournaments.models import Tournament
from tournaments.services import entries, running

NOBODY_LISTENS = "http://127.0.0.1:65535/"  # above what the system hands out by itself


LONGEST_NAME = 58  # two of them still fit a match's title


@dataclass(frozen=True, slots=True)
class Evening:
    """Anna directs, Bohdan owns the program, Chrystyna is a stranger."""

    anna: User
    bohdan: User
    chrystyna: User
    bot: Bot
    cup: Tournament
    league: Tournament
    draft: Tournament
    wide: Tournament
    twins: Match

    @property
    def clean(self) -> Match:
        """A match of the cup between house programs, played to its end."""
        return self._matches().exclude(seats__agent__player=self.bot.player).first()

    @property
    def faulty(self) -> Match:
        """A match of the cup that the program lost by its faults."""
        return self._matches().filter(seats__agent__player=self.bot.player).first()

    @property
    def unplayed(self) -> Match:
        """A match of the league that waits for a worker."""
        return Match.objects.filter(pairing__round__stage__tournament=self.league).order_by("id").first()

    @property
    def widest(self) -> Match:
        """The match of the longest names."""
        return Match.objects.get(pairing__round__stage__tournament=self.wide)

    def _matches(self):
        return Match.objects.filter(pairing__round__stage__tournament=self.cup).order_by("id")


def hold_evening() -> Evening:
    directs, owns = anna(), person("bohdan")
    bot = register_bot("Absent-minded", owns, about="Plays when it remembers to.")
    version = add_version(bot, "v1", NOBODY_LISTENS)
    set_status(version.agent_id, AgentStatus.ACTIVE)
    version.agent.refresh_from_db()
    cup = tournament("greedy@1", "random@1", "greedy@1", slug="autumn-cup", deals=2, description="For all comers.")
    entries.enter(cup.pk, version.agent)
    running.start(cup.pk, SEED)
    play_out(cup)
    wide = tournament(slug="wide")
    Tournament.objects.filter(pk=wide.pk).update(name="Q" * 100, description="q" * 200)
    for letter in "Wm":
        entries.enter(wide.pk, house_agent("greedy@1", letter * LONGEST_NAME))
    running.start(wide.pk, bytes(reversed(range(32))))
    twins = _twins()
    play_out(wide)
    league = tournament("greedy@1", "random@1", slug="league", boards=2)
    running.start(league.pk, bytes(32))
    draft = Tournament.objects.create(slug="draft", name="Draft of a cup", organiser=directs)
    return Evening(directs, owns, person("chrystyna"), bot, cup, league, draft, wide, twins)


def _twins() -> Match:
    old = house_agent("greedy@1", "Twin")
    new = Agent.objects.create(player=old.player, kind="house", label="random@1", status="active")
    return create_match(MatchPlan(agents=(old.pk, new.pk), boards=1, deals=1))
