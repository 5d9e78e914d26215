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


class Result(models.Model):
    """One row per match: `match` is the primary key, so that a second cannot exist."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="result")
    forfeited_parties = models.PositiveSmallIntegerField(_("forfeited parties"), default=0)
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")

    def __str__(self) -> str:
        return f"{self.match}: " + " : ".join(str(seat.points) for seat in self.seats.all())


class ResultSeat(models.Model):
    """What one seat of a match brought home; partners the same.

    `points` are in the match's unit: card points, parties won, or stakes.
    """

    result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField()
    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="result_seats")
    points = models.IntegerField(_("points"), help_text=_("in what the match counts: points, parties or stakes"))
    card_points = models.IntegerField(_("card points"), help_text=_("sum of the side's totals over all parties"))
    place = models.PositiveSmallIntegerField(_("place"), help_text=_("from 1; equal sides share it"))
    outcome = models.CharField(_("outcome"), max_length=5, choices=[(o.value, o.value) for o in Outcome])

    class Meta:
        ordering = ["result", "index"]
        constraints = [
            models.UniqueConstraint(name="result_seat_once", fields=["result", "index"]),
            models.CheckConstraint(name="result_outcome_known", condition=Q(outcome__in=[o.value for o in Outcome])),
            models.CheckConstraint(
                name="result_outcome_as_place",
                condition=Q(outcome="lost", place__gte=2) | (~Q(outcome="lost") & Q(place=1)),
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
