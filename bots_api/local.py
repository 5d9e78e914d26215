"""`python -m bots_api.local --bot URL --vs house:greedy`: how strong a program is, on duplicate boards, at home.

Each board is played from every seat with the suits relabelled, through the same messages and clocks as on a server;
nothing is started and no database is asked.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.conf import settings
from rich.console import Console
from rich.progress import Progress

from bots_api.at_home import Terminal, UsageError, endpoint_at, run

if TYPE_CHECKING:
    from bots_api.endpoints import Endpoint
    from bots_api.practice import PracticeSeat
    from bots_api.practice.account import Account
    from bots_api.practice.boards import BoardPlayed, Meeting

HOUSE: Final = "house:"
LEAST_BOARDS: Final = 2
"""An interval needs two."""
MOST_BOARDS: Final = 100_000
MOST_JOBS: Final = 64
PLAYED, FORFEITED = 0, 1
"""Exit statuses: every party was played to its end; some were forfeited, so that the figures measure no play."""


@dataclass(frozen=True, slots=True)
class Player:
    """A program at an address, or one of the house's."""

    name: str
    seat: PracticeSeat
    endpoint: Endpoint | None = None


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    if not settings.configured:  # as many programs of the house may compute at once as there are cores
        os.environ.setdefault("HOUSE_THINKERS", str(max(1, min(options.jobs, _cores()))))
    return run(lambda: _main(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bots_api.local", description=__doc__.partition("\n\n")[2])
    add = parser.add_argument
    add("--bot", action="append", required=True, metavar="URL", help="where it listens; given twice, the two meet")
    add("--vs", metavar="NAME", help="house:random, house:greedy, house:pimc, house:solver; house:greedy if not given")
    add("--rules", default="moscow/2", metavar="PRESET", help="at which table; moscow/2 if not given")
    add("--boards", type=int, default=200, metavar="N", help="duplicate boards; 200 if not given")
    add("--deals", type=int, default=1, metavar="N", help="deals a board; 1 if not given")
    add("--secret", action="append", default=[], help="the bots' signing secrets, in turn; else the variable SECRET")
    add("--control", default="ladder", choices=["blitz", "ladder", "classic"], help="the clock; ladder if not given")
    add("--jobs", type=int, default=8, metavar="N", help="boards at the same time; 8 if not given")
    add("--seed", default="0", help="any text; the same seed gives the same boards")
    add("--record", type=Path, metavar="FILE", help="write every party, one a line, for `python -m engine verify`")
    add("--json", action="store_true", help="print one JSON document, for programs")
    return parser


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _main(options: argparse.Namespace) -> int:
    from bots_api.practice.report import as_json, report_of, show

    players = _players(options)
    meeting = _meeting(options, players)
    if not options.json:
        print(f"{players[0].name} against {players[1].name}: {options.boards} boards of {options.rules}", flush=True)
    account = _played(options, meeting, players)
    report = report_of(account, (players[0].name, players[1].name))
    if options.json:
        print(json.dumps(as_json(report), ensure_ascii=False, indent=1))
    else:
        show(report, Terminal())
    return FORFEITED if report.forfeits else PLAYED


def _players(options: argparse.Namespace) -> tuple[Player, Player]:
    """Raises UsageError."""
    if len(options.bot) > 2 or (len(options.bot) == 2 and options.vs):
        raise UsageError("Two meet: give --bot twice, or once with --vs.")
    secrets = [*options.secret, *options.secret[-1:] * 2, None, None]  # one secret is both bots'
    bots = [_called(url, secrets[number], number + 1) for number, url in enumerate(options.bot)]
    others = [] if len(bots) == 2 else [_of_the_house(options.vs or "house:greedy")]
    first, second = [*bots, *others]
    return first, second


def _called(url: str, secret: str | None, number: int) -> Player:
    from bots_api.models import PUSH
    from bots_api.practice import PracticeSeat

    return Player(url, PracticeSeat(PUSH, number, ""), endpoint_at(url, secret, number))


def _of_the_house(name: str) -> Player:
    from bots_api.practice import PracticeSeat
    from matches.core.house import KIND, house_programs

    known = {HOUSE + program.name: program.label for program in house_programs()}
    if name not in known:
        raise UsageError(f"--vs {name}: expected one of {', '.join(known)}.")
    return Player(name, PracticeSeat(KIND, 0, known[name]))


def _meeting(options: argparse.Namespace, players: tuple[Player, Player]) -> Meeting:
    """Raises UsageError for rules, numbers or house programs that do not go together."""
    from bots_api.practice.boards import Meeting
    from engine import RulesError
    from engine.ladder import Duel
    from engine.ladder.boards import board_rules
    from matches.core.clocks import Control
    from matches.core.house import KIND, why_not_house

    for name, least, most in (("boards", LEAST_BOARDS, MOST_BOARDS), ("deals", 1, 100), ("jobs", 1, MOST_JOBS)):
        if not least <= (number := getattr(options, name)) <= most:
            raise UsageError(f"--{name} {number}: expected {least} to {most}.")
    try:
        rules = board_rules(options.rules, options.deals)
    except RulesError as error:
        raise UsageError(f"--rules {options.rules}: {error}") from error
    for player in players:
        if player.seat.kind == KIND and (reason := why_not_house(player.seat.label, rules)):
            raise UsageError(f"--vs {player.name}: {reason}")
    duel = Duel(options.rules, (players[0].name, players[1].name), options.seed, options.deals)
    return Meeting(duel, (players[0].seat, players[1].seat), Control(options.control))


def _played(options: argparse.Namespace, meeting: Meeting, players: Sequence[Player]) -> Account:
    """All boards, or those that were finished when somebody pressed Ctrl-C; raises UsageError if they are too few."""
    from bots_api.practice.account import Account

    endpoints = {player.seat.agent_id: player.endpoint for player in players if player.endpoint}
    if options.record:
        _check_place(options.record)
    asyncio.run(_check_are_there(endpoints.values()))
    account, console = Account(meeting), Console(stderr=True)
    bar = Progress(console=console, transient=True, disable=options.json or not console.is_terminal)
    with _records(options.record) as write, bar:
        task = bar.add_task("boards", total=options.boards)

        def told(board: BoardPlayed) -> None:
            write(board)
            account.add(board)
            bar.advance(task)

        try:
            asyncio.run(_play(options, meeting, endpoints, told))
        except KeyboardInterrupt:
            if len(account.boards) < LEAST_BOARDS:
                raise UsageError(f"Stopped before {LEAST_BOARDS} boards were played.") from None
    return account


async def _play(
    options: argparse.Namespace,
    meeting: Meeting,
    endpoints: Mapping[int, Endpoint],
    told: Callable[[BoardPlayed], None],
) -> None:
    from bots_api.practice import tables
    from matches.party_play import SpoiledParty

    async with tables(endpoints, lambda _: None) as agents:
        failed = False
        try:
            await meeting.play(agents, options.boards, options.jobs, told)
        except* SpoiledParty:
            failed = True  # what is raised in here would come out as a group
    if failed:
        raise UsageError("This machine was too busy, or a program of the house failed, three times running.")


async def _check_are_there(endpoints: Iterable[Endpoint]) -> None:
    """Raises UsageError unless each echoes a ping: two hundred boards of faults would tell no more."""
    from bots_api.conformance import Outcome
    from bots_api.conformance.called import examinee_at
    from bots_api.conformance.talking import ping

    for endpoint in endpoints:
        async with examinee_at(endpoint) as examinee:
            finding = await ping(examinee)
        if finding.outcome is Outcome.FAILED:
            raise UsageError(f"{endpoint.url} does not echo a ping: {finding.detail}")


def _check_place(path: Path) -> None:
    """Whether records can be written there, before anything is played; raises UsageError."""
    try:
        path.open("a", encoding="utf-8").close()
    except OSError as error:
        raise UsageError(f"--record {path}: {error.strerror}") from None


@contextmanager
def _records(path: Path | None) -> Iterator[Callable[[BoardPlayed], None]]:
    """Writes every party of a board that has ended, one a line, so that nothing which is over can be lost."""
    from engine import record_of

    if path is None:
        yield lambda _: None
        return
    with path.open("w", encoding="utf-8") as file:

        def write(board: BoardPlayed) -> None:
            for exposed in board.exposures:
                file.write(json.dumps(record_of(exposed.played.table), separators=(",", ":")) + "\n")
            file.flush()

        yield write


if __name__ == "__main__":
    sys.exit(main())
