"""One worker process with programs over HTTP and the house's own. Prints what the programs' decisions took.

`python -m tests.bench.house_worker SLOTS SECONDS`
"""

from __future__ import annotations

import json
import sys
from statistics import median

import django


def main() -> None:
    django.setup()
    from django.conf import settings
    from django.db.models import Max, Min

    from matches.lane import drive
    from matches.models import PartyEvent
    from tests.bench.timing import taken_ms

    slots, seconds = int(sys.argv[1]), float(sys.argv[2])
    last = PartyEvent.objects.aggregate(last=Max("id"))["last"] or 0
    settings.SEAT_AGENTS = settings.SEAT_AGENTS | {"push": "tests.bench.timing.TimedPushAgents"}
    drive(slots, seconds)
    events = PartyEvent.objects.filter(id__gt=last, kind="action")
    programs = events.exclude(party__match__house_thinks=True)
    span = programs.aggregate(first=Min("created_at"), last=Max("created_at"))
    told = sorted(programs.values_list("elapsed_ms", flat=True))
    taken = sorted(ms for of_one in taken_ms.values() for ms in of_one)
    print(
        json.dumps(
            {
                "rate": len(told) / (span["last"] - span["first"]).total_seconds(),
                "median_ms": median(taken),
                "p99_ms": taken[len(taken) * 99 // 100],
                "clock_p99_ms": told[len(told) * 99 // 100],
                "most_charged_ms": programs.aggregate(most=Max("charged_ms"))["most"],
                "house_decisions": events.filter(party__match__house_thinks=True).count(),
                "faults": programs.exclude(cause="").count(),
            }
        )
    )


if __name__ == "__main__":
    main()
