"""Matches of programs against the house, played by a real lane in this process."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bots_api.models import BotVersion
from matches.core.clocks import ClockRules, Control
from matches.core.plan import MatchPlan
from matches.lane import drive
from matches.models import Agent, Match, Party, PartyEvent
from matches.services.create import create_match
from matches.services.versions import house_agent
from tests.bots_api.tables import version_at
from tests.rogues.program import Behaviour, Program

QUICK = ClockRules(budget_ms=200, bank_ms=300, grace_ms=50)


@dataclass(frozen=True)
class Played:
    """A match that is over, with the program's side of it."""

    match: Match
    version: BotVersion
    program: Program

    @property
    def parties(self) -> list[Party]:
        return list(self.match.parties.exclude(status="void").order_by("number"))

    def seat_in(self, party: Party) -> int:
        return party.table_seat(0, 2)

    @cached_property
    def events(self) -> list[PartyEvent]:
        """The program's own, in order."""
        events = PartyEvent.objects.filter(party__match=self.match).select_related("party").order_by("party", "seq")
        return [event for event in events if event.seat == self.seat_in(event.party)]

    def causes(self, party: Party) -> list[str]:
        """What became of the program's decisions in a party: a cause, or nothing."""
        return [event.cause for event in self.events if event.party_id == party.pk and event.kind == "action"]

    @property
    def status(self) -> str:
        return Agent.objects.get(pk=self.version.agent_id).status

    def points(self) -> tuple[int, int]:
        """The program's and the house's."""
        first, second = self.match.result.seats.order_by("index").values_list("points", flat=True)
        return first, second

    def outcomes(self) -> tuple[str, str]:
        first, second = self.match.result.seats.order_by("index").values_list("outcome", flat=True)
        return first, second


def match_of(agent: Agent, opponent: Agent | None = None, **plan: Any) -> Match:
    """A match of one board, both ways, drawn and due; by default against the house's greedy one."""
    opponent = opponent or house_agent("greedy@1")
    details: dict[str, Any] = {"boards": 1, "control": Control.BLITZ, "deals": 2} | plan
    return create_match(MatchPlan(agents=(agent.pk, opponent.pk), **details))


def played(programs: Mapping[str, Behaviour], **plan: Any) -> dict[str, Played]:
    """A match of each of these programs against the house, all in one lane."""
    with ExitStack() as running:
        servers = {name: running.enter_context(Program(behaviour)) for name, behaviour in programs.items()}
        versions = {name: version_at(server.url) for name, server in servers.items()}
        matches = {name: match_of(version.agent, **plan) for name, version in versions.items()}
        assert drive(slots=32, seconds=40) == len(matches)
    return {
        name: Played(Match.objects.get(pk=match.pk), versions[name], servers[name]) for name, match in matches.items()
    }
