"""Versions of players: making them, letting them play, taking them off the table."""

from __future__ import annotations

from django.db import transaction

from engine.bots import house
from matches.agents import house_name
from matches.models import Agent, AgentStatus, Player, PlayerKind


@transaction.atomic
def house_agent(label: str, name: str = "") -> Agent:
    """The version of a house program with this label, such as `greedy@1`; made when first asked for.

    `name`: whom it plays as, `house:greedy` by default; one policy may sit at a tournament under several names.
    Raises what `engine.bots.house` raises for a policy that does not exist.
    """
    house(house_name(label))
    player, _ = Player.objects.get_or_create(
        name=name or f"house:{house_name(label)}", defaults={"kind": PlayerKind.HOUSE, "owner": None}
    )
    agent, _ = Agent.objects.get_or_create(
        player=player, label=label, defaults={"kind": "house", "status": AgentStatus.ACTIVE}
    )
    return agent


def set_status(agent_id: int, status: AgentStatus, reason: str = "") -> None:
    """Lets a version play, or stops it. A retired version never comes back."""
    Agent.objects.filter(pk=agent_id).exclude(status=AgentStatus.RETIRED).update(
        status=status, status_reason=reason[:200]
    )
