"""What boards showed of two players: strength with its interval, faults by cause, times, the worst moments."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console
from rich.markup import escape

from bots_api.practice.boards import BoardPlayed, Meeting, Moment, moments_of
from bots_api.practice.table import PUSH
from engine.ladder import Estimate, Tally, elo_difference, mean_of
from engine.ladder.boards import board_rules
from engine.ladder.elo import tally_of
from engine.ladder.telling import said_elo

WORST: Final = 5
"""Moments of each player that are shown."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """How one player behaved. Milliseconds are the clock's, free of our own delays; None where it has no address."""

    name: str
    decisions: int
    faults: Mapping[str, int]
    forfeits: int
    p50_ms: int | None
    p95_ms: int | None
    worst: tuple[Moment, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """`points`: how much more the first player got a deal (stakes in Short), with its 95 % interval."""

    rules: str
    unit: str
    boards: int
    parties: int
    points: Estimate
    tally: Tally
    elo: Estimate
    players: tuple[Conduct, Conduct]


def report_of(meeting: Meeting, names: tuple[str, str], boards: Sequence[BoardPlayed]) -> Report:
    """Needs two boards at least."""
    results = [board.board for board in boards]
    tally = tally_of(results)
    is_short = board_rules(meeting.duel.rules, meeting.duel.deals).short is not None
    return Report(
        rules=meeting.duel.rules,
        unit="stakes" if is_short else "points",
        boards=len(boards),
        parties=sum(len(board.exposures) for board in boards),
        points=mean_of([board.points for board in results]),
        tally=tally,
        elo=elo_difference(tally),
        players=(_conduct(0, meeting, names[0], boards), _conduct(1, meeting, names[1], boards)),
    )


def _conduct(player: int, meeting: Meeting, name: str, boards: Sequence[BoardPlayed]) -> Conduct:
    moments = moments_of(player, boards)
    is_called = meeting.players[player].kind == PUSH
    times = sorted(moment.entry.elapsed_ms for moment in moments) if is_called else []
    return Conduct(
        name=name,
        decisions=len(moments),
        faults=dict(Counter(moment.entry.cause for moment in moments if moment.entry.cause).most_common()),
        forfeits=sum(_forfeited(board, player) for board in boards),
        p50_ms=_share(times, 0.5),
        p95_ms=_share(times, 0.95),
        worst=tuple(sorted(moments, key=_badness, reverse=True)[:WORST]) if is_called else (),
    )


def _forfeited(board: BoardPlayed, player: int) -> int:
    """How many exposures of a board a player forfeited."""
    lost = ((one, one.played.table.result) for one in board.exposures)
    return sum(
        result is not None and result.forfeiter is not None and one.player_at(result.forfeiter) == player
        for one, result in lost
    )


def _share(times: Sequence[int], share: float) -> int | None:
    """The smallest of the sorted times that so many do not exceed; None of none."""
    return times[math.ceil(share * len(times)) - 1] if times else None


def _badness(moment: Moment) -> tuple[bool, int]:
    return (bool(moment.entry.cause), moment.entry.elapsed_ms)


def show(report: Report, console: Console) -> None:
    points, tally = report.points, report.tally
    first, second = (escape(player.name) for player in report.players)
    console.print(
        f"\n {report.boards} boards, {report.parties} parties of {report.rules}\n"
        f" {first} gets [bold]{points.value:+.1f}[/] {report.unit} a deal more than {second}"
        f" (95 %: {points.low:+.1f} to {points.high:+.1f})\n"
        f" boards won {tally.won}, drawn {tally.drawn}, lost {tally.lost}; Elo {said_elo(report.elo)}\n"
        f" {_verdict(points, first, second)}",
        highlight=False,
    )
    for player in report.players:
        _show_conduct(player, console)


def _verdict(points: Estimate, first: str, second: str) -> str:
    if points.low > 0:
        return f"[green]{first} is stronger.[/]"
    if points.high < 0:
        return f"[red]{second} is stronger.[/]"
    return "[yellow]Which of them is stronger cannot be told from so many boards.[/]"


def _show_conduct(player: Conduct, console: Console) -> None:
    faults = ", ".join(f"{count} {cause}" for cause, count in player.faults.items()) or "no faults"
    forfeits = f", {player.forfeits} parties forfeited" if player.forfeits else ""
    times = "" if player.p50_ms is None else f", half of them in {player.p50_ms} ms, 95 % in {player.p95_ms} ms"
    console.print(f"\n {escape(player.name)}: {player.decisions} decisions{times}; {faults}{forfeits}", highlight=False)
    for moment in player.worst:
        entry = moment.entry
        what = f"[red]{entry.cause}[/], {entry.action} was played" if entry.cause else entry.action
        where = f"board {moment.board}, exposure {moment.exposure}, ply {entry.seq}"
        console.print(f"   {entry.elapsed_ms:>6} ms  {where}: {what}", highlight=False)


def as_json(report: Report) -> dict[str, Any]:
    """What `--json` prints. An Elo difference that no number of boards could bound is null."""
    return {
        "rules": report.rules,
        "boards": report.boards,
        "parties": report.parties,
        "unit": report.unit,
        "points_a_deal": _interval(report.points),
        "boards_won": report.tally.won,
        "boards_drawn": report.tally.drawn,
        "boards_lost": report.tally.lost,
        "elo": _interval(report.elo),
        "players": [_conduct_json(player) for player in report.players],
    }


def _interval(estimate: Estimate) -> dict[str, float | None]:
    values = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {name: round(value, 3) if math.isfinite(value) else None for name, value in values.items()}


def _conduct_json(player: Conduct) -> dict[str, Any]:
    return {
        "name": player.name,
        "decisions": player.decisions,
        "faults": dict(player.faults),
        "forfeits": player.forfeits,
        "p50_ms": player.p50_ms,
        "p95_ms": player.p95_ms,
        "worst": [
            {
                "board": moment.board,
                "exposure": moment.exposure,
                "ply": moment.entry.seq,
                "action": moment.entry.action,
                "cause": moment.entry.cause,
                "elapsed_ms": moment.entry.elapsed_ms,
            }
            for moment in player.worst
        ],
    }
