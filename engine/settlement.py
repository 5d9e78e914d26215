"""Points into stakes, side by side (R60-R62): numbers only, no money is handled.

Everything works on plain values, totals by side; results are by side too, won positive, and add up to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

CUSTOMARY: Final = 9
"""To how many stakes a match in Short is usually played (R60)."""


def per_party(
    target: int, totals: Sequence[int], winner: int | None, stake: int, half_target: bool = False
) -> tuple[int, ...]:
    """Every losing side pays the stake, multiplied as R62 says (R61)."""
    return _paid(totals, winner, lambda loser, won: stake * multiplier(target, totals, won, loser, half_target))


def per_point(
    target: int, totals: Sequence[int], winner: int | None, rate: int = 1, half_target: bool = False
) -> tuple[int, ...]:
    """Every losing side pays for the points that it lacks to the target's full hundreds (R61).

    `rate`: what one point is worth. 301, 501 and 1001 count as 300, 500 and 1000. Nobody pays less than nothing.
    """
    full = target // 100 * 100

    def price(loser: int, won: int) -> int:
        missing = max(0, full - totals[loser])
        return missing * rate * multiplier(target, totals, won, loser, half_target)

    return _paid(totals, winner, price)


def multiplier(target: int, totals: Sequence[int], winner: int, loser: int, half_target: bool = False) -> int:
    """How many times a losing side pays; of several reasons the largest counts alone (R62).

    Two sides (two players, or pairs): below 100 twice. Three or four: below 100 three times, below 250 twice.
    `half_target`: twice if the winner is ahead by more than half the target.
    """
    own, many = totals[loser], len(totals) > 2
    times = [1]
    if own < 100:
        times.append(3 if many else 2)
    elif many and own < 250:
        times.append(2)
    if half_target and 2 * (totals[winner] - own) > target:
        times.append(2)
    return max(times)


def _paid(totals: Sequence[int], winner: int | None, price: Callable[[int, int], int]) -> tuple[int, ...]:
    """What each side wins when all others pay the winner; nothing where nobody won."""
    if winner is None:
        return (0,) * len(totals)
    owed = [0 if side == winner else price(side, winner) for side in range(len(totals))]
    return tuple(sum(owed) if side == winner else -debt for side, debt in enumerate(owed))


@dataclass(frozen=True, slots=True)
class ShortMatch:
    """Parties of Short added up: stakes by side, how many parties were looked at, who has won (None: it goes on)."""

    stakes: tuple[int, ...]
    parties: int
    winner: int | None


def short_match(parties: Iterable[Sequence[int]], sides: int, length: int = CUSTOMARY) -> ShortMatch:
    """A match in Short: over as soon as one side alone has won most, and at least so many stakes (R60).

    `parties`: the stakes of each party by side; those after the end are not looked at.
    """
    stakes, played = (0,) * sides, 0
    for played, party in enumerate(parties, 1):
        stakes = tuple(before + won for before, won in zip(stakes, party, strict=True))
        if max(stakes) >= length and stakes.count(max(stakes)) == 1:
            return ShortMatch(stakes, played, stakes.index(max(stakes)))
    return ShortMatch(stakes, played, None)
