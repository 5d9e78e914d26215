"""People who play at tables of wood: they have a name here, and an account if they like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.db.models.functions import Lower

from matches.core.names import NameRefused
from matches.models import Agent, AgentStatus, Player, PlayerKind, User
from matches.services.versions import free_name, not_the_houses, person_agent


@transaction.atomic
def person(name: str, owner: User | None = None) -> Player:
    """A new player of flesh and blood, ready to sit down. `owner`: the account that reports for him, if he has one.

    Raises NameRefused for a name that is none or is somebody's already.
    """
    player = Player.objects.create(name=free_name(name), kind=PlayerKind.PERSON, owner=owner)
    person_agent(player)
    return player


def people(names: Sequence[str]) -> list[Player]:
    """Many new people at once, in the order of their names, in four statements; as `person`, in what it raises."""
    kept = [not_the_houses(name) for name in names]
    lowered = [name.lower() for name in kept]
    here = Player.objects.annotate(lowered=Lower("name")).filter(lowered__in=lowered).first()
    count = Counter(lowered)
    twice = next((name for name in kept if count[name.lower()] > 1), None)
    if taken := twice or (here.name if here else None):
        raise NameRefused("name_taken", f"A player is called “{taken}” already: choose another name.")
    try:
        with transaction.atomic():
            players = Player.objects.bulk_create(Player(name=name, kind=PlayerKind.PERSON) for name in kept)
    except IntegrityError as error:  # somebody has made one of them at this moment
        raise NameRefused("name_taken", "One of these players has been made meanwhile: try once more.") from error
    Agent.objects.bulk_create(_sits_down(player) for player in players)
    return players


def _sits_down(player: Player) -> Agent:
    return Agent(player=player, kind=PlayerKind.PERSON, label=PlayerKind.PERSON, status=AgentStatus.ACTIVE)
