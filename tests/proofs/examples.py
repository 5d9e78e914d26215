"""The example programs are short and need nothing but Python."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from deploy.embedded.paths import PROJECT
from tests.proofs.showing import Line, NotShown

FOLDER = PROJECT / "docs" / "examples"
LONGEST = 40


def examples() -> list[Line]:
    programs = sorted(FOLDER.glob("*.py"))
    lengths = {program.name: len(program.read_text(encoding="utf-8").splitlines()) for program in programs}
    foreign = {name for program in programs for name in imported(program)} - sys.stdlib_module_names
    if not programs or max(lengths.values()) > LONGEST or foreign:
        raise NotShown(f"lines: {lengths}; not of the standard library: {sorted(foreign) or 'nothing'}")
    seen = ", ".join(f"{name} {lines}" for name, lines in lengths.items())
    claim = f"the example programs have at most {LONGEST} lines and use the standard library only"
    return [Line(claim, f"lines: {seen}; imports: standard library only", "`python -m tests.proof examples`")]


def imported(program: Path) -> set[str]:
    """Top-level names of all modules that a program imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(program.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or ".").partition(".")[0])
    return names
