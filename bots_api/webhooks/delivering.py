"""Delivering what webhooks are owed: at least once each, and to each in the order in which it is due.

A worker takes a webhook for a bounded time with what it is owed, and no transaction lasts while somebody's server
thinks. Whoever is killed between sending and noting what came back has sent it once for nothing: it is sent again with
the same id, once the webhook is free. A webhook where something did not arrive is left alone for a while, with all that
it is owed, and no host is called more than twice at the same moment, whoever has registered it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter

from django.db import connection, transaction
from django.db.models import F, Q, Window
from django.db.models.functions import Least, Now, RowNumber
from django.utils import timezone

from bots_api.models import Webhook, WebhookDelivery
from bots_api.webhooks.sending import GONE, Outcome, Sending

logger = logging.getLogger(__name__)
AT_ONCE = 32
AT_ONCE_AT_A_HOST = 2
SHARE = 8
"""What a webhook is sent in one turn, at most."""
CLAIM = timedelta(seconds=60)
RUN_SECONDS = 30
LOOK_AGAIN_SECONDS = 0.5
FAILING = timedelta(days=3)
LEAST_REST, MOST_REST = timedelta(seconds=5), timedelta(minutes=30)
"""A webhook that fails is left alone for as long as it has been failing, within these."""
MOST_ATTEMPTS = 30_000
FORGOTTEN_AFTER = timedelta(days=30)

Share = Sequence[WebhookDelivery]

LOCK = 0x4D6E6C77
"""The advisory lock of whoever claims, so that what is counted for a host is exact."""
# Of each host as many as its others leave room for, the longest due first.
LONGEST_DUE = r"""
WITH hook AS (
    SELECT id, owner_id, rtrim(lower(substring(url FROM '^[^:]+://(\[[^]]*\]|[^/:?#]+)')), '.') AS host,
        coalesce(claimed_until > clock_timestamp(), false) AS is_taken,
        is_active AND coalesce(not_before <= clock_timestamp(), true) AS is_told
    FROM bots_api_webhook
), taken AS (
    SELECT host, count(*) AS number FROM hook WHERE is_taken GROUP BY host
), due AS (
    SELECT hook.id, hook.host, min(delivery.next_try_at) AS since
    FROM bots_api_webhookdelivery AS delivery
    JOIN hook ON hook.id = delivery.webhook_id
    JOIN matches_user AS owner ON owner.id = hook.owner_id
    WHERE delivery.next_try_at <= clock_timestamp() AND is_told AND NOT is_taken AND owner.is_active
    GROUP BY hook.id, hook.host
), ranked AS (
    SELECT id, host, since, row_number() OVER (PARTITION BY host ORDER BY since, id) AS place FROM due
)
SELECT id FROM ranked LEFT JOIN taken USING (host)
WHERE place + coalesce(taken.number, 0) <= %s ORDER BY since, id LIMIT %s
"""


def deliver_due(seconds: float = RUN_SECONDS) -> int:
    """Sends what is owed and due until nothing is, for a bounded time; returns how many arrived.

    Every place that falls free is filled at once, so that a slow server keeps nobody waiting but itself.
    """
    until, arrived = time.monotonic() + seconds, 0
    running: dict[Future[list[Outcome]], Webhook] = {}
    if not _longest_due(1):
        return 0
    with Sending() as sending:
        while True:
            if time.monotonic() < until:
                running |= {sending.start(share): share[0].webhook for share in claim(AT_ONCE - len(running))}
            if not running:
                return arrived
            done, _ = wait(running, timeout=LOOK_AGAIN_SECONDS, return_when=FIRST_COMPLETED)
            arrived += sum(_noted(running.pop(future), future) for future in done)


def _noted(hook: Webhook, sent: Future[list[Outcome]]) -> int:
    """Writes what came of a share, and lets the webhook go; how many arrived."""
    try:
        outcomes = sent.result()
        for outcome in outcomes:
            note(outcome)
    except Exception:  # others are not kept waiting by what one of them brings about
        logger.exception("What %s is owed could not be sent or noted: it is tried again once it is free", hook.pk)
        return 0
    Webhook.objects.filter(pk=hook.pk, claimed_until=hook.claimed_until).update(claimed_until=None)
    return sum(outcome.arrived for outcome in outcomes)


def _longest_due(most: int) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(LONGEST_DUE, [AT_ONCE_AT_A_HOST, most])
        return [key for (key,) in cursor.fetchall()]


@transaction.atomic
def claim(most: int) -> list[Share]:
    """Takes up to so many webhooks that nobody has, the longest due first, and what each is to be sent now.

    Counts the tries. Locks the webhooks; those that others have locked are passed over. One worker after the other.
    """
    if most < 1:
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
    order = _longest_due(most)
    is_free = Q(claimed_until=None) | Q(claimed_until__lte=Now())
    locked = Webhook.objects.select_for_update(skip_locked=True, no_key=True).filter(is_free, pk__in=order)
    hooks = {hook.pk: hook for hook in locked}
    # Read under the lock: what was due when we looked may have been sent since, and who has nothing is not taken.
    shares = [list(share) for _, share in groupby(_shares_of(list(hooks)), key=attrgetter("webhook_id"))]
    until = timezone.now() + CLAIM
    for share in shares:
        _take(hooks[share[0].webhook_id], share, until)
    return sorted(shares, key=lambda share: order.index(share[0].webhook_id))


def _take(hook: Webhook, share: Share, until: datetime) -> None:
    hook.claimed_until = until
    hook.save(update_fields=["claimed_until"])
    tried = Least(F("attempts") + 1, MOST_ATTEMPTS)
    WebhookDelivery.objects.filter(pk__in=[row.pk for row in share]).update(attempts=tried)
    for row in share:
        row.attempts += 1
        row.webhook = hook


def _shares_of(hooks: Sequence[int]) -> list[WebhookDelivery]:
    due = WebhookDelivery.objects.filter(webhook__in=hooks, next_try_at__lte=Now())
    turn = Window(RowNumber(), partition_by=F("webhook"), order_by=["next_try_at", "id"])
    return list(due.annotate(turn=turn).filter(turn__lte=SHARE).order_by("webhook", "next_try_at", "id"))


@transaction.atomic
def note(outcome: Outcome) -> None:
    """Writes what came of a try, unless it was claimed anew meanwhile, and what follows for the webhook.

    Locks the webhook first, as all do who change it and what it is owed.
    """
    delivery, claim = outcome.delivery, outcome.delivery.webhook.claimed_until
    mine = Webhook.objects.select_for_update(no_key=True).filter(pk=delivery.webhook_id, claimed_until=claim)
    if (hook := mine.first()) is None:
        return
    own = WebhookDelivery.objects.filter(pk=delivery.pk)
    if not outcome.arrived:
        own = own.exclude(next_try_at=None)  # the webhook was switched off meanwhile
    if outcome.is_untried:
        own.update(attempts=F("attempts") - 1)
        return
    written = own.update(
        delivered_at=Now() if outcome.arrived else None,
        next_try_at=_next_try(outcome),
        last_status=outcome.status,
        last_detail=outcome.detail,
        last_reply=outcome.reply,
        last_tried_at=Now(),
    )
    if written:
        _judge(hook, outcome)


def _next_try(outcome: Outcome) -> object:
    if outcome.arrived or outcome.pause_s is None:
        return None
    return Now() + timedelta(seconds=max(outcome.pause_s, outcome.asked_s))


def _judge(hook: Webhook, outcome: Outcome) -> None:
    """What a try says of the webhook. Under its lock."""
    now = timezone.now()
    hook.failing_since = None if outcome.arrived else hook.failing_since or now
    hook.not_before = None if hook.failing_since is None else now + _rest(now - hook.failing_since, outcome.asked_s)
    hook.save(update_fields=["failing_since", "not_before"])
    if outcome.status == GONE:
        switch_off(hook, "answered 410 Gone")
    elif hook.failing_since is not None and now - hook.failing_since >= FAILING:
        switch_off(hook, f"nothing good came back for {FAILING.days} days: {outcome.detail}")


def _rest(failing: timedelta, asked_s: int) -> timedelta:
    return max(min(max(failing, LEAST_REST), MOST_REST), timedelta(seconds=asked_s))


def switch_off(hook: Webhook, reason: str) -> None:
    """Tells a webhook no more; what it is owed stays in its log. To be called under its lock."""
    if not hook.is_active:
        return
    hook.is_active, hook.reason = False, reason[:200]
    hook.save(update_fields=["is_active", "reason"])
    hook.deliveries.exclude(next_try_at=None).update(next_try_at=None)


def forget_old() -> int:
    """Deletes what was delivered, or given up, so long ago that nobody asks for it; returns how many."""
    over = Q(delivered_at__lt=Now() - FORGOTTEN_AFTER)
    over |= Q(delivered_at=None, next_try_at=None, created_at__lt=Now() - FORGOTTEN_AFTER)
    return WebhookDelivery.objects.filter(over).delete()[0]
