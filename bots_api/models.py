"""Programs: their owners' bots, the immutable versions with address and secret, and what was sent and answered."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from matches.encryption import EncryptedBytesField
from matches.models import Agent, Player, User
from matches.models.match import is_json_array
from matches.public_ids import PublicIdField


class Bot(models.Model):
    """A program that somebody registered: one to one with the player that standings speak of."""

    public_id = PublicIdField(prefix="b_")
    player = models.OneToOneField(Player, on_delete=models.PROTECT, related_name="bot")
    about = models.TextField(_("about"), blank=True, max_length=2_000)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("program")
        verbose_name_plural = _("programs")
        ordering = ["player__name"]

    def __str__(self) -> str:
        return self.player.name

    def get_absolute_url(self) -> str:
        return reverse("bot", args=[self.public_id])


class BotVersion(models.Model):
    """Where one version is called and how we sign; a new address is a new version."""

    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="versions")
    agent = models.OneToOneField(Agent, on_delete=models.PROTECT, related_name="bot_version")
    url = models.URLField(_("address"), max_length=500)
    secret = EncryptedBytesField(editable=False, help_text=_("the signing key, without its whsec_ form"))
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("version of a program")
        verbose_name_plural = _("versions of programs")
        ordering = ["bot", "-created_at"]

    def __str__(self) -> str:
        return str(self.agent)


class MessageCounter(models.Model):
    """How many messages a version has been sent: the protocol's `seq`. A row of its own, since it changes often."""

    agent = models.OneToOneField(Agent, on_delete=models.CASCADE, primary_key=True, related_name="message_counter")
    last_seq = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.agent}: {self.last_seq}"


class MessageType(models.TextChoices):
    PING = "ping", _("ping")
    GAME_START = "game_start", _("game start")
    DECISION = "decision", _("decision")
    DEAL_OVER = "deal_over", _("deal over")
    GAME_OVER = "game_over", _("game over")


class Delivery(models.Model):
    """One message to a program and what came of it. Its owner alone may read it.

    Request and reply are kept whole only where something went wrong; `outcome` is `ok` or the fault's code. A message
    that was `dropped` before it was sent has the number 0.
    """

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="deliveries")
    message = models.CharField(_("message"), max_length=10, choices=MessageType)
    seq = models.BigIntegerField()
    game = models.CharField(_("game"), max_length=24, blank=True)
    message_id = models.CharField(max_length=40)
    attempt = models.PositiveSmallIntegerField(_("attempt"), default=1)
    outcome = models.CharField(_("outcome"), max_length=20)
    detail = models.CharField(_("detail"), max_length=300, blank=True)
    status = models.PositiveSmallIntegerField(_("HTTP status"), null=True)
    elapsed_ms = models.PositiveIntegerField(_("milliseconds"), default=0)
    action = models.CharField(_("action"), max_length=20, blank=True)
    note = models.CharField(_("note"), max_length=200, blank=True)
    request = models.TextField(blank=True)
    reply = models.TextField(blank=True)
    sent_at = models.DateTimeField(_("sent"))

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(name="delivery_message_known", condition=Q(message__in=MessageType.values)),
        ]
        indexes = [models.Index(name="delivery_newest", fields=["agent", "-id"])]

    def __str__(self) -> str:
        return f"{self.message} {self.seq}: {self.outcome}"


class ApiToken(models.Model):
    """What a program of somebody's shows instead of a password. Only its digest is kept; it is shown once.

    `hint`: its last characters, by which its owner tells it from others.
    """

    public_id = PublicIdField(prefix="k_")
    owner = models.ForeignKey(User, verbose_name=_("owner"), on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("name"), max_length=60, help_text=_("what it is for"))
    digest = models.CharField(max_length=64, unique=True, editable=False)
    hint = models.CharField(_("ends in"), max_length=8, editable=False)
    scopes = models.JSONField(_("may"), default=list)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"))
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering = ["owner", "-created_at"]
        constraints = [models.CheckConstraint(name="token_scopes_are_a_list", condition=is_json_array("scopes"))]

    def __str__(self) -> str:
        return f"{self.name} …{self.hint}"
