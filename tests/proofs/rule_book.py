"""The rule book at full size: laws, the walk of all options, the table of events, counts of sequences, coverage."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.engine.covering import EXEMPT, counts, uncovered
from tests.engine.events import EVENTS
from tests.proofs.showing import Line, NotShown, Ran, run

FULL = {"MANELA_PROOF": "full"}
HERE = "tests/engine"


def laws() -> list[Line]:
    """Every law at every preset, 60 parties each."""
    return [
        _suite("laws at every preset and table, with single and double overrides drawn from all of §15", "test_laws*")
    ]


def agreements() -> list[Line]:
    """Every option's every value at every preset, to its own target, and the counts of legal sequences."""
    claim = "every value of every option overridden alone at every preset is played and verifies, or is refused by name"
    return [_suite(claim, "test_options_walk.py"), _suite("counts of legal sequences are as kept", "test_perft.py")]


def fast_core() -> list[Line]:
    """The fast core beside the reference, step by step, compiled where it can be and plain."""
    claim = "reference and fast core agree on actions, scores, records and views at every preset and random overrides"
    return [_suite(claim, "test_fast_laws.py")]


def worlds() -> list[Line]:
    """What the bots that sample stand on: no world that cannot be, and no value that perfect play does not give."""
    claim = "every world that pimc and solver draw fits all that its seat knows, and plays to the very same view again"
    solved = "whole and partial deals of two, solved: equal to brute force on 1 500 positions"
    return [_suite(claim, "test_worlds.py"), _suite(solved, "test_solver.py")]


def events() -> list[Line]:
    """The table of options and events, in short; the suite prints it whole."""
    ran = _ran("test_events_reached.py")
    cells = "".join(re.findall(rf"[•?-]{{{len(EVENTS)}}}$", ran.output, re.MULTILINE))
    if not cells or "?" in cells:
        raise NotShown(f"{cells.count('?')} cells of {len(cells)} are empty")
    rows, reached = len(cells) // len(EVENTS), cells.count("•")
    return [
        Line(
            "what can happen while an option has a value does: values of options by events of the game",
            f"{rows} rows, {len(EVENTS)} columns: {reached} cells reached, {len(cells) - reached} excluded by what the "
            "two need to be agreed on, none empty",
            _command("test_events_reached.py"),
        )
    ]


def coverage() -> list[Line]:
    """Lines and branches of the engine that its tests by clause reach.

    Those that play at random are left out: what only they reach, no test is about.
    """
    with tempfile.TemporaryDirectory() as folder:
        env = {"COVERAGE_FILE": str(Path(folder) / "data")}
        others = (f"--ignore-glob={HERE}/{name}" for name in _NOT_BY_CLAUSE)
        measured = run(*_COVERAGE, "run", "--source=engine", "-m", "pytest", HERE, "-q", "-n0", *others, env=env)
        measured.check()
        run(*_COVERAGE, "combine", "--quiet", folder, env=env).check()
        page = Path(folder) / "report.json"
        run(*_COVERAGE, "json", "--quiet", "-o", str(page), env=env).check()
        report = json.loads(page.read_text(encoding="utf-8"))
    if missing := list(uncovered(report)):
        raise NotShown(f"{len(missing)} not reached: {'; '.join(missing)}")
    counted = [found["summary"] for module, found in report["files"].items() if counts(module)]
    totals: Counter[str] = Counter()
    for summary in counted:
        totals.update({name: summary[name] for name in _COUNTS})
    seen = (
        f"{totals['covered_lines']} of {totals['num_statements']} lines, {totals['covered_branches']} of "
        f"{totals['num_branches']} branches; {len(EXEMPT)} exempt lines; {measured.seconds:.0f} s"
    )
    return [
        Line(
            "the tests by clause reach every line and branch of engine/ but the fast core's",
            seen,
            "`python -m tests.proof coverage`",
        )
    ]


_NOT_BY_CLAUSE = ("test_laws*", "test_options_walk.py", "test_events_reached.py", "test_corruption.py")
_COUNTS = ("covered_lines", "num_statements", "covered_branches", "num_branches")
_COVERAGE = (sys.executable, "-m", "coverage")


def _suite(claim: str, files: str) -> Line:
    ran = _ran(files)
    passed = re.search(r"(\d+) passed", ran.output)
    if passed is None or re.search(r"\d+ (skipped|xfailed)", ran.output):
        raise NotShown(f"the suite ended with: {ran.last_line}")
    return Line(claim, f"{passed.group(1)} tests passed in {ran.seconds:.0f} s", _command(files))


def _ran(files: str) -> Ran:
    folder = Path(__file__).parents[1] / "engine"
    names = sorted(f"{HERE}/{path.name}" for path in folder.glob(files))
    return run(sys.executable, "-m", "pytest", *names, "-q", "--timeout=3600", env=FULL).check()


def _command(files: str) -> str:
    return f"`MANELA_PROOF=full python -m pytest {HERE}/{files}`"
