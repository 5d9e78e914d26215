"""What everybody may know becomes a row for each webhook that wants it, in the transaction that made it true."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import connection, transaction
from django.db.models import CharField, Func, Value

from bots_api import wire
from bots_api.models import Webhook, WebhookDelivery, WebhookEvent
from matches.api.serializers import MatchSerializer
from matches.audience import visible_matches
from matches.core.lifecycle import OVER, MatchStatus
from matches.models import Match, OutboxKind
from matches.services.wake import once_on_commit, send_hint

# Their keys are held: one that is removed at this moment would be missed at the commit, and the announcer with it.
WANTED = """
SELECT hook.id FROM bots_api_webhook AS hook JOIN matches_user AS owner ON owner.id = hook.owner_id
WHERE hook.is_active AND owner.is_active AND hook.events @> %s::jsonb AND hook.tournament IN ('', %s)
ORDER BY hook.id FOR KEY SHARE OF hook
"""
TOURNAMENT = "t_"


def owe(event: str, subject: str, content: Mapping[str, Any], *, tournament: str = "") -> None:
    """Writes down what every webhook that wants it is to be told: the listener of `announce`.

    `subject`: the same for the same news told twice, which is owed once.
    """
    with connection.cursor() as cursor:
        cursor.execute(WANTED, [json.dumps([event]), tournament])
        wanted = [key for (key,) in cursor.fetchall()]
    if not wanted:
        return
    body = body_of(event, content)
    WebhookDelivery.objects.bulk_create(
        (WebhookDelivery(webhook_id=key, event=event, subject=subject, body=body) for key in wanted),
        ignore_conflicts=True,
    )
    once_on_commit(wake_webhooks)


@transaction.atomic
def take_back(event: str, subjects: Collection[str]) -> None:
    """Forgets what has not arrived yet of news that is not for everybody any more: it is neither sent nor shown.

    `subjects`: the first words of theirs. Told anew, it is owed anew. Locks the webhooks in question.
    """
    first_word = Func("subject", Value(" "), Value(1), function="split_part", output_field=CharField())
    kept_back = WebhookDelivery.objects.alias(about=first_word).filter(
        event=event, about__in=list(subjects), delivered_at=None
    )
    hooks = Webhook.objects.select_for_update(no_key=True).filter(pk__in=kept_back.values("webhook"))
    kept_back.filter(webhook__in=list(hooks.order_by("pk"))).delete()


def body_of(event: str, content: Mapping[str, Any]) -> str:
    """The payload of Standard Webhooks, the same bytes at every try."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return wire.encode({"type": event, "timestamp": now, "data": content}).decode()


def take(kind: OutboxKind, match: Match) -> None:
    """The outbox consumer: a match that is over, or whose result has changed since, and that anybody may see.

    It looks at the match, not at the news: of two corrections at once the last is told.
    """
    if not Webhook.objects.filter(is_active=True, events__contains=[WebhookEvent.MATCH_FINISHED]).exists():
        return
    told = (
        visible_matches(AnonymousUser())
        .filter(pk=match.pk, status__in=list(OVER), finished_at__isnull=False)
        .select_related("result__report")
        .prefetch_related("seats__agent__player", "result__seats")
        .first()
    )
    if told is not None:
        tournament = tournament_of(told)
        content = {**match_content(told), "tournament": tournament or None}
        owe(WebhookEvent.MATCH_FINISHED, f"{told.public_id} {_version(told)}", content, tournament=tournament)


def match_content(match: Match) -> dict[str, Any]:
    """A match as the API's list shows it, with its addresses."""
    addresses = {
        "url": f"{settings.PUBLIC_URL}{match.get_absolute_url()}",
        "api_url": f"{settings.PUBLIC_URL}/api/v1/matches/{match.public_id}",
    }
    return {**MatchSerializer(match).data, **addresses}


def tournament_of(match: Match) -> str:
    """Empty for a match outside of tournaments; those of one take turns at the workers under its public id."""
    return match.group if match.group.startswith(TOURNAMENT) else ""


def _version(match: Match) -> str:
    """Which state of the result it is: a correction is news of its own, and so is an annulment."""
    if match.status == MatchStatus.VOID:
        return "void"
    report = match.result.report
    return str(report.version if report else 0)


def wake_webhooks() -> None:
    from bots_api.tasks import deliver_webhooks

    send_hint(lambda: deliver_webhooks.apply_async(expires=10, retry=False))
