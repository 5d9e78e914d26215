"""What becomes of versions: quarantined and back, retired for good; and which of a program's is the one that plays."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from bots_api.models import Bot, BotVersion, QuarantinedBy, VersionHealth
from bots_api.pull.presence import find_who_is_ready
from matches.models import Agent, AgentStatus
from matches.services.versions import set_status


def retire(version: BotVersion, reason: str) -> None:
    """Takes a version off the tables for good; a second time changes nothing. Its parties that run go on."""
    if version.agent.status != AgentStatus.RETIRED:
        set_status(version.agent_id, AgentStatus.RETIRED, reason)
        version.agent.refresh_from_db()


@transaction.atomic
def quarantine(agent_id: int, by: QuarantinedBy, reason: str) -> bool:
    """Takes a version off the table; returns whether it was. Locks its health and the version.

    The desk's word stands over all others; what was taken off for its refusal stays so whatever pings find.
    """
    if by != QuarantinedBy.PROBES:
        _begin_anew(agent_id)
    status, held_by = _standing(agent_id)
    is_off = status == AgentStatus.QUARANTINED
    if by != QuarantinedBy.DESK and is_off and not (by == QuarantinedBy.REJECTED and held_by == QuarantinedBy.PROBES):
        return False
    BotVersion.objects.filter(agent=agent_id).update(quarantined_by=by)
    set_status(agent_id, AgentStatus.QUARANTINED, reason)
    find_who_is_ready([agent_id])
    return True


@transaction.atomic
def let_play(agent_id: int, but_for: Collection[str] = ()) -> bool:
    """Lets a version play, unless it was quarantined by one of these; returns whether it may.

    One whose quarantine nobody signed is the desk's. Locks its health and the version.
    """
    _begin_anew(agent_id)
    status, held_by = _standing(agent_id)
    if status == AgentStatus.QUARANTINED and (held_by or QuarantinedBy.DESK) in but_for:
        return False
    BotVersion.objects.filter(agent=agent_id).update(quarantined_by="")
    set_status(agent_id, AgentStatus.ACTIVE)
    find_who_is_ready([agent_id])
    return status != AgentStatus.RETIRED


def is_held_by_desk(version: BotVersion) -> bool:
    """Whether the desk alone brings a version back."""
    by = version.quarantined_by or QuarantinedBy.DESK
    return version.agent.status == AgentStatus.QUARANTINED and by == QuarantinedBy.DESK


def _begin_anew(agent_id: int) -> None:
    """What pings have found so far counts no more."""
    VersionHealth.objects.filter(agent=agent_id).update(failures=0, answers=0)


def _standing(agent_id: int) -> tuple[str, str]:
    """Status, and by what it was quarantined last. Locks the version and its agent."""
    version = BotVersion.objects.select_for_update(no_key=True).only("quarantined_by").get(agent=agent_id)
    agent = Agent.objects.select_for_update(no_key=True).only("status").get(pk=agent_id)
    return agent.status, version.quarantined_by


def newest_active(bot: Bot) -> Agent | None:
    """The version with which a program sits down where none is named; None if it has none that may play."""
    active = bot.player.agents.filter(status=AgentStatus.ACTIVE)
    return active.order_by("-created_at", "-id").first()
