"""The API tried by its schema at full size, with servers of its own: `python -m tests.doors [--quick]`.

By the owner of what is there, by staff, and on the routes of play by a program; at these everybody knocks, too. The
last line is JSON.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from tests.bench.stage import machine, stage
from tests.doors.trying import FULL, QUICK, ROUTES_OF_PLAY, Asker, Size, Tried, try_api
from tests.pull_program import serving


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m tests.doors", description=(__doc__ or "").splitlines()[0])
    options.add_argument("--quick", action="store_true", help="the small size that the tests run")
    size = QUICK if options.parse_args().quick else FULL
    with stage() as env:
        tried, wrong = _tried(env, size)
    print(json.dumps({"bench": "doors", **_sum(tried), "of_play_wrong": wrong, **machine()}))


def _tried(env: dict[str, str], size: Size) -> tuple[list[Tried], list[str]]:
    """Each with a house of its own: what one has asked for may be gone afterwards. And what was wrong at play's."""
    from tests.doors.house import hold_house
    from tests.doors.playing import wrong_answers_of_play
    from tests.leaks.comparing import unlimited
    from tests.quicker import empty_tables

    tried = []
    with serving(env, LIMITS=unlimited()) as server:
        wrong = wrong_answers_of_play(hold_house(), server.base_url)
        empty_tables()
        for name in ("bohdan", "olena", "a program"):
            house = hold_house()
            token = house.tokens.get(name) or house.play_tokens["bohdan"]
            paths = "" if name in house.tokens else ROUTES_OF_PLAY
            tried.append(try_api(server.base_url, Asker(name, token, paths), house.there, size))
            print(f"  {name}: {tried[-1].requests} requests, {len(tried[-1].failures)} failures", flush=True)
            empty_tables()
    return tried, wrong


def _sum(tried: list[Tried]) -> dict[str, Any]:
    return {
        "operations": [one.operations for one in tried],
        "requests": sum(one.requests for one in tried),
        "phases": sorted({phase for one in tried for phase in one.phases}),
        "failures": [failure for one in tried for failure in one.failures],
    }


if __name__ == "__main__":
    main()
