"""Programs: their owners' bots, the immutable versions with address and secret, and whether they are well."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from matches.encryption import EncryptedBytesField
from matches.models import Agent, Player
from matches.public_ids import PublicIdField

PUSH: Final = "push"
PULL: Final = "pull"
"""Kinds of agents: we call them; they call us."""


class ChallengePolicy(models.TextChoices):
    ALL = "all", _("accepts every challenge")
    ASK = "ask", _("asks its owner")
    NONE = "none", _("accepts none")


class QuarantinedBy(models.TextChoices):
    """What took a version off the table; nothing but that brings it back, or the desk."""

    PROBES = "probes", _("pings that it did not answer")
    REJECTED = "rejected", _("its refusal of our signature")
    DESK = "desk", _("the desk")


class Bot(models.Model):
    """A program that somebody registered: one to one with the player that standings speak of."""

    public_id = PublicIdField(prefix="b_")
    player = models.OneToOneField(Player, on_delete=models.PROTECT, related_name="bot")
    about = models.TextField(_("about"), blank=True, max_length=2_000)
    challenges = models.CharField(_("challenges"), max_length=4, choices=ChallengePolicy, default=ChallengePolicy.ALL)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("program")
        verbose_name_plural = _("programs")
        ordering = ["player__name"]
        constraints = [
            models.CheckConstraint(name="bot_policy_known", condition=Q(challenges__in=ChallengePolicy.values)),
        ]

    def __str__(self) -> str:
        return self.player.name

    def get_absolute_url(self) -> str:
        return reverse("bot", args=[self.public_id])


class BotVersion(models.Model):
    """How one version is reached and how we sign; a new address is a new version.

    A version that calls us (its agent's kind is `pull`) has no address, and signs in with a token of its own. Within
    `old_secret_until` messages are signed with both secrets, so that a program can change over without a fault.
    """

    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="versions")
    agent = models.OneToOneField(Agent, on_delete=models.PROTECT, related_name="bot_version")
    url = models.URLField(_("address"), max_length=500, blank=True)
    secret = EncryptedBytesField(editable=False, help_text=_("the signing key, without its whsec_ form"))
    old_secret = EncryptedBytesField(null=True, editable=False)
    old_secret_until = models.DateTimeField(null=True, editable=False)
    is_accepting = models.BooleanField(
        _("takes new matches"), default=True, help_text=_("while it does not, it finishes what it has begun")
    )
    quarantined_by = models.CharField(
        max_length=8, choices=QuarantinedBy, blank=True, default="", editable=False, help_text=_("while it is")
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("version of a program")
        verbose_name_plural = _("versions of programs")
        ordering = ["bot", "-created_at"]
        constraints = [
            models.CheckConstraint(
                name="version_quarantine_known", condition=Q(quarantined_by__in=["", *QuarantinedBy.values])
            ),
            models.CheckConstraint(
                name="version_old_secret_has_an_end",
                condition=Q(old_secret=None, old_secret_until=None)
                | Q(old_secret__isnull=False, old_secret_until__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return str(self.agent)

    @property
    def is_pull(self) -> bool:
        return not self.url


class VersionHealth(models.Model):
    """What probes of a version found, and when it is asked again. A row of its own: it changes often.

    `failures`: pings running that it did not answer; with three it is in quarantine by its probes. `answers`: pings
    running that it has answered since then.
    """

    agent = models.OneToOneField(Agent, on_delete=models.CASCADE, primary_key=True, related_name="health")
    failures = models.PositiveIntegerField(default=0)
    answers = models.PositiveSmallIntegerField(default=0)
    last_ok_at = models.DateTimeField(null=True)
    next_probe_at = models.DateTimeField(db_default=Now())
    last_detail = models.CharField(max_length=300, blank=True)

    def __str__(self) -> str:
        return f"{self.agent}: {self.failures}"
