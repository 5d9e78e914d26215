"""What boards have shown so far, added up as each ends: of a board no more is kept than its margins."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Final, Self

from bots_api.models import PUSH
from bots_api.practice.boards import BoardPlayed, Meeting, Moment, moments_of
from engine.ladder import Board

WORST: Final = 5
"""Moments of each player that are kept."""


@dataclass(slots=True)
class Conduct:
    """How one player has behaved. `times`: how often an answer took so many milliseconds of the clock, free of our own
    delays; of a player without an address there are none, and no worst moments.
    """

    decisions: int = 0
    forfeits: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    times: Counter[int] = field(default_factory=Counter)
    worst: list[Moment] = field(default_factory=list)

    def share_ms(self, share: float) -> int | None:
        """The fewest milliseconds in which so many of the decisions were answered; None of none."""
        left = math.ceil(share * self.times.total())
        for time_ms in sorted(self.times):
            left -= self.times[time_ms]
            if left <= 0:
                return time_ms
        return None


class Account:
    """The boards of a meeting, in whatever order they end."""

    def __init__(self, meeting: Meeting) -> None:
        self.meeting = meeting
        self.boards: list[Board] = []
        self.parties = 0
        self.players = (Conduct(), Conduct())

    @classmethod
    def of(cls, meeting: Meeting, boards: Iterable[BoardPlayed]) -> Self:
        """Of boards that are all there."""
        account = cls(meeting)
        for board in boards:
            account.add(board)
        return account

    @property
    def forfeits(self) -> int:
        """Parties that one of the two has forfeited."""
        return sum(player.forfeits for player in self.players)

    def add(self, board: BoardPlayed) -> None:
        self.boards.append(board.board)
        self.parties += len(board.exposures)
        for player, conduct in enumerate(self.players):
            self._add_to(conduct, player, board)

    def _add_to(self, conduct: Conduct, player: int, board: BoardPlayed) -> None:
        moments = moments_of(player, [board])
        conduct.decisions += len(moments)
        conduct.forfeits += _forfeited(board, player)
        conduct.faults.update(moment.entry.cause for moment in moments if moment.entry.cause)
        if self.meeting.players[player].kind == PUSH:
            conduct.times.update(moment.entry.elapsed_ms for moment in moments)
            conduct.worst = nlargest(WORST, [*conduct.worst, *moments], key=_badness)


def _forfeited(board: BoardPlayed, player: int) -> int:
    """How many exposures of a board a player forfeited."""
    lost = ((one, one.played.table.result) for one in board.exposures)
    return sum(
        result is not None and result.forfeiter is not None and one.player_at(result.forfeiter) == player
        for one, result in lost
    )


def _badness(moment: Moment) -> tuple[bool, int]:
    return (bool(moment.entry.cause), moment.entry.elapsed_ms)
