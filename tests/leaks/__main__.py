"""The permutation test at full size, with servers of its own: `python -m tests.leaks [--parties N]`.

Evenings of four programs at tables of two, three, four and of pairs, until so many parties have been compared. The
last line is JSON.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from itertools import count
from pathlib import Path
from typing import Any

from tests.bench.stage import machine, stage

PARTIES = 200
TABLES = ("moscow/2", "klabor/pairs", "moscow/3", "house/4", "kharkov_full/2")


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m tests.leaks", description=(__doc__ or "").splitlines()[0])
    options.add_argument("--parties", type=int, default=PARTIES)
    wanted = options.parse_args().parties
    with stage() as env, tempfile.TemporaryDirectory() as folder:
        seen = _compared(wanted, env, Path(folder))
    told = {"parties": seen.parties, "changed": seen.changed, "answers": seen.answers, "opened": seen.opened}
    print(json.dumps({"bench": "leaks", **told, "leaks": list(seen.leaks), **machine()}))


def _compared(wanted: int, env: dict[str, str], folder: Path) -> Any:
    """Imports here: models need Django to be set up, which the stage does."""
    from tests.leaks.comparing import NOTHING, compare
    from tests.leaks.evening import Terms

    seen = NOTHING
    for number in count():
        seed = hashlib.sha256(b"evening %d" % number).digest()
        rules = _rules(number)
        programs = 2 if rules.endswith("pairs") else 4
        seen += compare(Terms(rules, programs=programs, seed=seed), env, folder)
        print(f"  {seen.parties} parties, {seen.answers} answers, {len(seen.leaks)} leaks", flush=True)
        if seen.parties >= wanted:
            break
    return seen


def _rules(number: int) -> str:
    """What is played on one of the evenings: two of three are for two, whose parties tell most."""
    return TABLES[0] if number % 3 else TABLES[number // 3 % len(TABLES)]


if __name__ == "__main__":
    main()
