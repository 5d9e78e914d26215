"""`python -m tests.counting PROCESSES TIMES WINDOWS`: so many processes ask the limit `writing` so many times each, all
in the same moment, and again when its window is over; prints how many were let through in each window, as JSON."""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

from django.conf import settings

from matches.api.limits import WRITING, LimitReached, count


def main() -> None:
    processes, times, windows = (int(word) for word in sys.argv[1:])
    context = multiprocessing.get_context("fork")  # each has connections of its own: none is open yet
    together, told = context.Barrier(processes + 1), context.Queue()
    running = [context.Process(target=ask, args=(times, windows, together, told)) for _ in range(processes)]
    for one in running:
        one.start()
    passed, seconds = [], []
    for window in range(windows):
        time.sleep(settings.LIMITS[WRITING].seconds + 1 if window else 0)
        together.wait()
        began = time.monotonic()
        passed.append(sum(told.get() for _ in running))
        seconds.append(round(time.monotonic() - began, 1))
    for one in running:
        one.join()
    print(json.dumps({"passed": passed, "seconds": seconds}))


def ask(times: int, windows: int, together: Barrier, told: Queue[int]) -> None:
    for _ in range(windows):
        together.wait()
        told.put(sum(is_let_through() for _ in range(times)))


def is_let_through() -> bool:
    try:
        count(WRITING, "user:1")
    except LimitReached:
        return False
    return True


if __name__ == "__main__":
    main()
