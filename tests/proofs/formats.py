"""Every format from its start to published standings, and tournaments under any sequence of acts, at full size."""

from __future__ import annotations

import re
import sys

from tests.proofs.showing import Line, Ran, run

FULL = {"MANELA_PROOF": "full"}
SERVICES = "tests/tournaments/services"


def formats() -> list[Line]:
    """House programs play each format, and chains of them; people's results come in any order."""
    played = _ran(f"{SERVICES}/test_every_format.py")
    arrived = _ran(f"{SERVICES}/test_order_of_arrival.py")
    return [
        Line(
            "each format, two chains of stages and a best of three: played by house programs card by card to published "
            "standings, every round drawn again to the same bytes",
            f"{_passed(played)} tournaments, {played.seconds:.0f} s",
            _command(f"{SERVICES}/test_every_format.py"),
        ),
        Line(
            "the same results in random order, their news late and twice: identical standings, draws and seats",
            f"{_passed(arrived)} tournaments, each in several orders, {arrived.seconds:.0f} s",
            _command(f"{SERVICES}/test_order_of_arrival.py"),
        ),
    ]


def lifecycle() -> list[Line]:
    """200 tournaments of 50 acts each, beside a model."""
    name = "tests/tournaments/test_state_machine.py"
    ran = _ran(name)
    return [
        Line(
            "register, check in, withdraw, reinstate, pair, change, report, confirm, dispute, correct, void, close in "
            "any order, beside a model: nobody twice in a round or drawn after he left, a winner goes on exactly once, "
            "standings are the fold of what was said",
            f"200 runs of 50 acts, {ran.seconds:.0f} s",
            _command(name),
        )
    ]


def _ran(*names: str) -> Ran:
    return run(sys.executable, "-m", "pytest", *names, "-q", "-n0", "--timeout=3600", env=FULL).check()


def _passed(ran: Ran) -> str:
    found = re.search(r"(\d+) passed", ran.output)
    return found[1] if found else "0"


def _command(name: str) -> str:
    return f"`MANELA_PROOF=full python -m pytest {name}`"
