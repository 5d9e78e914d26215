"""`python -m tests.bench.pairing [--quick] [SUBJECT …]`: prints a table; the last line is JSON.

A subject is a module beside this one with `figures(quick)`.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby

import tests.bench.pairing as here
from tests.bench.pairing.figures import Figure, growth

SUBJECTS = sorted(
    module.name
    for module in pkgutil.iter_modules(here.__path__)
    if module.name not in ("__main__", "figures") and not module.name.startswith("test_")
)


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m tests.bench.pairing", description=here.__doc__)
    options.add_argument("--quick", action="store_true", help="the small size that the tests run")
    options.add_argument("subjects", nargs="*", metavar="SUBJECT", help=f"of {', '.join(SUBJECTS)}")
    arguments = options.parse_args()
    if unknown := sorted(set(arguments.subjects) - set(SUBJECTS)):
        options.error(f"there is no subject {', '.join(unknown)}: expected {', '.join(SUBJECTS)}")
    figures = list(_measured(arguments.subjects or SUBJECTS, arguments.quick))
    grows = dict(_growths(figures))
    for what, power in grows.items():
        print(f"{what}: grows with the power {power:.2f} of the field")
    print(json.dumps({"bench": "pairing", "growth": grows, "figures": [asdict(one) for one in figures]}))


def _growths(figures: list[Figure]) -> Iterator[tuple[str, float]]:
    for what, group in groupby(sorted(figures, key=lambda one: one.what), lambda one: one.what):
        if (power := growth(list(group))) is not None:
            yield what, power


def _measured(subjects: list[str], quick: bool) -> Iterator[Figure]:
    for name in subjects:
        subject = importlib.import_module(f"{here.__name__}.{name}")
        for figure in subject.figures(quick):
            print(_line(figure), flush=True)
            yield figure


def _line(figure: Figure) -> str:
    notes = [f"median of {figure.runs}" if figure.runs > 1 else "one run"]
    if figure.goal is not None:
        notes.append(f"goal {figure.goal:g} s {'met' if figure.is_met else 'missed'}")
    return f"{figure.what:<40} {figure.entrants:>7,} {figure.seconds:>9.3f} s  {figure.by:<26} {', '.join(notes)}"


if __name__ == "__main__":
    main()
