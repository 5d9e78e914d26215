"""`python -m engine ladder`: measures, prints tables, writes the page."""

from __future__ import annotations

import argparse
import json
import math
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from engine.bots import UnknownBot, plays
from engine.commands import UsageError
from engine.ladder.boards import Duel, board_rules
from engine.ladder.climbing import Ladder, Plan, Step, climb
from engine.ladder.page import page
from engine.ladder.playing import Crew, crew_of, play_boards
from engine.ladder.saving import Saving, saving_of
from engine.ladder.telling import told_ladder, told_savings, told_step
from engine.wording import plain

RULES: Final = "moscow/2,klabor/pairs,site/3"
BOTS: Final = (
    "random,greedy,pimc:budget_ms=50,solver:budget_ms=50",
    "random,greedy,pimc:worlds=40,solver:worlds=40",
)
"""Two ladders: at equal time, which depends on the machine, and at so many worlds, which does not."""

SAVING_RULES: Final = ("moscow/2", "site/3", "house/4", "klabor/pairs")
"""The tables at which savings are measured: two, three, four players and pairs."""

SAVING_BOTS: Final = (("greedy", "random"), ("random", "random"), ("pimc:worlds=8", "greedy"), ("pimc:worlds=8",) * 2)
"""Far apart; equal and careless; nearer; equal and careful, by chances of their own: boards of one bot that leaves
nothing to chance would come out even, and save everything."""


MOST: Final = 1_000_000
"""Boards, or deals a board: more would be numbers mistyped."""
MOST_PROCESSES: Final = 1_000


def add_ladder(command: argparse.ArgumentParser) -> None:
    """Arguments of `ladder`."""
    command.add_argument("--rules", default=RULES, metavar="PRESET,…", help=f"at which tables; {RULES} if not given")
    command.add_argument(
        "--bots",
        action="append",
        metavar="NAME,…",
        help="house bots, the weakest first; may be given again for another ladder",
    )
    command.add_argument(
        "--boards", type=int, default=96, metavar="N", help="duplicate boards of every pair; 96 if not given"
    )
    command.add_argument("--deals", type=int, default=1, metavar="N", help="deals a board; 1 if not given")
    command.add_argument("--seed", default="0", help="any text; the same seed gives the same boards")
    command.add_argument("--processes", type=int, default=_cores(), metavar="P", help="as many as cores if not given")
    command.add_argument("--until-significant", action="store_true", help="neighbours play on until their step is")
    command.add_argument("--variance", type=int, default=0, metavar="N", help="measure on N boards what they save")
    command.add_argument("--write", type=Path, metavar="FILE", help="write it as a page, such as docs/strength.md")
    command.add_argument("--json", action="store_true", help="print only the figures, for programs")
    command.set_defaults(run=measure_strength)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def measure_strength(options: argparse.Namespace) -> int:
    """Ladders of every table asked for, then what duplicate boards save; 1 if a step is not significant."""
    _check_sizes(options)
    asked = list(_asked(options))
    _check_place(options.write)
    ladders: list[Ladder] = []
    with crew_of(options.processes) as crew:
        for rules, plan in asked:
            ladders.append(_climbed(crew, rules, plan, options.json))
            _write(options, ladders, (), finished=len(ladders) == len(asked) and not options.variance)
        savings = _saved(crew, options) if options.variance else []
    _write(options, ladders, savings, finished=True)
    if options.json:
        print(json.dumps({"ladders": list(map(_json, ladders)), "savings": list(map(_json, savings))}))
    return 0 if all(ladder.climbs for ladder in ladders) else 1


def _check_sizes(options: argparse.Namespace) -> None:
    """An interval needs two boards; raises UsageError."""
    sizes = {
        "boards": (2, MOST),
        "deals": (1, MOST),
        "processes": (1, MOST_PROCESSES),
        "variance": (2 if options.variance else 0, MOST),
    }
    for name, (least, most) in sizes.items():
        if not least <= (number := getattr(options, name)) <= most:
            raise UsageError(f"--{name} {number}: expected {least} or more, {most} at most")


def _check_place(path: Path | None) -> None:
    """Whether a page can be written there, before half an hour is spent on it; raises UsageError."""
    if path is None:
        return
    if not path.absolute().parent.is_dir():
        raise UsageError(f"--write {plain(str(path))}: there is no folder {plain(str(path.absolute().parent))}")
    try:
        path.open("a", encoding="utf-8").close()
    except OSError as error:
        raise UsageError(f"--write {plain(str(path))}: {error.strerror}") from None


def _write(options: argparse.Namespace, ladders: Sequence[Ladder], savings: Sequence[Saving], finished: bool) -> None:
    """The page with what is measured so far: whoever is interrupted keeps that."""
    if options.write:
        whole = page(_command(options), ladders, savings, finished)
        options.write.write_text(whole, encoding="utf-8", errors="backslashreplace")  # a seed may be bytes of no text


def _asked(options: argparse.Namespace) -> Iterator[tuple[str, Plan]]:
    """Every table with every ladder asked for, of the bots that play there; raises UsageError."""
    for rules in options.rules.split(","):
        for names in options.bots or BOTS:
            bots = tuple(name for name in names.split(",") if _plays(name, rules, options.deals))
            if len(set(bots)) < max(2, len(bots)):
                raise UsageError(f"--bots {plain(names)}: expected two or more, all different, that play {rules}")
            yield rules, Plan(bots, options.boards, options.seed, options.deals, options.until_significant)


def _plays(name: str, rules: str, deals: int) -> bool:
    try:
        return plays(name, board_rules(rules, deals))
    except UnknownBot as error:
        raise UsageError(f"--bots: {error}") from None


def _climbed(crew: Crew, rules: str, plan: Plan, silent: bool) -> Ladder:
    ladder = climb(crew, rules, plan, _tell_terminal)
    if not silent:
        print(f"{rules}: {', '.join(plan.bots)}\n\n{told_ladder(ladder)}\n", flush=True)
    return ladder


def _tell_terminal(step: Step) -> None:
    """Somebody who waits is told how far it is."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(told_step(step), file=sys.stderr)


def _saved(crew: Crew, options: argparse.Namespace) -> list[Saving]:
    """What boards save between the bots asked for, at every number of seats."""
    asked = {name.partition(":")[0] for names in options.bots or BOTS for name in names.split(",")}
    pairs = [bots for bots in SAVING_BOTS if {name.partition(":")[0] for name in bots} <= asked]
    duels = [Duel(rules, bots, options.seed) for rules in SAVING_RULES for bots in pairs]
    savings = [saving_of(duel, play_boards(crew, duel, range(options.variance))) for duel in duels]
    if not options.json:
        print(f"What duplicate boards save\n\n{told_savings(savings)}\n")
    return savings


def _json(figures: Ladder | Saving) -> object:
    """Figures as a JSON object; what is not finite is null."""
    return asdict(figures, dict_factory=lambda pairs: {key: _finite(value) for key, value in pairs})


def _finite(value: object) -> object:
    return None if isinstance(value, float) and math.isinf(value) else value


def _command(options: argparse.Namespace) -> str:
    """What to type for the same page; the number of processes changes nothing."""
    words: Sequence[object] = (
        *("python", "-m", "engine", "ladder", "--rules", options.rules),
        *(word for bots in options.bots or BOTS for word in ("--bots", bots)),
        *("--boards", options.boards, "--deals", options.deals, "--seed", options.seed),
        *(["--until-significant"] * options.until_significant),
        *("--variance", options.variance, "--write", options.write),
    )
    return shlex.join(map(str, words))
