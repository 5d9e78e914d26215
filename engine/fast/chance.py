"""Random numbers that are the same compiled and plain, under every Python: sfc32 on four 32-bit numbers.

For studies and playouts. A party that somebody plays is shuffled as R67 says, by `engine.shuffle`.
"""

from __future__ import annotations

import hashlib
from typing import Final, final

from engine.fast.bits import M32, nth
from engine.fast.ints import i64

_ROUNDS: Final = 15
"""How often the state is turned over before the first number is taken from it."""


@final
class Chance:
    """A stream of random numbers, one for every pair of seed and number (both from 0 to 2^62 - 1).

    Different pairs begin in different states, for the state holds both whole; the rounds at the start part neighbours.
    Source: Chris Doty-Humphrey's sfc32 (PractRand).
    """

    def __init__(self, seed: i64, number: i64) -> None:
        self.a: i64 = seed & M32
        self.b: i64 = number & M32
        self.c: i64 = seed >> 32
        self.d: i64 = (number >> 32) + 1
        self.kept: i64 = 0
        self.cards_kept: i64 = 0
        self.turn_over()

    def restart(self, seed: i64, number: i64) -> None:
        """Makes this the stream of another pair."""
        self.a = seed & M32
        self.b = number & M32
        self.c = seed >> 32
        self.d = (number >> 32) + 1
        self.cards_kept = 0
        self.turn_over()

    def turn_over(self) -> None:
        """Goes on by as many words as part neighbours."""
        left: i64 = _ROUNDS
        while left > 0:
            self.word()
            left -= 1

    def word(self) -> i64:
        """32 random bits."""
        b: i64 = self.b
        c: i64 = self.c
        d: i64 = self.d
        word: i64 = (self.a + b + d) & M32
        self.d = (d + 1) & M32
        self.a = b ^ (b >> 9)
        self.b = (c + (c << 3)) & M32
        self.c = (((c << 21) | (c >> 11)) + word) & M32
        return word

    def below(self, n: i64) -> i64:
        """A number from 0 to `n` - 1, for `n` up to 2^30; no number is favoured by more than n / 2^32."""
        return (self.word() * n) >> 32

    def card(self) -> i64:
        """A number from 0 to 31, each equally likely; six are taken from one word."""
        if not self.cards_kept:
            self.kept = self.word()
            self.cards_kept = 6
        card: i64 = self.kept & 31
        self.kept >>= 5
        self.cards_kept -= 1
        return card


def shuffle(chance: Chance, deck: list[int]) -> None:
    """Makes `deck` the 32 cards of the pack in random order, whatever it held: each place draws from what is left."""
    deck.clear()
    left: i64 = M32
    count: i64 = 32
    while count > 0:
        card: i64 = nth(left, chance.below(count))
        left &= ~(1 << card)
        deck.append(int(card))
        count -= 1


def seed_of(seed: int | str) -> int:
    """A seed for `Chance`: a number from 0 to 2^62 - 1 as it is, anything else by SHA-256 of its text."""
    if isinstance(seed, int) and 0 <= seed < 1 << 62:
        return seed
    return int.from_bytes(hashlib.sha256(str(seed).encode()).digest()[:8], "big") >> 2
