"""Requests that may be sent twice: with the header `Idempotency-Key` the second has the first one's answer.

The key, the change and the answer are written in one transaction, so that there is no moment at which one is there
without the others; of two at once the second waits for the first. Refusals are not kept: what was refused may be tried
again with the same key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import wraps
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from matches.models import KeptAnswer

HEADER = "Idempotency-Key"
LONGEST_KEY = 100
KEPT = timedelta(days=7)

KEY_PARAMETER = OpenApiParameter(
    HEADER,
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description=f"Any text of up to {LONGEST_KEY} characters. The same request with the same key, within "
    f"{KEPT.days} days, changes nothing more and has the same answer.",
)

Handler = Callable[..., Response]


class KeyReused(APIException):
    status_code = 422
    default_code = "key_reused"
    default_detail = f"This {HEADER} came with another request before: take a new key for a new request."


def idempotent(handler: Handler) -> Handler:
    """For methods of API views that write. Without the header they do what they did."""

    @wraps(handler)
    def answered(view: Any, request: Request, *arguments: Any, **named: Any) -> Response:
        key = request.headers.get(HEADER, "")
        if not key:
            return handler(view, request, *arguments, **named)
        if len(key) > LONGEST_KEY or not key.isprintable():
            raise ValidationError({HEADER: f"Expected up to {LONGEST_KEY} printable characters."})
        return _answered_once(request, key, lambda: handler(view, request, *arguments, **named))

    return answered


def _answered_once(request: Request, key: str, answer: Callable[[], Response]) -> Response:
    digest = _digest(request)
    own = KeptAnswer.objects.filter(user=request.user, key=key)
    try:
        with transaction.atomic():
            own.filter(created_at__lt=timezone.now() - KEPT).delete()
            kept = KeptAnswer.objects.create(user=request.user, key=key, request_sha256=digest)
            response = answer()
            kept.status, kept.body = response.status_code, _to_keep(response)
            kept.save(update_fields=["status", "body"])
            return response
    except IntegrityError:
        earlier = own.first()
        if earlier is None:
            raise
    if earlier.request_sha256 != digest:
        raise KeyReused
    return Response(earlier.body, status=earlier.status, headers={"Idempotency-Replayed": "true"})


class ShownOnce(Response):
    """An answer with secrets in it, under the names `secrets`: it is kept, and told again, with null in their place."""

    def __init__(self, content: Mapping[str, Any], secrets: Sequence[str], status: int = 200) -> None:
        super().__init__(dict(content), status=status, headers={"Cache-Control": "no-store"})
        self.secrets = frozenset(secrets)


def _to_keep(response: Response) -> Any:
    if not isinstance(response, ShownOnce):
        return response.data
    return {name: None if name in response.secrets else value for name, value in response.data.items()}


def _digest(request: Request) -> str:
    """What makes two requests the same: method, address and body, byte by byte."""
    content = b"\n".join([str(request.method).encode(), request.get_full_path().encode(), request._request.body])
    return hashlib.sha256(content).hexdigest()


def forget_old_answers() -> int:
    """Deletes answers that were kept long enough; returns how many."""
    return KeptAnswer.objects.filter(created_at__lt=timezone.now() - KEPT).delete()[0]
