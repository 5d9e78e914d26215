"""`python -m engine bench`: measures and prints."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

import engine.fast
from engine.benchmarks.figures import Figure, Measure, Size, measured
from engine.benchmarks.limit import limit_measure, limit_program
from engine.benchmarks.own import TABLES, core, own_measures, reference_measures
from engine.benchmarks.peers import peer_measures
from engine.benchmarks.report import told, told_shares
from engine.benchmarks.shares import shares
from engine.benchmarks.thinkers import thinker_figures
from engine.commands import UsageError
from engine.fast.finding import PROJECT
from engine.wording import plain

PARTS: Final = ("own", "limit", "peers", "plain", "reference", "thinkers", "shares")


def add_bench(command: argparse.ArgumentParser) -> None:
    """Arguments of `bench`."""
    command.add_argument("--only", metavar="PART,…", help=f"of {', '.join(PARTS)}; all if not given")
    command.add_argument("--runs", type=int, default=Size().runs, metavar="N", help="the median of N runs is said")
    command.add_argument("--seconds", type=float, default=Size().seconds, metavar="S", help="how long a run is, about")
    command.add_argument("--json", action="store_true", help="only the figures, for programs")
    command.set_defaults(run=bench)


def bench(options: argparse.Namespace) -> int:
    """Measures what is asked for, one thing at a time."""
    parts, size = _parts(options.only), Size(options.runs, options.seconds)
    if size.runs < 1 or not 0 < size.seconds < 3_600:
        raise UsageError("bench: expected at least one run, of more than 0 s")
    figures = rates(parts, size) + (thinker_figures(size) if "thinkers" in parts else [])
    split = [figure for name in TABLES for figure in shares(name, size)] if "shares" in parts else []
    if options.json:
        print(json.dumps({**_machine(), "figures": [asdict(figure) for figure in [*figures, *split]]}))
    else:
        _say(parts, figures, split)
    return 0


def _parts(asked: str | None) -> tuple[str, ...]:
    parts = PARTS if asked is None else tuple(asked.split(","))
    if unknown := set(parts) - set(PARTS):
        raise UsageError(f"--only {plain(','.join(sorted(unknown)))}: expected some of {', '.join(PARTS)}")
    return parts


def rates(parts: Sequence[str], size: Size) -> list[Figure]:
    """Deals per second: our own, the limit and the peers by turns, then what is slower."""
    with limit_program() as program:
        measures: list[Measure] = own_measures() if "own" in parts else []
        measures += [limit_measure(program)] if program and "limit" in parts else []
        measures += peer_measures() if "peers" in parts else []
        figures = measured(measures, size)
    if "plain" in parts and engine.fast.COMPILED:
        figures += plain_figures(size)
    return figures + (measured(reference_measures(), size) if "reference" in parts else [])


def plain_figures(size: Size) -> list[Figure]:
    """The same core as plain Python, in a process of its own."""
    arguments = ("--only", "own", "--runs", str(size.runs), "--seconds", str(size.seconds), "--json")
    done = subprocess.run(
        [sys.executable, "-m", "engine", "bench", *arguments],
        cwd=PROJECT,
        env=os.environ | {"ENGINE_PURE": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [Figure(**figure) for figure in json.loads(done.stdout)["figures"]]


def _machine() -> dict[str, Any]:
    return {"python": platform.python_version(), "core": core(), "why_plain": engine.fast.WHY_PLAIN}


def _say(parts: Sequence[str], figures: Sequence[Figure], split: Sequence[Figure]) -> None:
    why = f" ({engine.fast.WHY_PLAIN})" if engine.fast.WHY_PLAIN else ""
    print(f"Python {platform.python_version()}, the core is {core()}{why}; one process, one thread, medians, CPU time")
    absent = absent_parts(parts, figures)
    print("\n".join([*told(figures), *told_shares(split), *absent]))


def absent_parts(parts: Sequence[str], figures: Sequence[Figure]) -> list[str]:
    """What was asked for and could not be measured here, in words."""
    lines = []
    if "limit" in parts and not any(figure.by == "C" for figure in figures):
        lines.append("No limit in C: there is no C compiler here")
    for name in ("OpenSpiel", "colver") if "peers" in parts else ():
        if not any(figure.by.startswith(name) for figure in figures):
            lines.append(f"{name} is not installed here (make bench-peers)")
    return lines
