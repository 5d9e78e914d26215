"""One worker process with a rogue among its programs, or another in its place. Prints what ordinary decisions took.

`python -m tests.bench.rogues_worker SLOTS SECONDS AGENT`: the version whose decisions are not counted
"""

from __future__ import annotations

import json
import sys
from statistics import median

import django


def main() -> None:
    django.setup()
    from django.conf import settings

    from matches.lane import drive
    from tests.bench.timing import taken_ms

    slots, seconds, beside = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    settings.SEAT_AGENTS = settings.SEAT_AGENTS | {"push": "tests.bench.timing.TimedPushAgents"}
    drive(slots, seconds)
    provoked = taken_ms.pop(beside, [])
    ordinary = sorted(ms for taken in taken_ms.values() for ms in taken)
    print(
        json.dumps(
            {
                "median_ms": median(ordinary),
                "p99_ms": ordinary[len(ordinary) * 99 // 100],
                "decisions": len(ordinary),
                "decisions_beside": len(provoked),
            }
        )
    )


if __name__ == "__main__":
    main()
