"""Programs that challenge each other, as the tests register them."""

from __future__ import annotations

from itertools import count

from bots_api.models import ChallengePolicy
from bots_api.services import add_version, register_bot
from matches.models import Agent, AgentStatus, User
from matches.services.versions import set_status

_NUMBERS = count(1)


def owner(name: str) -> User:
    """Without a password, which nobody types here."""
    return User.objects.get_or_create(username=name)[0]


def program(of: str, policy: ChallengePolicy = ChallengePolicy.ALL, status: AgentStatus = AgentStatus.ACTIVE) -> Agent:
    """A version of a new program of somebody's; nothing answers at its address."""
    bot = register_bot(f"{of}'s {next(_NUMBERS)}", owner(of), challenges=policy)
    version = add_version(bot, "v1", "http://127.0.0.1:1024/play")
    set_status(version.agent_id, status)
    return Agent.objects.select_related("player__bot", "bot_version").get(pk=version.agent_id)
