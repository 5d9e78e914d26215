"""What the page of a program shows. Addresses and the delivery log are for its owner alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.shortcuts import get_object_or_404

from bots_api.models import Bot, Delivery
from bots_api.services import shown_secret
from matches.models import User
from matches.web.players import Results, results_of

LOG_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Version:
    """`url` and the signing `secret` are empty for everybody but the owner."""

    public_id: str
    label: str
    status: str
    status_words: str
    reason: str
    url: str
    secret: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class BotPage:
    public_id: str
    name: str
    kind: str
    owner: str
    about: str
    versions: tuple[Version, ...]
    results: Results


@dataclass(frozen=True, slots=True)
class LogLine:
    """One message and what came of it; request and reply were kept where something went wrong."""

    sent_at: datetime
    label: str
    message: str
    seq: int
    game: str
    attempt: int
    outcome: str
    is_fault: bool
    detail: str
    status: int | None
    elapsed_ms: int
    action: str
    note: str
    request: str
    reply: str


def find_bot(public_id: str) -> Bot:
    """Raises Http404."""
    return get_object_or_404(Bot.objects.select_related("player__owner"), public_id=public_id)


def owns(user: User | AnonymousUser, bot: Bot) -> bool:
    """The owner and nobody else: not staff, not an organiser of a tournament that it plays in."""
    return user.is_authenticated and bot.player.owner_id == user.pk


def programs_of(user: User | AnonymousUser) -> tuple[Bot, ...]:
    """The user's own programs, by name."""
    if not user.is_authenticated:
        return ()
    return tuple(Bot.objects.filter(player__owner=user).select_related("player").order_by("player__name"))


def bot_page(bot: Bot, user: User | AnonymousUser, *, for_owner: bool) -> BotPage:
    return BotPage(
        public_id=bot.public_id,
        name=bot.player.name,
        kind=str(bot.player.get_kind_display()),
        owner=bot.player.owner.username if bot.player.owner else "",
        about=bot.about,
        versions=_versions(bot, for_owner),
        results=results_of(bot.player, user),
    )


def _versions(bot: Bot, for_owner: bool) -> tuple[Version, ...]:
    rows = bot.versions.select_related("agent").order_by("-created_at")
    return tuple(
        Version(
            public_id=row.agent.public_id,
            label=row.agent.label,
            status=row.agent.status,
            status_words=str(row.agent.get_status_display()),
            reason=row.agent.status_reason,
            url=row.url if for_owner else "",
            secret=shown_secret(row) if for_owner else "",
            created_at=row.created_at,
        )
        for row in rows
    )


def delivery_log(bot: Bot, faults_only: bool) -> tuple[LogLine, ...]:
    """The newest messages to any version of the program. For its owner's eyes."""
    rows = Delivery.objects.filter(agent__bot_version__bot=bot).select_related("agent").order_by("-id")
    if faults_only:
        rows = rows.exclude(outcome="ok")
    return tuple(_line(row) for row in rows[:LOG_SHOWN])


def _line(row: Delivery) -> LogLine:
    return LogLine(
        sent_at=row.sent_at,
        label=row.agent.label,
        message=str(row.get_message_display()),
        seq=row.seq,
        game=row.game,
        attempt=row.attempt,
        outcome=row.outcome,
        is_fault=row.outcome != "ok",
        detail=row.detail,
        status=row.status,
        elapsed_ms=row.elapsed_ms,
        action=row.action,
        note=row.note,
        request=row.request,
        reply=row.reply,
    )
