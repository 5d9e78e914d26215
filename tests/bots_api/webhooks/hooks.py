"""Webhooks and what they are owed, as the tests make them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from standardwebhooks import Webhook as Verifier

from bots_api.models import Webhook, WebhookDelivery
from bots_api.webhooks.services import add
from matches.models import User
from matches.services.announcing import announce
from tests.rogues.program import Behaviour, Exchange, Request

NEWS = {"id": "r_1", "url": "https://manela.example.org/r/1"}


def club(name: str = "anna") -> User:
    return User.objects.get_or_create(username=name)[0]


def hook_at(url: str, *events: str, tournament: str = "", owner: User | None = None) -> Webhook:
    """One whose first ping is over and forgotten."""
    with transaction.atomic():  # no worker sees the ping
        hook, _ = add(owner or club(), url, events or ("round.drawn",), tournament)
        hook.deliveries.all().delete()
    return hook


def tell(subject: str, content: Mapping[str, Any] = NEWS, event: str = "round.drawn", tournament: str = "") -> None:
    with transaction.atomic():
        announce(event, subject, content, tournament=tournament)


def due_now(**columns: Any) -> None:
    """Lets the pauses of all that is still owed be over, and every claim."""
    Webhook.objects.update(claimed_until=None, not_before=None)
    WebhookDelivery.objects.exclude(next_try_at=None).update(
        next_try_at=timezone.now() - timedelta(seconds=1), **columns
    )


def verified(request: Request, secret: str) -> Any:
    """What a receiver reads with the library that authors use; raises where the signature is wrong."""
    return Verifier(secret).verify(request.body, dict(request.headers))


def answering(*statuses: int, **headers: str) -> Behaviour:
    """These one by one, the last for ever; `retry_after="9"` is the header Retry-After."""
    left = list(statuses or (204,))

    async def answer(exchange: Exchange) -> None:
        status = left.pop(0) if len(left) > 1 else left[0]
        await exchange.reply(b"", status, {name.replace("_", "-"): value for name, value in headers.items()})

    return answer


def subjects(received: Sequence[Request], of: Callable[[Request], Any] = lambda one: one.message["data"]["id"]) -> list:
    return [of(request) for request in received]
