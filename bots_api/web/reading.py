"""What the page of a program shows: everybody the same, but for the way to a version's own page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.shortcuts import get_object_or_404

from bots_api.models import Bot, ChallengePolicy
from bots_api.web.lists import state_words
from matches.models import AgentStatus, User
from matches.web.players import Results, results_of


@dataclass(frozen=True, slots=True)
class Version:
    """A version as everybody sees it. `reason`: why it does not play, where it does not."""

    public_id: str
    label: str
    status: str
    status_words: str
    reason: str
    is_accepting: bool
    created_at: datetime

    @property
    def is_retired(self) -> bool:
        return self.status == AgentStatus.RETIRED


@dataclass(frozen=True, slots=True)
class BotPage:
    public_id: str
    name: str
    kind: str
    owner: str
    about: str
    challenges: str
    challenges_words: str
    versions: tuple[Version, ...]
    results: Results

    @property
    def active(self) -> Version | None:
        """The newest version that may play, if there is one."""
        return next((one for one in self.versions if one.status == AgentStatus.ACTIVE), None)

    @property
    def can_be_challenged(self) -> bool:
        """Whether the form for a challenge has its newest version that may play to choose."""
        return self.active is not None and self.active.is_accepting and self.challenges != ChallengePolicy.NONE


def find_bot(public_id: str) -> Bot:
    """Raises Http404."""
    return get_object_or_404(Bot.objects.select_related("player__owner"), public_id=public_id)


def owns(user: User | AnonymousUser, bot: Bot) -> bool:
    """The owner and nobody else: not staff, not an organiser of a tournament that it plays in."""
    return user.is_authenticated and bot.player.owner_id == user.pk


def bot_page(bot: Bot, user: User | AnonymousUser) -> BotPage:
    """Six queries."""
    return BotPage(
        public_id=bot.public_id,
        name=bot.player.name,
        kind=str(bot.player.get_kind_display()),
        owner=bot.player.owner.username if bot.player.owner else "",
        about=bot.about,
        challenges=bot.challenges,
        challenges_words=str(bot.get_challenges_display()),
        versions=_versions(bot),
        results=results_of(bot.player, user),
    )


def _versions(bot: Bot) -> tuple[Version, ...]:
    rows = bot.versions.select_related("agent").order_by("-created_at")
    return tuple(
        Version(
            public_id=row.agent.public_id,
            label=row.agent.label,
            status=row.agent.status,
            status_words=state_words(row),
            reason=row.agent.status_reason,
            is_accepting=row.is_accepting,
            created_at=row.created_at,
        )
        for row in rows
    )
