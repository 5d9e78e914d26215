"""What a version went through before it was let play: each case with the request and the reply."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from bots_api.models.bots import BotVersion
from matches.public_ids import PublicIdField


class QualificationStatus(models.TextChoices):
    WAITING = "waiting", _("waiting for its turn")
    RUNNING = "running", _("running")
    PASSED = "passed", _("passed")
    FAILED = "failed", _("failed")


class Qualification(models.Model):
    """One run of the cases against one version. At most one of a version is not over."""

    public_id = PublicIdField(prefix="q_")
    version = models.ForeignKey(BotVersion, on_delete=models.CASCADE, related_name="qualifications")
    status = models.CharField(_("status"), max_length=8, choices=QualificationStatus, default="waiting")
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(name="qualification_known", condition=Q(status__in=QualificationStatus.values)),
            models.UniqueConstraint(
                name="qualification_one_running", fields=["version"], condition=Q(status__in=["waiting", "running"])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.status}"


class CaseOutcome(models.TextChoices):
    PASSED = "passed", _("passed")
    FAILED = "failed", _("failed")
    WARNED = "warned", _("passed, with a warning")
    SKIPPED = "skipped", _("does not apply")


class QualificationCase(models.Model):
    """One case of a run, in order. Request and reply are whole where it failed; they are the owner's alone."""

    qualification = models.ForeignKey(Qualification, on_delete=models.CASCADE, related_name="cases")
    number = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=30)
    outcome = models.CharField(max_length=8, choices=CaseOutcome)
    detail = models.TextField(blank=True)
    request = models.TextField(blank=True)
    reply = models.TextField(blank=True)
    elapsed_ms = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["qualification", "number"]
        constraints = [
            models.UniqueConstraint(name="qualification_case_once", fields=["qualification", "number"]),
            models.CheckConstraint(name="qualification_case_known", condition=Q(outcome__in=CaseOutcome.values)),
        ]

    def __str__(self) -> str:
        return f"{self.code}: {self.outcome}"
