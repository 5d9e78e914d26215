"""Registering programs and their versions."""

from __future__ import annotations

import re
import secrets

from django.conf import settings
from django.db import IntegrityError, transaction

from bots_api.addresses import check_url
from bots_api.models import PULL, PUSH, Bot, BotVersion, ChallengePolicy, MessageCounter
from matches.models import Agent, AgentStatus, Player, PlayerKind, User
from matches.services.versions import free_name

SECRET_BYTES = 32
MOST_BOTS = 20
MOST_VERSIONS = 10
"""Of a program, those that are retired not counted."""
LONGEST_ABOUT = 2_000
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,39}")


class BotRefused(Exception):
    """A program or a version cannot be registered so; the text says why and what to do."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@transaction.atomic
def register_bot(name: str, owner: User, about: str = "", challenges: str = ChallengePolicy.ALL) -> Bot:
    """A new program of an owner's. `challenges`: whether it takes them (`ChallengePolicy`).

    Locks the owner. Raises NameRefused if the name is taken, or is none, and BotRefused.
    """
    _check(about, challenges)
    User.objects.select_for_update().get(pk=owner.pk)
    if Bot.objects.filter(player__owner=owner).count() >= MOST_BOTS:
        raise BotRefused(
            "too_many", f"You have {MOST_BOTS} programs, and more there cannot be: give one of them a version."
        )
    player = _player(free_name(name), owner)
    return Bot.objects.create(player=player, about=about, challenges=challenges)


def _player(name: str, owner: User) -> Player:
    """Raises NameRefused where somebody was quicker with the name."""
    try:
        with transaction.atomic():
            return Player.objects.create(name=name, kind=PlayerKind.BOT, owner=owner)
    except IntegrityError as taken:
        free_name(name)  # says so, unless it was something else
        raise taken


def change_bot(bot: Bot, *, about: str | None = None, challenges: str | None = None) -> Bot:
    """Changes what is said of a program and whether it takes challenges; None leaves it. Raises BotRefused."""
    _check(about or "", challenges or bot.challenges)
    given = {"about": about, "challenges": challenges}
    changed = {name: value for name, value in given.items() if value is not None}
    for name, value in changed.items():
        setattr(bot, name, value)
    bot.save(update_fields=list(changed))
    return bot


def _check(about: str, challenges: str) -> None:
    if len(about) > LONGEST_ABOUT:
        raise BotRefused("about_long", f"It has {len(about)} characters; {LONGEST_ABOUT} are the most.")
    if challenges not in ChallengePolicy.values:
        raise BotRefused("bad_challenges", f"{challenges!r}: expected one of {', '.join(ChallengePolicy.values)}.")


@transaction.atomic
def add_version(bot: Bot, label: str, url: str = "", secret: bytes | None = None) -> BotVersion:
    """A version of a program: at an address that we call, or without one, and then it calls us.

    It has a signing secret of its own and plays once it is qualified. Locks the program; raises BotRefused, and
    AddressRefused for an address that is never called.
    """
    if url:
        check_url(url, allow_http=settings.PUSH_ALLOW_HTTP, allow_loopback=settings.PUSH_ALLOW_LOOPBACK)
    Bot.objects.select_for_update().get(pk=bot.pk)
    _check_version(bot, label)
    # One that calls us is not there yet; one that is called is taken to be until a probe says otherwise.
    agent = Agent.objects.create(player=bot.player, kind=PUSH if url else PULL, label=label, is_ready=bool(url))
    MessageCounter.objects.create(agent=agent)
    return BotVersion.objects.create(bot=bot, agent=agent, url=url, secret=secret or secrets.token_bytes(SECRET_BYTES))


def _check_version(bot: Bot, label: str) -> None:
    if not _LABEL.fullmatch(label):
        raise BotRefused(
            "bad_label", "Call a version something like v1 or 2026-11.3: letters, digits, . _ + -, at most 40."
        )
    there = bot.player.agents.all()
    if there.filter(label=label).exists():
        raise BotRefused(
            "label_taken", f"{bot} has a version {label} already, and a version never changes: call it otherwise."
        )
    if there.exclude(status=AgentStatus.RETIRED).count() >= MOST_VERSIONS:
        raise BotRefused("too_many", f"{bot} has {MOST_VERSIONS} versions that are not retired: retire one.")
