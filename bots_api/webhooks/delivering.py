"""Sending what webhooks are owed: at least once each, in the order in which it is due.

A row is claimed by putting its next try off, so that no transaction lasts while somebody's server thinks. Whoever is
killed between sending and noting what came back has sent it once for nothing: it is sent again with the same id.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import attrgetter

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, Window
from django.db.models.functions import Now, RowNumber
from django.utils import timezone
from standardwebhooks import Webhook as Signer

from bots_api import wire
from bots_api.models import Webhook, WebhookDelivery
from bots_api.transport import CallFailed, HttpReply, Transport
from matches.lag import LagMeter

AT_ONCE = 32
BATCH = 64
OF_ONE = 8
"""Of a batch, what one webhook may have at most, one after the other."""
DEADLINE_MS = 5_000
IN_TURN_SECONDS = 15
"""After so long with one webhook the rest of its share goes back."""
CLAIM = timedelta(seconds=60)
RUN_SECONDS = 30
PAUSES_S = (5, 30, 300, 1_800, 7_200, 21_600, 43_200, 86_400)
LONGEST_RETRY_AFTER_S = 3_600
FAILING = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one try: `status` None where no answer came, and `is_untried` where there was none.

    `pause_s`: until the next try; None: there is none.
    """

    delivery: WebhookDelivery
    status: int | None = None
    detail: str = ""
    reply: str = ""
    pause_s: int | None = None
    is_untried: bool = False

    @property
    def arrived(self) -> bool:
        return self.status is not None and self.status // 100 == 2

    @property
    def ends_its_share(self) -> bool:
        """Whether there is no use in trying the next one: nobody answers, or nobody wants any more."""
        return self.status in (None, 410)


def deliver_due(seconds: float = RUN_SECONDS) -> int:
    """Sends what is owed and due until nothing is, for a bounded time; returns how many arrived."""
    arrived, until = 0, time.monotonic() + seconds
    while time.monotonic() < until and (claimed := claim(BATCH)):
        outcomes = asyncio.run(_send_all(claimed))
        for outcome in outcomes:
            note(outcome)
        arrived += sum(outcome.arrived for outcome in outcomes)
    return arrived


@transaction.atomic
def claim(limit: int) -> list[WebhookDelivery]:
    """Takes what is due, the longest due first and of one webhook no more than its share, and counts the try.

    Rows that others are claiming are passed over.
    """
    due = WebhookDelivery.objects.filter(
        next_try_at__lte=Now(), webhook__is_active=True, webhook__owner__is_active=True
    )
    turn = Window(RowNumber(), partition_by=F("webhook"), order_by=["next_try_at", "id"])
    chosen = due.annotate(turn=turn).filter(turn__lte=OF_ONE).order_by("next_try_at", "id")
    keys = list(chosen.values_list("pk", flat=True)[:limit])
    locked = WebhookDelivery.objects.select_for_update(skip_locked=True, of=["self"]).select_related("webhook")
    claimed = list(locked.filter(pk__in=keys, next_try_at__lte=Now()).order_by("next_try_at", "id"))
    own = WebhookDelivery.objects.filter(pk__in=[one.pk for one in claimed])
    own.update(next_try_at=Now() + CLAIM, attempts=F("attempts") + 1)
    for one in claimed:
        one.attempts += 1
    return claimed


async def _send_all(claimed: Sequence[WebhookDelivery]) -> list[Outcome]:
    """Each webhook's share in its order, many webhooks at once."""
    in_shares = sorted(claimed, key=attrgetter("webhook_id"))  # stable: within a share still by when it is due
    shares = [list(share) for _, share in groupby(in_shares, key=attrgetter("webhook_id"))]
    places, lag = asyncio.Semaphore(AT_ONCE), LagMeter()
    meter = asyncio.create_task(lag.run())
    transport = Transport(lag, allow_loopback=settings.PUSH_ALLOW_LOOPBACK, allow_http=settings.PUSH_ALLOW_HTTP)
    async with transport:
        outcomes = await asyncio.gather(*(_send_share(transport, share, places) for share in shares))
    meter.cancel()
    return [outcome for of_share in outcomes for outcome in of_share]


async def _send_share(
    transport: Transport, share: Sequence[WebhookDelivery], places: asyncio.Semaphore
) -> list[Outcome]:
    """Where nobody answers the rest is not tried, and waits for as long as what was."""
    outcomes: list[Outcome] = []
    async with places:
        until = time.monotonic() + IN_TURN_SECONDS
        for delivery in share:
            last = outcomes[-1] if outcomes else None
            if last is not None and last.ends_its_share:
                outcomes.append(Outcome(delivery, pause_s=last.pause_s or 0, is_untried=True))
            elif time.monotonic() > until:
                outcomes.append(Outcome(delivery, pause_s=0, is_untried=True))
            else:
                outcomes.append(await _send(transport, delivery))
    return outcomes


async def _send(transport: Transport, delivery: WebhookDelivery) -> Outcome:
    body = delivery.body.encode()
    headers = signed(bytes(delivery.webhook.secret), delivery.public_id, delivery.body)
    pause_s = _pause_after(delivery.attempts)
    try:
        reply = await transport.post(delivery.webhook.url, body, headers, DEADLINE_MS)
    except CallFailed as failure:
        return Outcome(delivery, detail=f"{failure.code}: {failure.detail}"[:300], pause_s=pause_s)
    detail = "" if reply.status // 100 == 2 else f"answered {reply.status}; expected 2xx"
    return Outcome(delivery, reply.status, detail, wire.excerpt(reply.body), _asked_for(reply, pause_s))


def signed(secret: bytes, message_id: str, body: str) -> dict[str, str]:
    """The headers of Standard Webhooks; the timestamp is that of this try."""
    now = datetime.now(UTC)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Signer(secret).sign(message_id, now, body),
    }


def _pause_after(attempts: int) -> int | None:
    """None: it was tried often enough."""
    return PAUSES_S[attempts - 1] if attempts <= len(PAUSES_S) else None


def _asked_for(reply: HttpReply, pause_s: int | None) -> int | None:
    """At least as long as the server asked for with Retry-After."""
    if pause_s is None or not wire.is_number(reply.retry_after):
        return pause_s
    return max(pause_s, min(int(reply.retry_after), LONGEST_RETRY_AFTER_S))


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
    if outcome.status == 410:
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


FORGOTTEN_AFTER = timedelta(days=30)


def forget_old() -> int:
    """Deletes what was delivered, or given up, so long ago that nobody asks for it; returns how many."""
    over = Q(delivered_at__lt=Now() - FORGOTTEN_AFTER)
    over |= Q(delivered_at=None, next_try_at=None, created_at__lt=Now() - FORGOTTEN_AFTER)
    return WebhookDelivery.objects.filter(over).delete()[0]
