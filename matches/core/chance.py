"""What follows from a secret seed besides the deals. Each purpose has a name, so that none tells of another."""

from __future__ import annotations

import hmac


def derived(seed: bytes, purpose: str, *parts: object) -> bytes:
    """32 bytes that only the seed's holder can know: HMAC-SHA256(seed, purpose | parts)."""
    message = "|".join([purpose, *map(str, parts)])
    return hmac.digest(seed, message.encode(), "sha256")
