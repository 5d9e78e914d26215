"""How a match was decided: written once, whoever sends it, however often."""

from __future__ import annotations

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import RangeOperators
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from matches.core.outcome import Outcome
from matches.models.match import Match
from matches.models.people import Agent
from matches.models.report import ScoreReport


class ResultKind(models.TextChoices):
    PLAYED = "played", _("played")
    FORFEIT = "forfeit", _("forfeited")


class Result(models.Model):
    """One row per match: `match` is the primary key, so that a second cannot exist.

    `report`: the confirmed version that it says again; none where lanes played the match and nobody ruled otherwise.
    `kind`: forfeited where a side was absent.
    """

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="result")
    kind = models.CharField(_("kind"), max_length=8, choices=ResultKind, default=ResultKind.PLAYED)
    report = models.OneToOneField(
        ScoreReport,
        verbose_name=_("by version"),
        null=True,
        blank=True,
        on_delete=models.RESTRICT,
        related_name="result",
    )
    forfeited_parties = models.PositiveSmallIntegerField(_("forfeited parties"), default=0)
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        constraints = [models.CheckConstraint(name="result_kind_known", condition=Q(kind__in=ResultKind.values))]

    def __str__(self) -> str:
        return f"{self.match}: " + " : ".join(str(seat.points) for seat in self.seats.all())


class ResultSeat(models.Model):
    """What one seat of a match brought home; partners the same.

    `points` are in the match's unit: card points, parties won, or stakes. `parties`: how many its side won, where that
    is known. `is_absent`: the side did not come, or did not play on, and has lost for that.
    """

    result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField()
    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="result_seats")
    points = models.IntegerField(_("points"), help_text=_("in what the match counts: points, parties or stakes"))
    card_points = models.IntegerField(_("card points"), help_text=_("sum of the side's totals over all parties"))
    parties = models.PositiveSmallIntegerField(_("parties won"), null=True, blank=True)
    place = models.PositiveSmallIntegerField(_("place"), help_text=_("from 1; equal sides share it"))
    outcome = models.CharField(_("outcome"), max_length=5, choices=[(o.value, o.value) for o in Outcome])
    is_absent = models.BooleanField(_("absent"), default=False)

    class Meta:
        ordering = ["result", "index"]
        constraints = [
            models.UniqueConstraint(name="result_seat_once", fields=["result", "index"]),
            models.CheckConstraint(name="result_outcome_known", condition=Q(outcome__in=[o.value for o in Outcome])),
            models.CheckConstraint(
                name="result_outcome_as_place",
                condition=Q(outcome="lost", place__gte=2) | (~Q(outcome="lost") & Q(place=1)),
            ),
            models.CheckConstraint(
                name="result_absent_has_lost", condition=Q(is_absent=False) | Q(outcome="lost", points=0)
            ),
            models.CheckConstraint(name="result_place_at_table", condition=Q(place__gte=1, place__lte=4)),
            models.CheckConstraint(
                name="result_seat_on_a_side",
                condition=Q(side=F("index"), index__lte=3) | Q(index__gte=2, index__lte=3, side=F("index") - 2),
            ),
            ExclusionConstraint(
                name="result_won_by_one_side",
                expressions=[("result", RangeOperators.EQUAL), ("side", RangeOperators.NOT_EQUAL)],
                condition=Q(outcome="won"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.agent}: {self.points} ({self.outcome})"
