"""How long the loop itself kept everybody waiting: a program is never charged for that."""

from __future__ import annotations

import asyncio
import math
import time

BEAT_SECONDS = 0.02
TOLERATED_SECONDS = 0.005


class LagMeter:
    """Sums the time by which a regular wake-up came late. Read it before and after; the difference was ours."""

    def __init__(self) -> None:
        self._total = self._latest = 0.0
        self._due = math.inf

    async def run(self) -> None:
        """Beats until cancelled."""
        while True:
            self._due = time.monotonic() + BEAT_SECONDS
            await asyncio.sleep(BEAT_SECONDS)
            self._latest = self._late()
            self._total += self._latest

    def _late(self) -> float:
        late = time.monotonic() - self._due
        return late if late > TOLERATED_SECONDS else 0.0

    def seconds(self) -> float:
        """Total delay so far, the beat that is overdue right now included."""
        return self._total + max(0.0, self._late())

    def recent_seconds(self) -> float:
        """So long at most whoever runs now had to wait for his turn: the beat that is overdue, or was the last one."""
        return max(0.0, self._latest, self._late())
