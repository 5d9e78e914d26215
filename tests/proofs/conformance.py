"""Proofs about the cases that programs go through, and about playing at home."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

from tests.bots_api.conformance import programs as are
from tests.proofs.showing import Line, NotShown, Ran, run_module
from tests.rogues.program import Behaviour, Program

SECRET = "whsec_" + b64encode(are.KEY).decode()
BOARDS = 200


def conformance() -> list[Line]:
    """Every program with one fault, all cases put to it: no other case fails."""
    good = _grade(are.well)
    wrong = {code: found for code in are.FAULTY if (found := _failed(_grade(are.FAULTY[code]()))) != [code]}
    with are.of_the_standard_library("nagle") as url:
        nagle = _case(_read(run_module("bots_api.check", url, "--json")), "nagle")
    return [
        Line(
            f"a program with one fault fails the case that is for it and no other ({len(are.FAULTY)} programs)",
            "each" if not wrong else f"not so: {wrong}",
            "`python -m tests.proof conformance`",
            holds=not wrong,
        ),
        Line(
            "a program without one passes all",
            f"{good['passed']} of {good['tried']}",
            "`python -m bots_api.check URL`",
            holds=good["may_play"] and good["passed"] == good["tried"],
        ),
        Line(
            "Nagle's delay is found in a program on `http.server` and named",
            nagle["detail"],
            "`python -m tests.proof conformance`",
            holds=nagle["detail"].startswith("Nagle's algorithm with delayed ACK"),
        ),
    ]


def at_home() -> list[Line]:
    """Two hundred boards against `house:greedy`, as the docs say it."""
    with Program(are.well) as program:
        ran = run_module(
            *("bots_api.local", "--bot", program.url, "--vs", "house:greedy", "--boards", str(BOARDS), "--json"),
            env={"SECRET": SECRET},
        ).check()
    report = json.loads(ran.output)
    points, player = report["points_a_deal"], report["players"][0]
    return [
        Line(
            f"a program plays {BOARDS} duplicate boards at home, and hears how strong it is",
            f"{points['value']:+.1f} points a deal (95 %: {points['low']:+.1f} to {points['high']:+.1f}), "
            f"{player['decisions']} decisions in {ran.seconds:.0f} s, half of them in {player['p50_ms']} ms, "
            f"faults {player['faults'] or 'none'}",
            "`python -m bots_api.local --bot URL --vs house:greedy --boards 200`",
            holds=not player["faults"] and report["boards"] == BOARDS,
        )
    ]


def _grade(behaviour: Behaviour) -> dict[str, Any]:
    with Program(behaviour) as program:
        return _read(run_module("bots_api.check", program.url, "--json", env={"SECRET": SECRET}))


def _read(ran: Ran) -> dict[str, Any]:
    if ran.status not in (0, 1):
        ran.check()
    try:
        return json.loads(ran.output)
    except ValueError as error:
        raise NotShown(f"printed {ran.output[:300]!r}") from error


def _failed(grade: dict[str, Any]) -> list[str]:
    return [case["code"] for case in grade["cases"] if case["outcome"] == "failed"]


def _case(grade: dict[str, Any], code: str) -> dict[str, Any]:
    return next(case for case in grade["cases"] if case["code"] == code)
