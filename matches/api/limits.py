"""Limits that are exact however many processes serve: each of them asks one moving window in the broker's server.

A limit is counted for an account, or for an address where nobody has signed in. While the server is away everything
is let through: it costs limits, never the service. Programs that play are asked and answered elsewhere
(`bots_api.pull`), and nothing there is counted.
"""

from __future__ import annotations

import logging
import math
import re
import time
from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

import redis
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from limits import RateLimitItem, RateLimitItemPerSecond
from limits.storage import RedisStorage
from limits.strategies import MovingWindowRateLimiter
from redis.backoff import NoBackoff
from redis.retry import Retry
from rest_framework.exceptions import Throttled
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from matches.core.limits import Limit, duration

logger = logging.getLogger(__name__)
NAMESPACE = "manela"
TIMEOUT_SECONDS = 2.0
PAUSE_SECONDS = 5.0
"""So long nobody asks a server that is not there."""
BREATH_SECONDS = 0.5
"""So long nobody asks one that was only slow: under load limits are wanted most."""
_HOME = 64
"""Bits of an IPv6 address that one customer has: the rest he chooses himself."""
_WITH_PORT = re.compile(r"\[([^\]]+)\](?::\d+)?|([\d.]+):\d+")
_away_until = 0.0

COUNTED = "counted_for"
"""The attribute of a request with the limits that it was counted for, and for whom."""
READING, WRITING = "reading", "writing"

Handler = Callable[..., Response]


class LimitReached(Throttled):
    """Too many within the window. `name`: which limit; `wait`: whole seconds until the next is let through."""

    default_code = "rate_limited"

    def __init__(self, name: str, limit: Limit, wait_s: int) -> None:
        wait_s = max(1, wait_s)
        period = duration(limit.seconds).removeprefix("1 ")
        article = "an" if period.startswith("hour") else "a"
        told = f"The limit “{name}” is {limit.most} {article} {period}: the next is taken in {duration(wait_s)}."
        super().__init__(None, told, self.default_code)
        self.name, self.limit, self.wait = name, limit, wait_s

    @property
    def headers(self) -> dict[str, str]:
        """What stands in the answer's head, beside `Retry-After`."""
        return _head([(self.name, self.limit, 0, self.wait)])


def _head(limits: Sequence[tuple[str, Limit, int, int]]) -> dict[str, str]:
    """The fields of the IETF's draft on rate limits; per limit how many are left, and when one is given back."""
    return {
        "RateLimit-Policy": ", ".join(f'"{name}";q={limit.most};w={limit.seconds}' for name, limit, _, _ in limits),
        "RateLimit": ", ".join(f'"{name}";r={left};t={seconds}' for name, _, left, seconds in limits),
    }


def count(name: str, who: str) -> None:
    """Counts one more of what the limit `name` of the settings is about; raises LimitReached. Forms ask this too."""
    limit = settings.LIMITS[name]
    if limit is None or time.monotonic() < _away_until:
        return
    try:
        wait_s = _wait_of(_item(limit), name, who)
    except redis.RedisError as error:
        _note_away(error)
        return
    if wait_s is not None:
        raise LimitReached(name, limit, wait_s)


def _wait_of(item: RateLimitItem, name: str, who: str) -> int | None:
    """Seconds until one more is let through; None where this one was, and is counted."""
    if _windows(settings.HINTS_URL).hit(item, name, who):
        return None
    return _left(item, name, who)[1]


def _left(item: RateLimitItem, name: str, who: str) -> tuple[int, int]:
    """How many are left, and the seconds until one is given back."""
    stats = _windows(settings.HINTS_URL).get_window_stats(item, name, who)
    return stats.remaining, math.ceil(stats.reset_time - time.time())


def _note_away(error: redis.RedisError) -> None:
    global _away_until
    _away_until = time.monotonic() + (BREATH_SECONDS if isinstance(error, redis.TimeoutError) else PAUSE_SECONDS)
    logger.warning("Nothing is counted while the broker's server is away: %s", error)


@lru_cache
def _item(limit: Limit) -> RateLimitItem:
    return RateLimitItemPerSecond(limit.most, limit.seconds, NAMESPACE)


@lru_cache
def _windows(url: str) -> MovingWindowRateLimiter:
    pool = redis.ConnectionPool.from_url(
        url,
        socket_timeout=TIMEOUT_SECONDS,
        socket_connect_timeout=TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 1),
    )
    return MovingWindowRateLimiter(RedisStorage("redis://", connection_pool=pool))


def who_asks(request: HttpRequest | Request) -> str:
    """Whom a limit is counted for: the account behind a session or a token, else the address."""
    user = request.user
    owner_id = getattr(getattr(request, "auth", None), "owner_id", None) or user.pk
    return f"user:{owner_id}" if owner_id else f"address:{address_of(request)}"


def address_of(request: HttpRequest | Request) -> str:
    """Where a request comes from: what the outermost of our own proxies saw, and nothing that a client says himself.

    Each of `settings.TRUSTED_PROXIES` proxies has added at the end of X-Forwarded-For the address that it was called
    from. IPv6 is cut to the network that one customer has.
    """
    told = [one.strip() for one in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    proxies = settings.TRUSTED_PROXIES
    direct = request.META.get("REMOTE_ADDR", "")
    seen = told[-proxies] if 0 < proxies <= len(told) else direct
    return _tidy(seen) or _tidy(direct) or "unknown"


def _tidy(text: str) -> str:
    with_port = _WITH_PORT.fullmatch(text)
    try:
        address = ip_address(with_port[1] or with_port[2] if with_port else text)
    except ValueError:
        return ""
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or ip_network((int(address), _HOME), strict=False))


def limited(name: str) -> Callable[[Handler], Handler]:
    """For methods of API views, below `idempotent`: a request that only repeats another is not counted.

    What is refused is not counted either: it is counted last, and what was done is undone where a limit is met.
    """

    def decorate(handler: Handler) -> Handler:
        @wraps(handler)
        @transaction.atomic
        def counted(view: Any, request: Request, *arguments: Any, **named: Any) -> Response:
            response = handler(view, request, *arguments, **named)
            _count_of(request, name)
            return response

        return counted

    return decorate


class Everything(BaseThrottle):
    """Counts every request to the API: what reads, and apart from it what writes."""

    def allow_request(self, request: Request, view: Any) -> bool:
        count_once(request)
        return True


def count_once(request: Request) -> None:
    """Counts a request, for the address where nobody is known, unless it was counted; raises LimitReached.

    Those that are refused by permission come to no throttle: they are counted as the refusal is told.
    """
    if not hasattr(request._request, COUNTED):
        _count_of(request, READING if request.method in SAFE_METHODS else WRITING)


def _count_of(request: Request, name: str) -> None:
    who = who_asks(request)
    setattr(request._request, COUNTED, [*getattr(request._request, COUNTED, ()), (name, who)])
    count(name, who)


def tell_what_is_left(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: an answer of the API says of each limit that it was counted for how much of it is left."""

    def told(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if "RateLimit" not in response and (left := _what_is_left(getattr(request, COUNTED, ()))):
            for field, value in _head(left).items():
                response[field] = value
        return response

    return told


def _what_is_left(counted: Sequence[tuple[str, str]]) -> list[tuple[str, Limit, int, int]]:
    """Nothing of limits that are off, or while the server is away."""
    limits = [(name, who, limit) for name, who in counted if (limit := settings.LIMITS[name])]
    if time.monotonic() < _away_until:
        return []
    try:
        return [(name, limit, *_left(_item(limit), name, who)) for name, who, limit in limits]
    except redis.RedisError as error:
        _note_away(error)
        return []
