"""Webhooks: registered, tried, changed, given another secret, removed; and a delivery sent once more."""

from __future__ import annotations

import re
import secrets
from base64 import b64encode
from collections.abc import Sequence

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now
from django.urls import reverse

from bots_api.addresses import AddressRefused, check_url
from bots_api.models import PING, Webhook, WebhookDelivery, WebhookEvent
from bots_api.webhooks.delivering import deliver_due, forget_old, switch_off
from bots_api.webhooks.owing import body_of, owe, take, take_back, wake_webhooks
from matches.models import User
from matches.public_ids import LENGTH, new_id
from matches.services.wake import once_on_commit

__all__ = [
    "WebhookRefused",
    "add",
    "change",
    "deliver_due",
    "forget_old",
    "owe",
    "ping",
    "remove",
    "rotate",
    "send_again",
    "shown_secret",
    "take",
    "take_back",
]
SECRET_BYTES = 32
MOST_WEBHOOKS = 10
LONGEST_URL = 500
_TOURNAMENT = re.compile(rf"t_[0-9A-Za-z]{{{LENGTH}}}")


class WebhookRefused(Exception):
    """It cannot be so; `code` is stable, `field` names what of the request is to be mended, if any."""

    def __init__(self, code: str, text: str, field: str = "") -> None:
        super().__init__(text)
        self.code, self.field = code, field


@transaction.atomic
def add(owner: User, url: str, events: Sequence[str], tournament: str = "") -> tuple[Webhook, str]:
    """A new webhook, which is sent a `ping` at once, and its secret in the form of Standard Webhooks.

    `tournament`: the id (`t_…`) to whose news it is kept. Locks the owner; raises WebhookRefused.
    """
    _check(url, events, tournament)
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    if owner.webhooks.count() >= MOST_WEBHOOKS:
        raise WebhookRefused("too_many", f"You have {MOST_WEBHOOKS} webhooks: remove one that is not needed.")
    made = Webhook.objects.create(
        owner=owner, url=url, events=_tidy(events), tournament=tournament, secret=secrets.token_bytes(SECRET_BYTES)
    )
    ping(made)
    return made, shown_secret(made)


@transaction.atomic
def ping(webhook: Webhook) -> WebhookDelivery:
    """Owes a webhook a message that tries it; one that has not arrived yet is sent again in place of another.

    Locks the webhook; raises WebhookRefused.
    """
    held = _lock(webhook)
    not_arrived = held.deliveries.filter(event=PING).exclude(next_try_at=None).first()
    return send_again(not_arrived or _owe_ping(held))


def _owe_ping(webhook: Webhook) -> WebhookDelivery:
    addresses = {
        "url": f"{settings.PUBLIC_URL}{reverse('webhook', args=[webhook.public_id])}",
        "api_url": f"{settings.PUBLIC_URL}/api/v1/webhooks/{webhook.public_id}",
    }
    content = {"webhook": webhook.public_id, "events": webhook.events, "tournament": webhook.tournament or None}
    body = body_of(PING, {**content, **addresses})
    return WebhookDelivery.objects.create(webhook=webhook, event=PING, subject=new_id(""), body=body)


@transaction.atomic
def change(
    webhook: Webhook,
    *,
    url: str | None = None,
    events: Sequence[str] | None = None,
    tournament: str | None = None,
    is_active: bool | None = None,
) -> Webhook:
    """Changes what is given. One that is switched on again is told of what happens from then on.

    Locks the webhook; raises WebhookRefused.
    """
    held = _lock(webhook)
    held.url = held.url if url is None else url
    held.events = held.events if events is None else _tidy(events)
    held.tournament = held.tournament if tournament is None else tournament
    _check(held.url, held.events, held.tournament)
    held.save(update_fields=["url", "events", "tournament"])
    if is_active is False:
        switch_off(held, "switched off by its owner")
    elif is_active and not held.is_active:
        held.is_active, held.reason, held.failing_since, held.not_before = True, "", None, None
        held.save(update_fields=["is_active", "reason", "failing_since", "not_before"])
    return held


@transaction.atomic
def remove(webhook: Webhook) -> None:
    """Deletes a webhook with its log; a second time changes nothing."""
    # The lock keeps news out that would be owed to it while its log is being deleted.
    held = Webhook.objects.select_for_update().filter(pk=webhook.pk).first()
    if held is not None:
        held.delete()


@transaction.atomic
def rotate(webhook: Webhook) -> str:
    """Gives it a new secret, which signs from now on, and returns it as it is shown.

    What the other side refuses until it knows the new one is sent again, so that nothing is lost by it. Locks the
    webhook; raises WebhookRefused.
    """
    held = _lock(webhook)
    held.secret = secrets.token_bytes(SECRET_BYTES)
    held.save(update_fields=["secret"])
    return shown_secret(held)


def _lock(webhook: Webhook) -> Webhook:
    held = Webhook.objects.select_for_update(no_key=True).filter(pk=webhook.pk).first()
    if held is None:
        raise WebhookRefused("removed", "The webhook has been removed.")
    return held


def shown_secret(webhook: Webhook) -> str:
    """The signing secret in the form of Standard Webhooks, for its owner's eyes."""
    return "whsec_" + b64encode(bytes(webhook.secret)).decode()


@transaction.atomic
def send_again(delivery: WebhookDelivery) -> WebhookDelivery:
    """Owes a delivery once more, now, with the same id and body, whatever became of it; its tries begin anew.

    The webhook rests no longer. Changes nothing while the delivery is due, or being sent. Locks the webhook; raises
    WebhookRefused.
    """
    held = _lock(delivery.webhook)
    if not held.is_active:
        raise WebhookRefused("switched_off", "The webhook is switched off: switch it on first.")
    own = WebhookDelivery.objects.filter(pk=delivery.pk)
    own.exclude(next_try_at__lte=Now()).update(next_try_at=Now(), delivered_at=None, attempts=0)
    Webhook.objects.filter(pk=held.pk).update(not_before=None)
    once_on_commit(wake_webhooks)
    if (owed := own.first()) is None:
        raise WebhookRefused("removed", "The delivery has been forgotten.")
    return owed


def _check(url: str, events: Sequence[str], tournament: str) -> None:
    if len(url) > LONGEST_URL:
        raise WebhookRefused("address_refused", f"An address has {LONGEST_URL} characters at most.", "url")
    try:
        check_url(url, allow_http=settings.PUSH_ALLOW_HTTP, allow_loopback=settings.PUSH_ALLOW_LOOPBACK)
    except AddressRefused as refusal:
        raise WebhookRefused(refusal.code, str(refusal), "url") from refusal
    if unknown := sorted(set(events) - set(WebhookEvent.values)):
        expected = ", ".join(WebhookEvent.values)
        raise WebhookRefused("unknown_event", f"{', '.join(unknown)}: no such event. There are: {expected}.", "events")
    if not events:
        expected = ", ".join(WebhookEvent.values)
        raise WebhookRefused("no_event", f"Choose what it is to be told of: {expected}.", "events")
    if tournament and not _TOURNAMENT.fullmatch(tournament):
        text = "Expected the id of a tournament, t_…, or nothing for all of them."
        raise WebhookRefused("bad_tournament", text, "tournament")


def _tidy(events: Sequence[str]) -> list[str]:
    return sorted(set(events))
