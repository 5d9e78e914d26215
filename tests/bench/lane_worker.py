"""One worker process: a real lane for some seconds. Prints how many decisions it brought into the log, and how fast.

`python -m tests.bench.lane_worker SLOTS SECONDS [RECORDING]`; with a file's name the calls are recorded there.
"""

from __future__ import annotations

import cProfile
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import django


def run(slots: int, seconds: float, recording: Path | None) -> dict[str, Any]:
    from django.conf import settings
    from django.db.models import Count, Max, Min

    from matches.lane import drive
    from matches.models import PartyEvent
    from matches.services.wake import wake_lanes

    wake_lanes()  # a worker has its connection to the broker long before it drives a lane
    last = PartyEvent.objects.aggregate(last=Max("id"))["last"] or 0
    if recording:
        settings.SEAT_AGENTS = settings.SEAT_AGENTS | {"push": "tests.bench.recording.RecordingPushAgents"}
    began = time.process_time()
    drive(slots, seconds)
    used = time.process_time() - began
    if recording:
        from tests.bench.recording import write_recording

        write_recording(recording)
    events = PartyEvent.objects.filter(id__gt=last, kind="action")
    found = events.aggregate(decisions=Count("id"), first=Min("created_at"), last=Max("created_at"))
    faults = events.exclude(cause="").count()
    took = (found["last"] - found["first"]).total_seconds()
    made = found["decisions"]
    return {"decisions": made, "rate": made / took, "cpu_us": used / made * 1e6, "faults": faults}


def main() -> None:
    django.setup()
    slots, seconds = int(sys.argv[1]), float(sys.argv[2])
    recording = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    profile = os.environ.get("BENCH_PROFILE")
    if profile:
        profiler = cProfile.Profile()
        figures = profiler.runcall(run, slots, seconds, recording)
        profiler.dump_stats(profile)
    else:
        figures = run(slots, seconds, recording)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
