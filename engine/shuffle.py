"""Fair deals: commitment, pack, lot and the suits of a board's exposures (R67-R70).

Everything here follows from bytes that come in as arguments; nothing is drawn.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from engine.cards import PACK, SUITS, Card, card_of, parse_suit, rank_of, suit_of

SHUFFLE_VERSION: Final = 1
SEED_BYTES: Final = 32
_WORDS: Final = 1 << 32


def commitment(seed: bytes) -> str:
    """What is published before the first card: SHA-256 of the seed under the label `manela/1`, in hex (R68)."""
    return hashlib.sha256(b"manela/1" + seed).hexdigest()


def entropy_of(parts: Sequence[bytes]) -> bytes:
    """The entrants' parts in seat order as one value; empty if nobody sent any (R68)."""
    joined = b"".join(parts)
    return hashlib.sha256(joined).digest() if joined else b""


def be32(number: int) -> bytes:
    """Four bytes, big-endian."""
    return number.to_bytes(4, "big")


def _words(seed: bytes, prefix: bytes) -> Iterator[int]:
    """R67's stream: HMAC-SHA256 over the prefix and a rising counter, eight words a digest."""
    counter = 0
    while True:
        digest = hmac.digest(seed, prefix + be32(counter), "sha256")
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        counter += 1


def _drawing(words: Iterator[int]) -> Callable[[int], int]:
    """Numbers below a bound, without bias: words at or above the largest multiple of the bound are passed over."""

    def below(bound: int) -> int:
        limit = _WORDS - _WORDS % bound
        return next(word for word in words if word < limit) % bound

    return below


def _shuffled(cards: Sequence[int], below: Callable[[int], int]) -> list[int]:
    """Fisher-Yates from the last place down (R67)."""
    order = list(cards)
    for place in range(len(order) - 1, 0, -1):
        other = below(place + 1)
        order[place], order[other] = order[other], order[place]
    return order


def lot(seed: bytes, seats: int) -> int:
    """The first dealer's seat (R69)."""
    return _drawing(_words(seed, b"lot"))(seats)


def suits_of(seed: bytes, exposure: int) -> str:
    """The permutation of `CDHS` under which an exposure of a duplicate board is dealt, exposure 0 included (R70)."""
    below = _drawing(_words(seed, b"suits" + be32(exposure)))
    return "".join(SUITS[suit] for suit in _shuffled(range(4), below))


@lru_cache(maxsize=64)
def _relabelling(suits: str) -> tuple[Card, ...]:
    """For each card of the pack the card that it becomes under R70."""
    if sorted(suits) != sorted(SUITS):
        raise ValueError(f"suits must be the letters {SUITS} in some order, not {suits!r}")
    new = [parse_suit(letter) for letter in suits]
    return tuple(card_of(new[suit_of(card)], rank_of(card)) for card in PACK)


def pack_of(seed: bytes, entropy: bytes, number: int, suits: str = SUITS) -> tuple[Card, ...]:
    """The pack of a deal, first card on top.

    `number` is the deal's number in the party from 0, thrown-in and redealt packs counted.
    Source: R67, then R70.
    """
    below = _drawing(_words(seed, entropy + be32(number)))
    relabelled = _relabelling(suits)
    return tuple(relabelled[card] for card in _shuffled(PACK, below))
