"""What was sent to programs and what they answered: counters, and the log that their owners read."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from matches.models import Agent


class MessageCounter(models.Model):
    """How many messages a version has been sent: the protocol's `seq`. A row of its own, since it changes often.

    `key_changes`: how often the version's signing secrets were changed. Whoever draws a number learns of it, so that
    no message numbered after a change is signed as before it.
    """

    agent = models.OneToOneField(Agent, on_delete=models.CASCADE, primary_key=True, related_name="message_counter")
    last_seq = models.BigIntegerField(default=0)
    key_changes = models.PositiveIntegerField(default=0, db_default=0)

    def __str__(self) -> str:
        return f"{self.agent}: {self.last_seq}"


class MessageType(models.TextChoices):
    PING = "ping", _("ping")
    GAME_START = "game_start", _("game start")
    DECISION = "decision", _("decision")
    DEAL_OVER = "deal_over", _("deal over")
    GAME_OVER = "game_over", _("game over")
    DECISION_CLOSED = "decision_closed", _("decision closed")


class Delivery(models.Model):
    """One message to a program and what came of it. Its owner alone may read it.

    Request and reply are kept whole only where something went wrong; `outcome` is `ok` or the fault's code. A message
    that was `dropped` before it was sent has the number 0. `is_repeat`: sent again for its owner to look at, so that
    whatever came back is no fault.
    """

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="deliveries")
    message = models.CharField(_("message"), max_length=16, choices=MessageType)
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
    is_repeat = models.BooleanField(_("sent again"), default=False, db_default=False)
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
