"""Records of random play of every preset verify; whatever is changed in a record is refused, with the place named."""

from __future__ import annotations

import ast
import subprocess
import sys

from deploy.embedded.paths import PROJECT
from engine import presets
from tests.engine.corrupting import ANOTHER
from tests.proofs.showing import Line, NotShown, run_module

PARTIES = 300
COMMAND = f"python -m engine random P {PARTIES} --seed 7 | python -m engine verify -"


def records() -> list[Line]:
    """Every preset's random play, and everything changed in a record of every kind."""
    deals = sum(_verified(preset) for preset in presets())
    seen = f"{len(presets())} presets, each: {PARTIES} verified; {deals} deals in all"
    claim = f"{PARTIES} records of random play, rights included, of every preset and table verify"
    return [Line(claim, seen, f"`{COMMAND}`, P each of `python -m engine rules`"), _corruption()]


def _verified(preset: str) -> int:
    """How many deals there are in the records of a preset, which verify; raises NotShown if one does not."""
    made = run_module("engine", "random", preset, str(PARTIES), "--seed", "7").check().output
    verifying = [sys.executable, "-m", "engine", "verify", "-"]
    judged = subprocess.run(verifying, cwd=PROJECT, input=made, capture_output=True, text=True)
    verdict = judged.stdout.strip().rpartition("\n")[2]
    if (judged.returncode, verdict) != (0, f"{PARTIES} verified"):
        raise NotShown(f"{preset}: verify ended with status {judged.returncode} and said: {verdict}")
    return made.count('"deck": ')


def _corruption() -> Line:
    said = run_module("tests.engine.corrupting").check().last_line
    tried = ast.literal_eval(said)
    others = tried.pop(ANOTHER, 0)
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(tried.items()))
    return Line(
        "a record with any single thing changed under `deals` or `result`, in the seed, entropy, suits, commitment or "
        "first dealer is refused with the place named: one of every preset, of every end and of every reason",
        f"{sum(tried.values())} changes, all refused: {kinds}; {others} more make the true record of another party",
        "`python -m tests.engine.corrupting`",
    )
