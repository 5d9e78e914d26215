"""A worker that does nothing but deliver to webhooks, until it is killed. Claims and pauses are short, to see more."""

from __future__ import annotations

import time
from datetime import timedelta

import django


def work() -> None:
    from bots_api.webhooks import delivering, sending

    delivering.CLAIM = timedelta(seconds=3)
    delivering.LEAST_REST = timedelta(milliseconds=200)
    delivering.AT_ONCE_AT_A_HOST = delivering.AT_ONCE  # all sites are on this machine
    sending.PAUSES_S = (1,) * 60
    while True:
        delivering.deliver_due()
        time.sleep(0.05)


if __name__ == "__main__":
    django.setup()
    work()
