"""What the proofs of the rule book have to say when the suite is over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.engine.events import EVENTS

REACHED = "events reached"
"""The property of a test that carries lines of the table; it comes along from other processes, too."""


def pytest_terminal_summary(terminalreporter: Any) -> None:
    lines = [line for report in _reports(terminalreporter) for line in _lines_of(report)]
    if lines:
        terminalreporter.section("options and the events reached while they were set")
        for line in [*_legend(), *_heads(), *lines]:
            terminalreporter.write_line(line)


def _reports(terminalreporter: Any) -> Iterator[Any]:
    for kind in ("passed", "failed"):
        yield from terminalreporter.stats.get(kind, ())


def _lines_of(report: Any) -> list[str]:
    said = dict(getattr(report, "user_properties", ())).get(REACHED)
    lines: list[str] = json.loads(said) if said and report.when == "call" else []
    return lines


def _legend() -> Iterator[str]:
    yield "• reached  - excluded by what it needs  ? could be, and was not"
    for number, event in enumerate(EVENTS, 1):
        yield f"{number:>4} {event.name} ({event.clause})"


def _heads() -> Iterator[str]:
    """The numbers of the columns, read downwards."""
    for place in (0, 1):
        yield " " * 39 + "".join(f"{number:02}"[place] for number in range(1, len(EVENTS) + 1))
