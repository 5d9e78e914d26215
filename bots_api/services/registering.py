"""Registering programs and their versions."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import transaction

from bots_api.addresses import check_url
from bots_api.models import Bot, BotVersion, MessageCounter
from matches.models import Agent, Player, PlayerKind, User
from matches.services.versions import free_name

SECRET_BYTES = 32


@transaction.atomic
def register_bot(name: str, owner: User, about: str = "") -> Bot:
    """A new program of an owner's. Raises NameRefused if the name is taken, or is none."""
    player = Player.objects.create(name=free_name(name), kind=PlayerKind.BOT, owner=owner)
    return Bot.objects.create(player=player, about=about)


@transaction.atomic
def add_version(bot: Bot, label: str, url: str, secret: bytes | None = None) -> BotVersion:
    """A version at an address, with a signing secret of its own; it plays once `ping` has admitted it.

    Raises AddressRefused for an address that is never called.
    """
    check_url(url, allow_http=settings.PUSH_ALLOW_HTTP, allow_loopback=settings.PUSH_ALLOW_LOOPBACK)
    agent = Agent.objects.create(player=bot.player, kind="push", label=label)
    MessageCounter.objects.create(agent=agent)
    return BotVersion.objects.create(bot=bot, agent=agent, url=url, secret=secret or secrets.token_bytes(SECRET_BYTES))
