"""Telling other people's sites what happened here: who wants to know, and every delivery with what came of it."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from matches.encryption import EncryptedBytesField
from matches.models import User
from matches.models.match import is_json_array
from matches.public_ids import PublicIdField


class WebhookEvent(models.TextChoices):
    MATCH_FINISHED = "match.finished", _("a match is finished")
    ROUND_DRAWN = "round.drawn", _("a round is drawn")
    STANDINGS_PUBLISHED = "standings.published", _("standings are published")


PING: Final = "ping"
"""What tries a webhook: nothing has happened, and its owner sees in the log what came back."""


class Webhook(models.Model):
    """An address of somebody's that is told of events. `tournament`: the id (`t_…`) to which it is kept, or empty.

    One that answers nothing good for days is switched off, with the reason. `not_before`: until then it is left alone,
    whatever it is owed. `claimed_until`: a worker sends what it is owed; by then, if not sooner, another one may.
    """

    public_id = PublicIdField(prefix="w_")
    owner = models.ForeignKey(User, verbose_name=_("owner"), on_delete=models.CASCADE, related_name="webhooks")
    url = models.URLField(_("address"), max_length=500)
    secret = EncryptedBytesField(editable=False)
    events = models.JSONField(_("events"), default=list)
    tournament = models.CharField(_("tournament"), max_length=24, blank=True)
    is_active = models.BooleanField(_("active"), default=True)
    reason = models.CharField(_("why it is switched off"), max_length=200, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True, editable=False)
    not_before = models.DateTimeField(null=True, blank=True, editable=False)
    claimed_until = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ["owner", "-created_at"]
        constraints = [models.CheckConstraint(name="webhook_events_are_a_list", condition=is_json_array("events"))]

    def __str__(self) -> str:
        return self.url


class WebhookDelivery(models.Model):
    """One event, or a trial, owed to one webhook; the row is also its log. `subject` with the event makes it once."""

    public_id = PublicIdField(prefix="msg_")
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(_("event"), max_length=20, choices=[*WebhookEvent.choices, (PING, _("a trial"))])
    subject = models.CharField(max_length=80, help_text=_("what happened, as one text: the same news has the same"))
    body = models.TextField()
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_try_at = models.DateTimeField(null=True, db_default=Now())
    created_at = models.DateTimeField(auto_now_add=True)
    delivered_at = models.DateTimeField(_("delivered"), null=True, blank=True)
    last_status = models.PositiveSmallIntegerField(_("HTTP status"), null=True, blank=True)
    last_detail = models.CharField(_("what came back"), max_length=300, blank=True)
    last_reply = models.TextField(blank=True)
    last_tried_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("delivery of an event")
        verbose_name_plural = _("deliveries of events")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(name="webhook_news_once", fields=["webhook", "event", "subject"]),
            models.CheckConstraint(name="webhook_event_known", condition=Q(event__in=[*WebhookEvent.values, PING])),
            models.CheckConstraint(
                name="webhook_delivered_or_owed", condition=Q(delivered_at=None) | Q(next_try_at=None)
            ),
        ]
        indexes = [
            models.Index(name="webhook_owed", fields=["next_try_at", "id"], condition=Q(next_try_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.event} → {self.webhook}"
