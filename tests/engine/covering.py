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

APART: Final = ("engine/benchmarks/", "engine/fast/build.py", "engine/fast/finding.py", "engine/fast/__init__.py")
"""What compiles and measures, and is no part of the game: its tests run copies of it, and what is here decides which of
its lines can be reached. The core itself is followed in its plain form, with `ENGINE_PURE=1`.
"""


def uncovered(report: Mapping[str, Any]) -> Iterator[str]:
    """Lines and branches that were not reached and are not exempt, of a report as `coverage json` writes it."""
    for module, found in sorted(report["files"].items()):
        if not module.startswith("engine/") or module.startswith(APART):
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
