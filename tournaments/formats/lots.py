"""Lots that anybody can draw again: all chance follows from one seed, committed to before the start."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lots:
    """The chance of one draw. `seed`: 32 bytes, made known with the draw itself."""

    seed: bytes

    def drawn(self, purpose: str, *parts: int | str) -> int:
        """A whole number below 2⁶⁴: the first 8 bytes of HMAC-SHA256(seed, purpose | parts), big end first."""
        message = "|".join([purpose, *map(str, parts)])
        return int.from_bytes(hmac.digest(self.seed, message.encode(), "sha256")[:8], "big")

    def order(self, purpose: str, numbers: Iterable[int]) -> tuple[int, ...]:
        """The numbers in the order in which they are drawn."""
        return tuple(sorted(numbers, key=lambda number: (self.drawn(purpose, number), number)))

    def of(self, purpose: str, *parts: int | str) -> Lots:
        """Lots for one purpose, of which those of another tell nothing."""
        message = "|".join([purpose, *map(str, parts)])
        return Lots(hmac.digest(self.seed, message.encode(), "sha256"))


def commitment(seed: bytes) -> str:
    """What is published before the start: SHA-256 of the seed, 64 hexadecimal digits."""
    return hashlib.sha256(seed).hexdigest()
