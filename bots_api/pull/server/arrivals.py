"""When answers came in that our database could not take: who sends one again is not charged for the time between."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, NamedTuple

REMEMBERED_SECONDS: Final = 10.0
"""So long after it was refused an answer is known again: a program tries after one second, and then more slowly."""
MOST: Final = 10_000


class Answer(NamedTuple):
    """The same answer is by the same token, for the same decision, with the same action."""

    authorization: bytes | None
    decision_id: str
    action: str


class Arrivals:
    """The answers that were refused lately; times are monotonic. Of too many the oldest are forgotten."""

    def __init__(self) -> None:
        self._refused: OrderedDict[Answer, tuple[float, float]] = OrderedDict()

    def first(self, answer: Answer, arrived_at: float) -> float:
        """When it came in for the first time."""
        first, refused_at = self._refused.get(answer, (arrived_at, arrived_at))
        return first if arrived_at - refused_at < REMEMBERED_SECONDS else arrived_at

    def refuse(self, answer: Answer, arrived_at: float, now: float) -> None:
        """Notes that it could not be taken; `arrived_at`: when it came in for the first time."""
        self._refused[answer] = (arrived_at, now)
        self._refused.move_to_end(answer)
        if len(self._refused) > MOST:
            self._refused.popitem(last=False)

    def forget(self, answer: Answer) -> None:
        self._refused.pop(answer, None)
