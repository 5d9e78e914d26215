"""Delivering what webhooks are owed: at least once each, and to each in the order in which it is due.

A worker takes a webhook for a bounded time with what it is owed, and no transaction lasts while somebody's server
thinks. Whoever is killed between sending and noting what came back has sent it once for nothing: it is sent again with
the same id, once the webhook is free.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter

from django.db import transaction
from django.db.models import F, Min, Q, QuerySet, Window
from django.db.models.functions import Now, RowNumber
from django.utils import timezone

from bots_api.models import Webhook, WebhookDelivery
from bots_api.webhooks.sending import GONE, Outcome, Sending

AT_ONCE = 32
LOOK_AHEAD = 4
"""Workers that look at the same moment each pass over what the others lock."""
SHARE = 8
"""What a webhook is sent in one turn, at most."""
CLAIM = timedelta(seconds=60)
RUN_SECONDS = 30
LOOK_AGAIN_SECONDS = 0.5
FAILING = timedelta(days=3)
FORGOTTEN_AFTER = timedelta(days=30)

Share = Sequence[WebhookDelivery]


def deliver_due(seconds: float = RUN_SECONDS) -> int:
    """Sends what is owed and due until nothing is, for a bounded time; returns how many arrived.

    Every place that falls free is filled at once, so that a slow server keeps nobody waiting but itself.
    """
    until, arrived = time.monotonic() + seconds, 0
    running: dict[Future[list[Outcome]], Webhook] = {}
    if not _due().exists():
        return 0
    with Sending() as sending:
        while True:
            if time.monotonic() < until:
                running |= {sending.start(share): share[0].webhook for share in claim(AT_ONCE - len(running))}
            if not running:
                return arrived
            done, _ = wait(running, timeout=LOOK_AGAIN_SECONDS, return_when=FIRST_COMPLETED)
            arrived += sum(_noted(running.pop(future), future.result()) for future in done)


def _noted(hook: Webhook, outcomes: Sequence[Outcome]) -> int:
    """Writes what came of a share, and lets the webhook go; how many arrived."""
    for outcome in outcomes:
        note(outcome)
    Webhook.objects.filter(pk=hook.pk, claimed_until=hook.claimed_until).update(claimed_until=None)
    return sum(outcome.arrived for outcome in outcomes)


def _due() -> QuerySet[WebhookDelivery]:
    is_free = Q(webhook__claimed_until=None) | Q(webhook__claimed_until__lte=Now())
    return WebhookDelivery.objects.filter(
        is_free, next_try_at__lte=Now(), webhook__is_active=True, webhook__owner__is_active=True
    )


@transaction.atomic
def claim(most: int) -> list[Share]:
    """Takes up to so many webhooks that nobody has, the longest due first, and what each is to be sent now.

    Counts the tries. Locks the webhooks; those that others have locked are passed over.
    """
    longest = _due().values("webhook").annotate(since=Min("next_try_at")).order_by("since", "webhook")
    order = list(longest.values_list("webhook", flat=True)[: most * LOOK_AHEAD])
    is_free = Q(claimed_until=None) | Q(claimed_until__lte=Now())
    locked = Webhook.objects.select_for_update(skip_locked=True, no_key=True).filter(is_free, pk__in=order)
    hooks = {hook.pk: hook for hook in sorted(locked, key=lambda hook: order.index(hook.pk))[:most]}
    _take(hooks.values(), timezone.now() + CLAIM)
    rows = _shares_of(list(hooks))
    WebhookDelivery.objects.filter(pk__in=[row.pk for row in rows]).update(attempts=F("attempts") + 1)
    for row in rows:
        row.attempts += 1
        row.webhook = hooks[row.webhook_id]
    return [list(share) for _, share in groupby(rows, key=attrgetter("webhook_id"))]


def _take(hooks: Collection[Webhook], until: datetime) -> None:
    for hook in hooks:
        hook.claimed_until = until
    Webhook.objects.bulk_update(hooks, ["claimed_until"])


def _shares_of(hooks: Sequence[int]) -> list[WebhookDelivery]:
    due = WebhookDelivery.objects.filter(webhook__in=hooks, next_try_at__lte=Now())
    turn = Window(RowNumber(), partition_by=F("webhook"), order_by=["next_try_at", "id"])
    return list(due.annotate(turn=turn).filter(turn__lte=SHARE).order_by("webhook", "next_try_at", "id"))


@transaction.atomic
def note(outcome: Outcome) -> None:
    """Writes what came of a try, unless it was claimed anew meanwhile, and what follows for the webhook.

    Locks the webhook first, as all do who change it and what it is owed.
    """
    delivery = outcome.delivery
    hook = Webhook.objects.select_for_update(no_key=True).filter(pk=delivery.webhook_id).first()
    own = WebhookDelivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts)
    if not outcome.arrived:
        own = own.exclude(next_try_at=None)  # the webhook was switched off meanwhile
    if outcome.is_untried:
        own.update(attempts=F("attempts") - 1, next_try_at=_next_try(outcome))
        return
    written = own.update(
        delivered_at=Now() if outcome.arrived else None,
        next_try_at=_next_try(outcome),
        last_status=outcome.status,
        last_detail=outcome.detail,
        last_reply=outcome.reply,
        last_tried_at=Now(),
    )
    if hook is not None and written:
        _judge(hook, outcome)


def _next_try(outcome: Outcome) -> object:
    if outcome.arrived or outcome.pause_s is None:
        return None
    return Now() + timedelta(seconds=outcome.pause_s)


def _judge(hook: Webhook, outcome: Outcome) -> None:
    """What a try says of the webhook. Under its lock."""
    now = timezone.now()
    hook.failing_since = None if outcome.arrived else hook.failing_since or now
    hook.save(update_fields=["failing_since"])
    if outcome.status == GONE:
        switch_off(hook, "answered 410 Gone")
    elif hook.failing_since is not None and now - hook.failing_since >= FAILING:
        switch_off(hook, f"nothing good came back for {FAILING.days} days: {outcome.detail}")


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
