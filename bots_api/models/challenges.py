"""One program asks others to a match, outside every tournament."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from matches.core.clocks import Control
from matches.core.plan import Length
from matches.models import Agent, Match, User
from matches.models.match import is_json_object
from matches.public_ids import PublicIdField


class ChallengeStatus(models.TextChoices):
    OFFERED = "offered", _("waits for an answer")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    CANCELLED = "cancelled", _("taken back")
    EXPIRED = "expired", _("expired")


class Challenge(models.Model):
    """A match that somebody wants to be played, and what became of the wish; accepted, it has its match.

    The columns of the plan are `MatchPlan`'s. `rated`: kept until there are ratings; never so between programs of one
    owner.
    """

    public_id = PublicIdField(prefix="c_")
    made_by = models.ForeignKey(User, verbose_name=_("made by"), on_delete=models.CASCADE, related_name="challenges")
    status = models.CharField(_("status"), max_length=9, choices=ChallengeStatus, default=ChallengeStatus.OFFERED)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    rules = models.CharField(_("rules"), max_length=40)
    overrides = models.JSONField(_("overrides"), default=dict, blank=True)
    length = models.CharField(
        _("length"), max_length=8, choices=[(one.value, one.value) for one in Length], default=Length.BOARDS
    )
    boards = models.PositiveSmallIntegerField(_("boards"), default=2)
    deals = models.PositiveSmallIntegerField(_("deals a board"), null=True, blank=True)
    control = models.CharField(
        _("time control"), max_length=8, choices=[(one.value, one.value) for one in Control], default=Control.LADDER
    )
    strict = models.BooleanField(_("first fault forfeits"), default=False)
    rated = models.BooleanField(_("rated"), default=False)
    match = models.OneToOneField(Match, null=True, blank=True, on_delete=models.PROTECT, related_name="challenge")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"))

    class Meta:
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(name="challenge_status_known", condition=Q(status__in=ChallengeStatus.values)),
            models.CheckConstraint(name="challenge_overrides_are_an_object", condition=is_json_object("overrides")),
            models.CheckConstraint(
                name="challenge_accepted_has_match",
                condition=Q(status="accepted", match__isnull=False) | (~Q(status="accepted") & Q(match=None)),
            ),
        ]
        indexes = [models.Index(name="challenge_to_expire", fields=["expires_at"], condition=Q(status="offered"))]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        return reverse("challenge", args=[self.public_id])


class SeatAnswer(models.TextChoices):
    PENDING = "pending", _("has not answered")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")


class ChallengeSeat(models.Model):
    """Who is to sit where; the first seat is the challenger's. In pairs the seat opposite is the partner's."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    agent = models.ForeignKey(
        Agent, verbose_name=_("version"), on_delete=models.PROTECT, related_name="challenge_seats"
    )
    answer = models.CharField(max_length=8, choices=SeatAnswer, default=SeatAnswer.PENDING)

    class Meta:
        ordering = ["challenge", "index"]
        constraints = [
            models.UniqueConstraint(name="challenge_seat_once", fields=["challenge", "index"]),
            models.CheckConstraint(name="challenge_answer_known", condition=Q(answer__in=SeatAnswer.values)),
            models.CheckConstraint(name="challenge_seat_at_table", condition=Q(index__lte=3)),
        ]

    def __str__(self) -> str:
        return f"{self.index}: {self.agent}"
