"""The mailbox of versions that call us: decisions that are open or were answered, notices, and who is there.

Rows are the truth and times are the database's own clock, so that it is all one which of many processes gave a
decision out and which took the answer in. What passes through the broker are hints to look here.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from bots_api.models.messages import MessageType
from matches.models import Agent


class DecisionState(models.TextChoices):
    OPEN = "open", _("open")
    ANSWERED = "answered", _("answered")
    CLOSED = "closed", _("closed")


class PullDecision(models.Model):
    """One decision asked of a version that calls us, and what came of it: the first answer, or why there is none.

    `body`: the decision object as it goes out, one line of JSON. The clock starts at `given_at`, when it had been
    flushed to the program, and at the latest two seconds after `made_at`. `played`: what lies on the table instead
    of an answer, with its `cause`. `is_correctable`: an illegal action is answered by 422 once more in this game.
    `revokes`: cards that are laid in place of the default if they are tried (R66), as the plain actions.

    The numbers of one version, notices and decisions together, become visible in their order: whoever has seen one
    has missed none below it.
    """

    decision_id = models.CharField(max_length=26, unique=True)
    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="pull_decisions")
    seq = models.BigIntegerField()
    game = models.CharField(max_length=24)
    match = models.CharField(max_length=24)
    body = models.TextField()
    legal = ArrayField(models.CharField(max_length=20))
    default_action = models.CharField(max_length=20)
    revokes = ArrayField(models.CharField(max_length=20), default=list)
    budget_ms = models.PositiveIntegerField()
    bank_ms = models.PositiveIntegerField()
    grace_ms = models.PositiveIntegerField()
    is_correctable = models.BooleanField(default=True)
    is_corrected = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=DecisionState, default=DecisionState.OPEN)
    made_at = models.DateTimeField(db_default=Now())
    given_at = models.DateTimeField(null=True)
    decided_at = models.DateTimeField(null=True)
    action = models.CharField(max_length=20, blank=True)
    note = models.CharField(max_length=200, blank=True)
    elapsed_ms = models.PositiveIntegerField(default=0)
    cause = models.CharField(max_length=12, blank=True)
    tried = models.CharField(max_length=20, blank=True, help_text=_("the second illegal action"))
    played = models.CharField(max_length=20, blank=True)
    first_tried = models.CharField(max_length=40, blank=True, help_text=_("the first illegal action, to be corrected"))
    reply = models.TextField(blank=True, help_text=_("the last answer that was refused, as it came"))

    class Meta:
        constraints = [
            models.CheckConstraint(name="pull_state_known", condition=Q(state__in=DecisionState.values)),
            models.CheckConstraint(
                name="pull_answered_or_closed",
                condition=Q(state="open", action="", cause="", decided_at=None)
                | (Q(state="answered", cause="", decided_at__isnull=False) & ~Q(action=""))
                | (Q(state="closed", action="", decided_at__isnull=False) & ~Q(cause="")),
            ),
        ]
        indexes = [
            models.Index(name="pull_open", fields=["agent", "seq"], condition=Q(state="open")),
            models.Index(name="pull_old", fields=["made_at"]),
        ]

    def __str__(self) -> str:
        return f"{self.decision_id}: {self.state}"


class PullNotice(models.Model):
    """A message to a version that calls us which wants no answer. Kept for minutes, for whoever reconnects."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="pull_notices")
    seq = models.BigIntegerField()
    message = models.CharField(max_length=16, choices=MessageType)
    body = models.TextField()
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(name="pull_notice_once", fields=["agent", "seq"]),
            models.CheckConstraint(name="pull_notice_known", condition=Q(message__in=MessageType.values)),
        ]
        indexes = [models.Index(name="pull_notice_old", fields=["made_at"])]

    def __str__(self) -> str:
        return f"{self.message} {self.seq}"


class Presence(models.Model):
    """Whether a version that calls us is there. `stream`: the number of its newest stream; an older one ends."""

    agent = models.OneToOneField(Agent, on_delete=models.CASCADE, primary_key=True, related_name="presence")
    stream = models.BigIntegerField(default=0)
    seen_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.agent}: {self.seen_at}"


class PullServer(models.Model):
    """A process that serves programs which call us, when it last said that it lives, and since when without a gap.

    While none does, no program can answer, and nobody's clock runs.
    """

    name = models.CharField(max_length=80, primary_key=True)
    alive_since = models.DateTimeField(db_default=Now())
    seen_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.name
