"""Calling strangers at full size: nobody leads us inside, and no reply fills the memory of a lane or holds its slot."""

from __future__ import annotations

import asyncio
import random
import sys
from ipaddress import ip_address

from bots_api.transport import HttpReply
from tests.bots_api.address_corpus import INSIDE, STRANGE
from tests.bots_api.bombs import BOMBS, measured
from tests.bots_api.canary import Canary, at, called
from tests.bots_api.name_server import NameServer
from tests.proofs.showing import Line, NotShown, run
from tests.rogues import behaviours as does
from tests.rogues.program import Program

CORPUS = ("tests/bots_api/test_canary.py", "tests/bots_api/test_addresses.py")
NAMES, TURNS = 250, 20
BOMB_CALLS, AT_ONCE, DEADLINE_MS = 400, 32, 1_000
GROWTH_MB = 40
LATE_MS = 3_000
"""How late a slot may fall free while the programs that flood us share our cores."""


def addresses() -> list[Line]:
    """The corpus through registration and through the transport; a name server that changes its mind."""
    run(sys.executable, "-m", "pytest", *CORPUS, "-q", "-n0").check()
    with Canary() as canary:
        forms = [*at(canary.port), *STRANGE]
        came = asyncio.run(called(forms))
        made = sum(isinstance(one, HttpReply) for one in came)
        reached = canary.connections
    forms_seen = f"{len(forms) + len(INSIDE)} forms: {made} calls made, {reached} connections at the canary"
    return [
        Line(
            "address rule: no form of writing an address inside is registered or called",
            forms_seen,
            "`python -m tests.proof addresses`",
            holds=made == reached == 0,
        ),
        _rebinding(),
    ]


def _rebinding() -> Line:
    """Each name leads now to the program and now inside, by lot and at every question."""
    lot = random.Random(6)
    inside = [one for one in INSIDE if not ip_address(one).is_loopback]
    well = ["127.0.0.2"]

    def zone(name: str, turn: int) -> list[str]:
        drawn = lot.random()
        bad = lot.sample(inside, lot.choice((1, 2)))
        return well if drawn < 0.4 else bad if drawn < 0.7 else lot.sample([*well, *bad], len(bad) + 1)

    with (
        Program(does.says(b"{}", Connection="close"), host=well[0]) as program,
        Program(does.plays, program.port) as canary,
        NameServer(zone) as names,
    ):
        urls = [f"http://n{n}.example.org:{program.port}/" for n in range(NAMES)] * TURNS
        came = asyncio.run(called(urls, names.look_up, loopback=True))
        answered = sum(isinstance(one, HttpReply) for one in came)
        asked, reached, there = sum(names.asked.values()) + NAMES, canary.connections, program.connections
    if not 0 < answered == there < len(urls):
        raise NotShown(f"{answered} calls were answered, the program saw {there} of {len(urls)}")
    return Line(
        "address rule: a rebinding name server, which leads inside at any question, also among good answers",
        f"{len(urls)} calls, {asked} questions: {answered} to the program, {len(urls) - answered} refused, "
        f"{reached} connections at the canary",
        "`python -m tests.proof addresses`",
        holds=reached == 0 and asked == len(urls),
    )


def bombs() -> list[Line]:
    """Each kind by itself, in a process of its own."""
    seen = {name: measured([name], BOMB_CALLS, AT_ONCE, DEADLINE_MS) for name in BOMBS}
    largest = max(seen, key=lambda name: seen[name].grown_kb)
    latest = max(seen, key=lambda name: seen[name].longest_ms)
    dearest = max(seen, key=lambda name: seen[name].cpu_ms)
    grown_mb, late_ms = seen[largest].grown_kb / 1_000, max(0, seen[latest].longest_ms - DEADLINE_MS)
    lost = sum("take" in one.outcomes[name] for name, one in seen.items())
    return [
        Line(
            f"reply bombs: {len(BOMBS)} kinds, {BOMB_CALLS} calls of each, {AT_ONCE} at once: memory flat, the slot "
            "freed at the deadline",
            f"grown by {grown_mb:.1f} MB at most ({largest}); {DEADLINE_MS} ms exceeded by {late_ms} ms at most "
            f"({latest}); a call cost us {seen[dearest].cpu_ms:.1f} ms at most ({dearest}); {lost} taken for an answer",
            "`python -m tests.proof bombs`",
            holds=grown_mb <= GROWTH_MB and late_ms <= LATE_MS and not lost,
        )
    ]
