"""Who plays: users with a login, players with a name, and the immutable versions of them that sit at tables."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from matches.public_ids import PublicIdField


class User(AbstractUser):
    """A person who can log in. Accounts are made by the admin."""


class PlayerKind(models.TextChoices):
    PERSON = "person", _("person")
    BOT = "bot", _("program")
    HOUSE = "house", _("house program")


class Player(models.Model):
    """The lasting identity behind every version: what standings and ratings speak of."""

    public_id = PublicIdField(prefix="p_")
    name = models.CharField(_("name"), max_length=60)
    kind = models.CharField(_("kind"), max_length=8, choices=PlayerKind)
    owner = models.ForeignKey(User, verbose_name=_("owner"), null=True, blank=True, on_delete=models.PROTECT)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(Lower("name"), name="player_name_once"),
            models.CheckConstraint(name="player_kind_known", condition=Q(kind__in=PlayerKind.values)),
            models.CheckConstraint(name="player_house_has_no_owner", condition=~Q(kind="house") | Q(owner=None)),
        ]

    def __str__(self) -> str:
        return self.name


class AgentStatus(models.TextChoices):
    NEW = "new", _("new")
    ACTIVE = "active", _("active")
    QUARANTINED = "quarantined", _("quarantined")
    RETIRED = "retired", _("retired")


class Agent(models.Model):
    """One immutable version of a player. `kind` chooses, by the setting SEAT_AGENTS, how its seat is reached.

    Only an active version sits down; one that is not forfeits its parties as a no-show.
    """

    public_id = PublicIdField(prefix="v_")
    player = models.ForeignKey(Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="agents")
    kind = models.CharField(_("kind"), max_length=16)
    label = models.CharField(_("version"), max_length=40)
    status = models.CharField(_("status"), max_length=12, choices=AgentStatus, default=AgentStatus.NEW)
    status_reason = models.CharField(_("reason"), max_length=200, blank=True)
    is_ready = models.BooleanField(
        _("ready"), default=True, help_text=_("while it is not, its matches wait to be begun, for a bounded time")
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("version")
        verbose_name_plural = _("versions")
        ordering = ["player__name", "-created_at"]
        constraints = [
            models.UniqueConstraint(name="agent_label_once", fields=["player", "label"]),
            models.CheckConstraint(name="agent_status_known", condition=Q(status__in=AgentStatus.values)),
        ]
        indexes = [models.Index(name="agent_not_ready", fields=["id"], condition=Q(is_ready=False))]

    def __str__(self) -> str:
        return f"{self.player.name} {self.label}"
