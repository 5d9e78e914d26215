"""What people said how a match ended, version by version: kept for good, and one of them confirmed at the most."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from matches.core.agreement import ReportedScore
from matches.models.match import Match, is_json_array
from matches.models.people import User


class ReportKind(models.TextChoices):
    REPORT = "report", _("reported by a side")
    RULING = "ruling", _("ruled by the organiser")


class ReportStatus(models.TextChoices):
    REPORTED = "reported", _("to be confirmed")
    CONFIRMED = "confirmed", _("confirmed")
    REJECTED = "rejected", _("not so")
    SUPERSEDED = "superseded", _("superseded")
    WITHDRAWN = "withdrawn", _("withdrawn")


class ScoreReport(models.Model):
    """One version of a match's score: a side's report, or an organiser's ruling. Its numbers never change.

    `points`, `parties` are by side, `absent` are sides; see `ReportedScore`. `side`: whose report it is. `confirmed_by`
    is of another side, or the organiser who ruled.
    """

    match = models.ForeignKey(Match, verbose_name=_("match"), on_delete=models.CASCADE, related_name="reports")
    version = models.PositiveSmallIntegerField(_("version"))
    kind = models.CharField(_("kind"), max_length=8, choices=ReportKind)
    points = models.JSONField(_("points"), help_text=_("per side"))
    parties = models.JSONField(_("parties won"), null=True, blank=True, help_text=_("per side, where they are told"))
    absent = models.JSONField(_("absent"), default=list, blank=True, help_text=_("sides that did not come"))
    side = models.PositiveSmallIntegerField(_("side"), null=True, blank=True)
    submitter = models.ForeignKey(
        User, verbose_name=_("by"), null=True, blank=True, on_delete=models.PROTECT, related_name="score_reports"
    )
    status = models.CharField(_("status"), max_length=10, choices=ReportStatus, default=ReportStatus.REPORTED)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    confirmed_by = models.ForeignKey(
        User, verbose_name=_("confirmed by"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(_("when"), auto_now_add=True)
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True)

    class Meta:
        verbose_name = _("reported score")
        verbose_name_plural = _("reported scores")
        ordering = ["match", "version"]
        constraints = [
            models.UniqueConstraint(name="report_version_once", fields=["match", "version"]),
            models.UniqueConstraint(name="report_confirmed_once", fields=["match"], condition=Q(status="confirmed")),
            models.UniqueConstraint(
                name="report_open_once_a_side", fields=["match", "side"], condition=Q(status="reported")
            ),
            models.CheckConstraint(name="report_kind_known", condition=Q(kind__in=ReportKind.values)),
            models.CheckConstraint(name="report_status_known", condition=Q(status__in=ReportStatus.values)),
            models.CheckConstraint(
                name="report_of_a_side",
                condition=Q(kind="report", side__isnull=False, side__lte=3) | Q(kind="ruling", side=None),
            ),
            models.CheckConstraint(name="report_ruling_is_settled", condition=Q(kind="report") | ~Q(status="reported")),
            models.CheckConstraint(
                name="report_settled_has_time",
                condition=Q(status="reported", settled_at=None) | (~Q(status="reported") & Q(settled_at__isnull=False)),
            ),
            models.CheckConstraint(name="report_points_are_an_array", condition=is_json_array("points")),
            models.CheckConstraint(name="report_parties_are_an_array", condition=is_json_array("parties")),
            models.CheckConstraint(name="report_absent_are_an_array", condition=is_json_array("absent")),
        ]

    def __str__(self) -> str:
        return f"{self.match} version {self.version}"

    @property
    def score(self) -> ReportedScore:
        parties = None if self.parties is None else tuple(self.parties)
        return ReportedScore(tuple(self.points), parties, frozenset(self.absent))

    @property
    def is_open(self) -> bool:
        return self.status == ReportStatus.REPORTED
