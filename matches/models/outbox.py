"""What other rooms are told: one row per event and consumer, made in the transaction of the event itself."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from matches.models.match import Match


class OutboxKind(models.TextChoices):
    MATCH_FINISHED = "match_finished", _("match finished")
    MATCH_STALLED = "match_stalled", _("match stalled")
    MATCH_VOIDED = "match_voided", _("match voided")
    RESULT_CORRECTED = "result_corrected", _("result corrected")


class Outbox(models.Model):
    """A delivery still owed, or made. At least once: consumers look at the match, not at the message."""

    kind = models.CharField(max_length=16, choices=OutboxKind)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="outbox")
    consumer = models.CharField(max_length=40)
    attempts = models.PositiveIntegerField(default=0)
    last_error = models.TextField(blank=True)
    next_try_at = models.DateTimeField(db_default=Now())
    created_at = models.DateTimeField(auto_now_add=True)
    delivered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("delivery to another room")
        verbose_name_plural = _("deliveries to other rooms")
        ordering = ["id"]
        constraints = [models.CheckConstraint(name="outbox_kind_known", condition=Q(kind__in=OutboxKind.values))]
        indexes = [
            models.Index(name="outbox_owed", fields=["next_try_at", "id"], condition=Q(delivered_at=None)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} → {self.consumer}"
