"""Duplicate boards between two players at practice tables: each board from every seat, suits relabelled (R70)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from bots_api.practice.party import Conditions, Played, PracticeSeat, play_party
from engine import PartySetup, suits_of
from engine.ladder import Board, Duel, exposures
from engine.ladder.boards import Sides, board_rules, margin_of, seed_of
from matches.agents import Agents
from matches.core.clocks import Control
from matches.core.outcome import PartyScore, score_of, unit_of
from matches.core.plan import forfeit_points
from matches.party_play import Entry


@dataclass(frozen=True, slots=True)
class Exposed:
    """One exposure of a board as it was played; `seating`: which of the two has each side."""

    seating: Sides
    played: Played

    def player_at(self, seat: int) -> int:
        """Which of the two sat there."""
        return self.seating[self.played.table.rules.side_of(seat)]


@dataclass(frozen=True, slots=True)
class BoardPlayed:
    board: Board
    exposures: tuple[Exposed, ...]


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two players, the boards of their duel, and how they are played."""

    duel: Duel
    players: tuple[PracticeSeat, PracticeSeat]
    control: Control

    async def play(
        self, agents: Mapping[str, Agents], count: int, at_once: int, told: Callable[[BoardPlayed], None]
    ) -> None:
        """Plays so many boards, `at_once` side by side; `told` hears of each. Raises a group of what play raises."""
        numbers = iter(range(count))

        async def one_after_the_other() -> None:
            for number in numbers:
                told(await self.board(agents, number))

        async with asyncio.TaskGroup() as group:
            for _ in range(at_once):
                group.create_task(one_after_the_other())

    async def board(self, agents: Mapping[str, Agents], number: int) -> BoardPlayed:
        """Plays a board from every side, one exposure after the other."""
        rules = board_rules(self.duel.rules, self.duel.deals)
        exposed = [
            Exposed(seating, await self._exposure(agents, number, exposure, seating))
            for exposure, seating in enumerate(exposures(rules.sides))
        ]
        margins = tuple(margin_of(one.seating, paid(one.played)) for one in exposed)
        return BoardPlayed(Board(number, margins, (rules.sides - 1) * (rules.deals or 1)), tuple(exposed))

    async def _exposure(self, agents: Mapping[str, Agents], number: int, exposure: int, seating: Sides) -> Played:
        rules, seed = board_rules(self.duel.rules, self.duel.deals), seed_of(self.duel, number)
        setup = PartySetup(rules, seed, suits=suits_of(seed, exposure), first_dealer=0)
        seats = [self.players[seating[rules.side_of(seat)]] for seat in range(rules.players)]
        return await play_party(Conditions(rules, self.control), setup, seats, agents, number=exposure + 1)


def paid(played: Played) -> tuple[int, ...]:
    """What each side gets for a party that is over: points, stakes in Short; a forfeit as a match counts it."""
    table, result = played.table, played.table.result
    assert result is not None
    score = PartyScore(table.totals, result.winner, result.stakes, result.forfeiter)
    return score_of(score, forfeit_points(table.rules), unit_of(table.rules))


@dataclass(frozen=True, slots=True)
class Moment:
    """One decision of a player's: on which board and exposure (both from 0), and what was entered."""

    board: int
    exposure: int
    entry: Entry


def moments_of(player: int, boards: Iterable[BoardPlayed]) -> list[Moment]:
    """Every decision that one of the two was asked for."""
    return [
        Moment(board.board.number, number, entry)
        for board in boards
        for number, exposed in enumerate(board.exposures)
        for entry in exposed.played.entries
        if entry.kind == "action" and exposed.player_at(entry.seat) == player
    ]
