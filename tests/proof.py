"""`python -m tests.proof [NAME …]`: tries what the project claims at full size and writes it to docs/proof.md.

With names it tries those alone and only prints. A proof that fails does not stop the others; the status is 1 then.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from deploy.embedded.paths import PROJECT
from tests.proofs.arena import arena
from tests.proofs.benches import decisions, rogues, throughput
from tests.proofs.brackets import brackets
from tests.proofs.conformance import at_home, conformance
from tests.proofs.demo import demo
from tests.proofs.doors import doors
from tests.proofs.examples import examples
from tests.proofs.formats import formats, lifecycle
from tests.proofs.leaks import leaks
from tests.proofs.limits import limits
from tests.proofs.pairing import pairing
from tests.proofs.pull import waiting
from tests.proofs.records import records
from tests.proofs.rule_book import agreements, coverage, events, fast_core, laws, worlds
from tests.proofs.showing import Line, Proof
from tests.proofs.speed import pythons, speed
from tests.proofs.standings import standings
from tests.proofs.strength import duplicates, strength
from tests.proofs.suites import browser, chaos, misbehaviour, writes
from tests.proofs.swiss import swiss
from tests.proofs.tables import tables
from tests.proofs.transport import addresses, bombs

PROOFS: dict[str, Proof] = {
    proof.__name__: proof
    for proof in (
        *(examples, records, laws, agreements, events, coverage),
        *(fast_core, speed, pythons, worlds, strength, duplicates),
        *(brackets, swiss, tables, standings, pairing, formats, lifecycle),
        *(conformance, at_home),
        *(addresses, bombs, limits, doors, leaks),
        *(demo, writes, chaos, misbehaviour, rogues, throughput, decisions, waiting, arena, browser),
    )
}
PAGE = PROJECT / "docs" / "proof.md"


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.proof", description=(__doc__ or "").splitlines()[0])
    options.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PROOFS)}")
    names = options.parse_args().names
    unknown = sorted(set(names) - set(PROOFS))
    if unknown:
        options.error(f"there is no proof {', '.join(unknown)}: expected {', '.join(PROOFS)}")
    lines = [line for name in names or PROOFS for line in tried(name)]
    if names:
        print(table(lines))
    else:
        PAGE.write_text(page(lines), encoding="utf-8")
        print(f"Written to {PAGE.relative_to(PROJECT)}")
    return 0 if all(line.holds for line in lines) else 1


def tried(name: str) -> list[Line]:
    """The lines of one proof; one that says FAILED if it fails, whatever with."""
    began = time.monotonic()
    print(f"{name} …", flush=True)
    try:
        lines = PROOFS[name]()
    except Exception as failure:  # the others are still to be tried
        lines = [Line(name, f"{type(failure).__name__}: {failure}", f"`python -m tests.proof {name}`", holds=False)]
    for line in lines:
        print(f"  {'ok' if line.holds else 'FAILED'}: {line.claim}: {line.seen}", flush=True)
    print(f"  {time.monotonic() - began:.0f} s", flush=True)
    return lines


def page(lines: Sequence[Line]) -> str:
    return (
        "# What is proven, and how to see it again\n\n"
        "Written by `make proof`, which tries every line at full size; do not edit. Commands are run in a clone after "
        "`make setup`, `python` being `.venv/bin/python`.\n\n"
        f"Machine: {machine()}.\n\n"
        f"{table(lines)}\n"
    )


def machine() -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    system = f"{platform.system()} {platform.machine()}"
    return f"{cores} cores, {memory:.0f} GiB, {system}, Python {platform.python_version()}"


def table(lines: Sequence[Line]) -> str:
    rows = ["| claim | seen | to see it again |", "|---|---|---|"]
    rows += [f"| {_cell(line.claim)} | {_verdict(line)} | {_cell(line.command)} |" for line in lines]
    return "\n".join(rows)


def _verdict(line: Line) -> str:
    return _cell(line.seen) if line.holds else f"**FAILED** {_cell(line.seen)}"


def _cell(text: str) -> str:
    """One line, and short enough for a table's cell; folders of this machine are nobody's business."""
    said = " ".join(text.replace(str(PROJECT), ".").replace(str(Path.home()), "~").split())
    return (said if len(said) <= 600 else said[:600] + " …").replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
