"""The example programs are short, and need nothing but their language."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

from deploy.embedded.paths import PROJECT
from tests.proofs.showing import Line, NotShown

FOLDER = PROJECT / "docs" / "examples"
LONGEST = 39
WIDEST = 120
_REQUIRED = re.compile(r"""(?:require\(|from |import )["']([^"']+)["']""")
_GO_IMPORTS = re.compile(r"import \(([^)]*)\)")


def examples() -> list[Line]:
    programs = sorted(path for path in FOLDER.iterdir() if path.suffix in _IMPORTED)
    lengths = {program.name: len(_lines(program)) for program in programs}
    foreign = {f"{program.name}: {name}" for program in programs for name in foreign_to(program)}
    if not programs or max(lengths.values()) > LONGEST or foreign:
        raise NotShown(f"lines: {lengths}; not of the standard library: {sorted(foreign) or 'nothing'}")
    seen = ", ".join(f"{name} {lines}" for name, lines in lengths.items())
    claim = f"the example programs have fewer than {LONGEST + 1} lines and use the standard library only"
    return [Line(claim, f"lines: {seen}; imports: standard libraries only", "`python -m tests.proof examples`")]


def width_of(program: Path) -> int:
    """Characters of its longest line."""
    return max(map(len, _lines(program)))


def _lines(program: Path) -> list[str]:
    return program.read_text(encoding="utf-8").splitlines()


def foreign_to(program: Path) -> set[str]:
    """Modules that a program imports and its language does not bring along."""
    return _IMPORTED[program.suffix](program.read_text(encoding="utf-8"))


def _foreign_python(text: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or ".").partition(".")[0])
    return names - sys.stdlib_module_names


def _foreign_javascript(text: str) -> set[str]:
    return {name for name in _REQUIRED.findall(text) if not name.startswith("node:")}


def _foreign_go(text: str) -> set[str]:
    """Those with a host in their path: Go's own have none."""
    names = {name for group in _GO_IMPORTS.findall(text) for name in re.findall(r'"([^"]+)"', group)}
    return {name for name in names if "." in name.partition("/")[0]}


_IMPORTED = {".py": _foreign_python, ".js": _foreign_javascript, ".go": _foreign_go}
