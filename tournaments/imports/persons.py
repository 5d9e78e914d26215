"""Everybody of a document as a person here, by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from django.db.models.functions import Lower

from matches.models import Agent, Player, PlayerKind
from matches.services.players import people, person
from matches.services.versions import person_agent


def persons(names: Iterable[str]) -> dict[str, Agent]:
    """How each of these names sits at a table; made where nobody has it, in a few statements.

    Where a program has a name, it is another person of nearly that name. Raises NameRefused.
    """
    wanted = list(dict.fromkeys(names))
    here = {player.name: player for player in Player.objects.filter(name__in=wanted, kind=PlayerKind.PERSON)}
    missing = [name for name in wanted if name not in here]
    count, taken = Counter(name.lower() for name in missing), _taken(missing)
    new = [name for name in missing if count[name.lower()] == 1 and name.lower() not in taken]
    here |= dict(zip(new, people(new), strict=True))
    here |= {name: person(_free(name)) for name in missing if name not in here}
    agents = Agent.objects.filter(player__in=here.values(), kind=PlayerKind.PERSON).select_related("player")
    known = {agent.player_id: agent for agent in agents}
    return {name: known.get(player.pk) or person_agent(player) for name, player in here.items()}


def _taken(names: Iterable[str]) -> set[str]:
    lowered = [name.lower() for name in names]
    players = Player.objects.annotate(lowered=Lower("name")).filter(lowered__in=lowered)
    return set(players.values_list("lowered", flat=True))


def _free(name: str) -> str:
    """The name itself, or with a number where somebody has it already."""
    wanted, number = name, 1
    while Player.objects.filter(name__iexact=wanted).exists():
        number += 1
        wanted = f"{name} ({number})"
    return wanted
