"""Whose a program is, and whose log: asked once, answered alike everywhere."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request

from bots_api.models import Bot, BotVersion
from matches.api.writing import one_of
from matches.permissions import Scope, scopes_of


def bots() -> QuerySet[Bot]:
    return Bot.objects.select_related("player__owner").prefetch_related("player__agents")


def versions() -> QuerySet[BotVersion]:
    return BotVersion.objects.select_related("agent__player", "agent__presence", "bot__player__owner")


def find_version(version_id: str) -> BotVersion:
    """Raises NotFound."""
    return one_of(versions(), version_id, "version of a program", "agent__public_id")


def own_bot(request: Request, bot_id: str) -> Bot:
    """One's own program, to be written; raises NotFound, and PermissionDenied for another's."""
    bot: Bot = one_of(bots(), bot_id, "program")
    _check_owner(request, bot)
    return bot


def own_version(request: Request, version_id: str) -> BotVersion:
    """A version of one's own, to be written; raises NotFound, and PermissionDenied for another's."""
    version = find_version(version_id)
    _check_owner(request, version.bot)
    return version


def private_version(request: Request, version_id: str) -> BotVersion:
    """A version whose private side may be read: one's own, or the one that the token is of.

    Raises NotFound for any other: that there is something to read is private too.
    """
    version = find_version(version_id)
    if not _is_owner(request, version.bot) and version.pk != _version_of(request.auth):
        raise NotFound(f"There is no version of a program {version_id} here.")
    return version


def sees_own_side(request: Request, version: BotVersion) -> bool:
    """Whether a request comes from the owner, with a token that manages his programs."""
    return _is_owner(request, version.bot) and Scope.BOT_WRITE in scopes_of(request)


def _version_of(token: Any) -> int | None:
    return getattr(token, "version_id", None)


def _is_owner(request: Request, bot: Bot) -> bool:
    return request.user.is_authenticated and bot.player.owner_id == request.user.pk


def _check_owner(request: Request, bot: Bot) -> None:
    if not _is_owner(request, bot):
        raise PermissionDenied("Only its owner may do that.", "not_yours")
