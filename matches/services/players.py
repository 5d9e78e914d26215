"""People who play at tables of wood: they have a name here, and an account if they like."""

from __future__ import annotations

from django.db import transaction

from matches.models import Player, PlayerKind, User
from matches.services.versions import free_name, person_agent


@transaction.atomic
def person(name: str, owner: User | None = None) -> Player:
    """A new player of flesh and blood, ready to sit down. `owner`: the account that reports for him, if he has one.

    Raises NameRefused for a name that is none or is somebody's already.
    """
    player = Player.objects.create(name=free_name(name), kind=PlayerKind.PERSON, owner=owner)
    person_agent(player)
    return player
