"""`python -m bots_api.check URL`: puts every case of the qualification to a program; no server and no database."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel

from bots_api.at_home import NOT_DONE, Terminal, endpoint_at, run

if TYPE_CHECKING:
    from bots_api.conformance import CaseResult, Verdict
    from bots_api.endpoints import Endpoint

MARKS: Final = {"passed": "[green]✓[/]", "warned": "[yellow]![/]", "failed": "[red]✗[/]", "skipped": "[dim]·[/]"}
SHOWN: Final = 1_500
"""Characters of a request or a reply on the terminal; `--json` has them whole."""
MAY_PLAY, MAY_NOT = 0, 1
"""Exit statuses: it would be admitted; it would not."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bots_api.check", description=__doc__)
    parser.add_argument("url", metavar="URL", help="where the program listens, such as http://localhost:9000/")
    parser.add_argument("--secret", help="its signing secret, whsec_…; the variable SECRET if not given")
    parser.add_argument("--json", action="store_true", help="print one JSON document, for programs")
    options = parser.parse_args(arguments)
    return run(lambda: _main(options))


def _main(options: argparse.Namespace) -> int:
    endpoint = endpoint_at(options.url, options.secret)
    verdict = asyncio.run(_examined(endpoint, None if options.json else Terminal()))
    if options.json:
        print(json.dumps(as_json(verdict), ensure_ascii=False, indent=1))
    return _status(verdict)


async def _examined(endpoint: Endpoint, console: Console | None) -> Verdict:
    from bots_api.conformance import examine
    from bots_api.conformance.called import examinee_at
    from bots_api.conformance.running import NOT_TRIED

    async def told(result: CaseResult) -> None:
        if console and not result.detail.startswith(NOT_TRIED):
            _show(console, result)

    async with examinee_at(endpoint) as examinee:
        verdict = await examine(examinee, told)
    if console:
        _show_grade(console, verdict)
    return verdict


def _show(console: Console, result: CaseResult) -> None:
    from bots_api.conformance import Outcome, case_of

    case = case_of(result.code)
    detail = f"  [dim]{escape(result.detail)}[/]" if result.detail and result.outcome is Outcome.PASSED else ""
    took = f"{result.elapsed_ms:>6} ms" if result.elapsed_ms else " " * 9
    console.print(f" {MARKS[result.outcome]} {result.code:<15}{took}  {case.title}{detail}", highlight=False)
    if result.outcome in (Outcome.FAILED, Outcome.WARNED):
        console.print(Panel(_told(result, str(case.why)), expand=False, border_style="red"), highlight=False)
    elif result.outcome is Outcome.SKIPPED:
        console.print(f"   [dim]{escape(result.detail)}[/]", highlight=False)


def _told(result: CaseResult, why: str) -> str:
    parts = [escape(result.detail), f"[bold]{escape(why)}[/]"]
    for name, text in (("sent", result.request), ("came back", result.reply)):
        if text:
            parts.append(f"[dim]{name}:[/] {escape(_cut(text))}")
    return "\n".join(parts)


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} … ({len(text)} characters)"


def _show_grade(console: Console, verdict: Verdict) -> None:
    from bots_api.conformance import Outcome

    warnings = len(verdict.of(Outcome.WARNED))
    warned = f", {warnings} with a warning" if warnings else ""
    may = "[green]It may play.[/]" if verdict.may_play else "[red]It may not play yet.[/]"
    console.print(f"\n Passed {verdict.passed} of {verdict.tried}{warned}. {may}", highlight=False)


def as_json(verdict: Verdict) -> dict[str, object]:
    """What `--json` prints: the grade, and every case with its request and reply."""
    return {
        "may_play": verdict.may_play,
        "passed": verdict.passed,
        "tried": verdict.tried,
        "cases": [
            {
                "code": result.code,
                "outcome": result.outcome.value,
                "detail": result.detail,
                "elapsed_ms": result.elapsed_ms,
                "request": result.request,
                "reply": result.reply,
            }
            for result in verdict.results
        ],
    }


def _status(verdict: Verdict) -> int:
    from bots_api.conformance import Outcome

    if verdict.may_play:
        return MAY_PLAY
    first = verdict.results[0]
    return NOT_DONE if first.outcome is Outcome.FAILED and not first.reply else MAY_NOT


if __name__ == "__main__":
    sys.exit(main())
