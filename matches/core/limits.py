"""How often somebody may do something: so many within so long. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

PERIODS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400}
NONE = "off"
_TEXT = re.compile(rf"([1-9][0-9]{{0,8}})/({'|'.join(PERIODS)})")


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `most` within any `seconds`, wherever they begin."""

    most: int
    seconds: int


def parse_limit(text: str) -> Limit | None:
    """`20/day` as a limit, `off` as none; raises ValueError."""
    if text == NONE:
        return None
    found = _TEXT.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r}: expected such as 20/day, per {', '.join(PERIODS)}, or {NONE}")
    return Limit(int(found[1]), PERIODS[found[2]])


def duration(seconds: int) -> str:
    """So many seconds in words, rounded up to what somebody who waits wants to know: `35 minutes`, `2 hours`."""
    for word, length in sorted(PERIODS.items(), key=lambda period: -period[1]):
        if seconds >= length:
            count = -(-seconds // length)
            return f"{count} {word}{'s' if count != 1 else ''}"
    return "1 second"
