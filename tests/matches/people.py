"""Matches of people, who say how they ended. Anna directs, Bohdan and Dmytro play, Chrystyna is a stranger."""

from __future__ import annotations

from typing import Any

from matches.core.plan import Length, MatchPlan
from matches.models import Agent, Match, Player, User
from matches.services.create import create_match
from matches.services.players import person
from matches.services.versions import person_agent


def account(name: str) -> User:
    """The user of this name; made when first asked for."""
    return User.objects.filter(username=name).first() or User.objects.create_user(name)


def sitting(name: str) -> Agent:
    """The person of this name as he sits at a table, with an account of the same name."""
    known = Player.objects.filter(name=name.capitalize()).first()
    return person_agent(known or person(name.capitalize(), account(name)))


def at_a_table(*names: str, held: bool = False, **plan: Any) -> Match:
    """A match of people, best of three if nothing else is asked for."""
    agents = tuple(sitting(name).pk for name in names or ("bohdan", "dmytro"))
    asked: dict[str, Any] = {"agents": agents, "length": Length.BEST_OF, "boards": 3, **plan}
    return create_match(MatchPlan(**asked), held=held)
