"""Webhooks through the deaths of those who serve them: everything arrives, and to each site in its order.

Size: 2 kills, 4 sites and 30 pieces of news; 20 kills, 24 sites and 300 with MANELA_PROOF=full.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from django.db.models import Count, Q

from bots_api.models import WebhookDelivery
from tests.bots_api.webhooks.hooks import club, hook_at, tell
from tests.chaos.conftest import WHOLE_SIZE
from tests.chaos.crew import Crew
from tests.rogues.program import Behaviour, Exchange, Program, Request

KILLS, SITES, NEWS = (20, 24, 300) if WHOLE_SIZE else (2, 4, 30)
WORKERS = ("one", "two")
WORKER = (sys.executable, "-m", "tests.chaos.webhook_worker")
WITHIN_S = 900 if WHOLE_SIZE else 240


def site(number: int) -> Behaviour:
    """Takes its time; every second one fails now and then."""
    chance = random.Random(number)

    async def answer(exchange: Exchange) -> None:
        await asyncio.sleep(chance.uniform(0.005, 0.05))
        fails = number % 2 and chance.random() < 0.1
        exchange.request.headers["answered"] = "500" if fails else "204"
        await exchange.reply(b"", 500 if fails else 204)

    return answer


@contextmanager
def crew_of(folder: Path, env: dict[str, str]) -> Iterator[Crew]:
    crew = Crew(folder, {**env, "DJANGO_SETTINGS_MODULE": "deploy.settings", "LOG_LEVEL": "ERROR"})
    for name in WORKERS:
        crew.start(name, *WORKER)
    try:
        yield crew
    finally:
        for name in WORKERS:
            crew.kill(name)


def said_yes(program: Program) -> list[Request]:
    """What it has answered well, in the order in which it came."""
    return [one for one in list(program.received) if one.headers.get("answered") == "204"]


@pytest.mark.chaos
@pytest.mark.timeout(1_200)
@pytest.mark.django_db(transaction=True)
def test_everything_arrives_in_order_through_kills(
    child_env: dict[str, str], tmp_path: Path, say: Callable[[str], None]
) -> None:
    chance, began = random.Random(7), time.monotonic()
    with ExitStack() as running:
        sites = [running.enter_context(Program(site(number))) for number in range(SITES)]
        for number, one in enumerate(sites):
            hook_at(one.url, owner=club(f"club {number}"))
        for number in range(NEWS):
            tell(f"{number}", {"id": number})
        crew = running.enter_context(crew_of(tmp_path, child_env))
        for kill in range(KILLS):
            share = (kill + 1) * SITES * NEWS // (KILLS + 2)
            _wait_until(lambda share=share: sum(len(said_yes(one)) for one in sites) >= share, crew)
            name = chance.choice(WORKERS)
            crew.kill(name)
            crew.start_again(name)
        _wait_until(lambda: not WebhookDelivery.objects.exclude(next_try_at=None).exists(), crew)
    counts = WebhookDelivery.objects.aggregate(all=Count("pk"), done=Count("pk", filter=Q(delivered_at__isnull=False)))
    assert counts == {"all": SITES * NEWS, "done": SITES * NEWS}
    heard = [[request.message["data"]["id"] for request in said_yes(one)] for one in sites]
    assert all(set(of_site) == set(range(NEWS)) for of_site in heard)
    for steady in heard[::2]:
        assert list(dict.fromkeys(steady)) == list(range(NEWS)), "a site that never fails heard out of turn"
    twice = sum(count - 1 for of_site in heard for count in Counter(of_site).values())
    say(
        f"webhooks, {KILLS} kills of workers: {SITES * NEWS} deliveries to {SITES} sites, none lost, {twice} sent "
        f"twice with the same id, each steady site in order, {time.monotonic() - began:.0f} s"
    )


def _wait_until(done: Callable[[], bool], crew: Crew) -> None:
    until = time.monotonic() + WITHIN_S
    while not done():
        assert not crew.fallen(), [crew.last_words(name) for name in crew.fallen()]
        assert time.monotonic() < until, "nothing more arrives"
        time.sleep(0.05)
