"""What becomes of versions: retired for good, and which of a program's is the one that plays."""

from __future__ import annotations

from bots_api.models import Bot, BotVersion
from matches.models import Agent, AgentStatus
from matches.services.versions import set_status


def retire(version: BotVersion, reason: str) -> None:
    """Takes a version off the tables for good; a second time changes nothing. Its parties that run go on."""
    if version.agent.status != AgentStatus.RETIRED:
        set_status(version.agent_id, AgentStatus.RETIRED, reason)
        version.agent.refresh_from_db()


def newest_active(bot: Bot) -> Agent | None:
    """The version with which a program sits down where none is named; None if it has none that may play."""
    active = bot.player.agents.filter(status=AgentStatus.ACTIVE)
    return active.order_by("-created_at", "-id").first()
