"""What boards showed of two players: strength with its interval, faults by cause, times, the worst moments."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.markup import escape

from bots_api.practice.account import Account, Conduct
from engine.ladder import Estimate, Tally, elo_difference, mean_of
from engine.ladder.boards import board_rules
from engine.ladder.elo import tally_of
from engine.ladder.telling import said_elo


@dataclass(frozen=True, slots=True)
class Report:
    """`points`: how much more the first player got a deal (stakes in Short), with its 95 % interval.

    `forfeits`: parties that were not played to their end. Of play the figures say nothing where there are any.
    """

    rules: str
    unit: str
    boards: int
    parties: int
    forfeits: int
    points: Estimate
    tally: Tally
    elo: Estimate
    names: tuple[str, str]
    players: tuple[Conduct, Conduct]


def report_of(account: Account, names: tuple[str, str]) -> Report:
    """Needs two boards at least."""
    duel = account.meeting.duel
    boards = sorted(account.boards, key=lambda board: board.number)
    tally = tally_of(boards)
    is_short = board_rules(duel.rules, duel.deals).short is not None
    return Report(
        rules=duel.rules,
        unit="stakes" if is_short else "points",
        boards=len(boards),
        parties=account.parties,
        forfeits=account.forfeits,
        points=mean_of([board.points for board in boards]),
        tally=tally,
        elo=elo_difference(tally),
        names=names,
        players=account.players,
    )


def show(report: Report, console: Console) -> None:
    points, tally = report.points, report.tally
    first, second = map(escape, report.names)
    if report.forfeits:
        console.print(f"\n [red]{_no_measure(report)}[/] Mend the faults below, and play again.", highlight=False)
    console.print(
        f"\n {report.boards} boards, {report.parties} parties of {report.rules}\n"
        f" {first} gets [bold]{points.value:+.1f}[/] {report.unit} a deal more than {second}"
        f" (95 %: {points.low:+.1f} to {points.high:+.1f})\n"
        f" boards won {tally.won}, drawn {tally.drawn}, lost {tally.lost}; Elo {said_elo(report.elo)}",
        highlight=False,
    )
    if not report.forfeits:
        console.print(f" {_verdict(points, first, second)}", highlight=False)
    for name, player in zip(report.names, report.players, strict=True):
        _show_conduct(escape(name), player, console)


def _no_measure(report: Report) -> str:
    were = "party was" if report.forfeits == 1 else "parties were"
    return f"{report.forfeits} of {report.parties} {were} forfeited: this is no measure of play."


def _verdict(points: Estimate, first: str, second: str) -> str:
    if points.low > 0:
        return f"[green]{first} is stronger.[/]"
    if points.high < 0:
        return f"[red]{second} is stronger.[/]"
    return "[yellow]Which of them is stronger cannot be told from so many boards.[/]"


def _show_conduct(name: str, player: Conduct, console: Console) -> None:
    faults = ", ".join(f"{count} {cause}" for cause, count in player.faults.most_common()) or "no faults"
    forfeits = f", {player.forfeits} parties forfeited" if player.forfeits else ""
    half, most = player.share_ms(0.5), player.share_ms(0.95)
    times = "" if half is None else f", half of them in {half} ms, 95 % in {most} ms"
    console.print(f"\n {name}: {player.decisions} decisions{times}; {faults}{forfeits}", highlight=False)
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
        "forfeits": report.forfeits,
        "is_measure_of_play": not report.forfeits,
        "unit": report.unit,
        "points_a_deal": _interval(report.points),
        "boards_won": report.tally.won,
        "boards_drawn": report.tally.drawn,
        "boards_lost": report.tally.lost,
        "elo": _interval(report.elo),
        "players": [_conduct_json(*one) for one in zip(report.names, report.players, strict=True)],
    }


def _interval(estimate: Estimate) -> dict[str, float | None]:
    values = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {name: round(value, 3) if math.isfinite(value) else None for name, value in values.items()}


def _conduct_json(name: str, player: Conduct) -> dict[str, Any]:
    return {
        "name": name,
        "decisions": player.decisions,
        "faults": dict(player.faults.most_common()),
        "forfeits": player.forfeits,
        "p50_ms": player.share_ms(0.5),
        "p95_ms": player.share_ms(0.95),
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
