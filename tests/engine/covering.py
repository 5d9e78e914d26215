"""Which lines and branches of the engine no test has to reach, and what a report of coverage says beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

PROJECT: Final = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Exempt:
    """A line that is not run, or not left by every way, with the reason; `code` is the line as it stands."""

    module: str
    code: str
    reason: str


_OTHER_MACHINES: Final = "numbers lie the other way round in machines of another kind than those that run the suite"

EXEMPT: Final[tuple[Exempt, ...]] = (
    Exempt("engine/columns.py", 'if sys.byteorder == "big":', _OTHER_MACHINES),
    Exempt("engine/columns.py", "column.byteswap()", _OTHER_MACHINES),
)

APART: Final = ("engine/benchmarks/", "engine/fast/")
"""What measures, and the fast core: compiled, nobody can follow its lines. It is held to the reference step by step
(`test_fast_laws.py`), the solver to brute force.
"""


def counts(module: str) -> bool:
    """Whether every line of a module has to be reached."""
    return module.startswith("engine/") and not module.startswith(APART)


def uncovered(report: Mapping[str, Any]) -> Iterator[str]:
    """Lines and branches that were not reached and are not exempt, of a report as `coverage json` writes it."""
    for module, found in sorted(report["files"].items()):
        if not counts(module):
            continue
        lines = (PROJECT / module).read_text(encoding="utf-8").splitlines()
        exempt = {one.code for one in EXEMPT if one.module == module}
        missing = {(line, "not run") for line in found["missing_lines"]}
        missing |= {(line, f"never goes on to {_place(to)}") for line, to in found["missing_branches"]}
        for line, what in sorted(missing):
            if lines[line - 1].strip() not in exempt:
                yield f"{module}:{line} {what}: {lines[line - 1].strip()}"


def _place(line: int) -> str:
    return f"line {line}" if line > 0 else "its end"
