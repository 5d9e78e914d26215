"""A match that was annulled asks nothing more: what is open of it in the mailbox is closed, and the programs told."""

from __future__ import annotations

from django.db.models.functions import Now

from bots_api.messages import decision_closed
from bots_api.models import DecisionState, MessageType, PullDecision
from bots_api.pull.mailbox import Notice, notice, sending
from matches.core.faults import Cause
from matches.models import Match, OutboxKind
from matches.services.journal import write_together


def take(kind: OutboxKind, match: Match) -> None:
    """The outbox consumer: nothing was played for these decisions, and no answer to them is accepted. Locks them.

    A program that we call is not told: its call comes to an end by itself.
    """
    if kind != OutboxKind.MATCH_VOIDED:
        return
    still_open = PullDecision.objects.filter(match=match.public_id, state=DecisionState.OPEN)
    closed = list(still_open.select_for_update(no_key=True).order_by("pk"))
    PullDecision.objects.filter(pk__in=[row.pk for row in closed]).update(
        state=DecisionState.CLOSED, cause=Cause.ADMIN_VOID, decided_at=Now()
    )
    if closed:
        write_together([sending([_told(row) for row in closed])])


def _told(row: PullDecision) -> Notice:
    message = decision_closed(row, row.decision_id, "", Cause.ADMIN_VOID)
    return notice(row.agent_id, MessageType.DECISION_CLOSED, message)
