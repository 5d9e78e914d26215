"""What is random by nature in what leaves the service, replaced by what is not: ids, secrets, times, measured times."""

from __future__ import annotations

import re
from collections.abc import Mapping

MEASURED = b"|".join(
    (
        *(b"seq", b"last_seq", b"elapsed_ms", b"charged_ms", b"bank_ms", b"hard_ms"),
        *(b"last_charged_ms", b"last_rtt_ms", b"p50_ms", b"p95_ms"),
    )
)
MASKS: tuple[tuple[re.Pattern[bytes], bytes], ...] = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        (rb"\b(mnl|whsec)_[0-9A-Za-z+/=]+", rb"\1_#"),
        (rb"\b([a-z]{1,4}_)[0-9A-Za-z]{22}\b", rb"\1#"),
        (rb'(csrfmiddlewaretoken" value=")\w+', rb"\1#"),
        (rb'(\xe2\x80\xa6|"hint":")\w{4}\b', rb"\1#"),
        (rb"(/messages/|\bmessage |<(?:title|h1)>[A-Z][a-z ]+)\d+", rb"\1#"),
        (rb"(webhook-timestamp: )\d+", rb"\1#"),
        (rb"(webhook-signature: v1,)[0-9A-Za-z+/=]+", rb"\1#"),
        (rb"127\.0\.0\.1:\d+", rb"127.0.0.1:#"),
        (rb"(cheapest\.\w+ )\d+", rb"\1#"),
        (rb"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?", rb"TIME"),
        (rb"\b\d{8}T\d{6}Z?\b", rb"TIME"),
        (rb"\b\d{1,2}:\d\d(:\d\d)?\b( [ap]\.m\.)?", rb"TIME"),
        (rb'((?:"|&quot;)(?:' + MEASURED + rb')\\?(?:"|&quot;): ?)\d+', rb"\1#"),
        (rb" A decision has waited for its answer for [^<:]*: does the program hang\?", b""),
        (rb"<p><strong>[^<]*</strong> (?:parties a minute|to go)</p>", b""),
        (rb"\n\s*(?=\n)", b""),
        (rb'\b\d+((?:\xc2\xa0| |<span class="unit">)+ms\b)', rb"#\1"),
    )
)
"""In this order. Paces and long waits are told once there is something to tell."""
HEADERS = frozenset({"date", "etag", "content-length", "set-cookie"})
HOOKS = frozenset({"webhook-id", "webhook-timestamp", "webhook-signature"})
"""These follow from the body, or from ids and times alone: what its length tells, the masked one tells."""


def masked(body: bytes) -> bytes:
    for pattern, by in MASKS:
        body = pattern.sub(by, body)
    return body


def masked_headers(headers: Mapping[str, str]) -> bytes:
    """In the order of their names; of those that are random by nature only that they are there."""
    lines = [f"{name}: {'#' if name in HEADERS | HOOKS else value}" for name, value in sorted(headers.items())]
    return masked("\n".join(lines).encode())
