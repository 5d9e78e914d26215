"""One practice party: played by the lane's own loop, with a journal that is kept in memory."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import PartySetup, Rules, Table, commitment, record_of
from matches.agents import Agents
from matches.core.clocks import CLOCKS, Control
from matches.party_play import Entry, LettingGo, PartyPlay, SpoiledParty, decision_id_of
from matches.public_ids import new_id
from matches.services.load import PartyInPlay, SeatInPlay, Terms

TRIES = 3
"""So often a party is begun again that our own failures spoiled."""


@dataclass(frozen=True, slots=True)
class PracticeSeat:
    """Who sits there: an agent of this kind, which its `Agents` know by this number and label."""

    kind: str
    agent_id: int
    label: str


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a practice is played. `match`: what its games say that they are of."""

    rules: Rules
    control: Control = Control.LADDER
    strict: bool = False
    match: str = field(default_factory=lambda: new_id("m_"))

    @property
    def terms(self) -> Terms:
        return Terms(self.match, self.rules, CLOCKS[self.control], self.control, self.strict, 1, rated=False)


@dataclass(frozen=True, slots=True)
class Played:
    """A practice party: the table as it was left, and what was entered turn by turn."""

    party: PartyInPlay
    table: Table
    entries: tuple[Entry, ...]

    @property
    def is_over(self) -> bool:
        return self.table.over

    def decisions_of(self, seat: int) -> list[Entry]:
        """A seat's, in order."""
        return [entry for entry in self.entries if entry.seat == seat and entry.kind == "action"]

    def decision_id(self, entry: Entry) -> str:
        return decision_id_of(self.party, entry.seq)


class _Memory:
    """The journal of a party that nobody else will ever go on with."""

    def __init__(self, stop_at: float | None) -> None:
        self.entries: list[Entry] = []
        self._stop_at = stop_at

    @property
    def is_closing(self) -> bool:
        return self._stop_at is not None and time.monotonic() >= self._stop_at

    async def begin(self) -> Sequence[int]:
        return ()

    async def append(self, entry: Entry) -> None:
        self.entries.append(entry)

    async def finish(self, table: Table) -> Mapping[str, Any]:
        return record_of(table)


async def play_party(
    conditions: Conditions,
    setup: PartySetup,
    seats: Sequence[PracticeSeat],
    agents: Mapping[str, Agents],
    *,
    number: int = 1,
    seconds: float | None = None,
) -> Played:
    """Plays a party to its end, or until so many seconds are over; it is left between two cards then.

    `setup` has a seed, from which house programs' chances follow. Raises SpoiledParty where this machine itself could
    not go on, three times running, and NotPlayedHere where a house program cannot play these rules.
    """
    assert setup.seed is not None
    stop_at = None if seconds is None else time.monotonic() + seconds
    for attempt in range(1, TRIES + 1):
        party = _party_in_play(setup, setup.seed, seats, number)
        journal = _Memory(stop_at)
        play = PartyPlay(conditions.terms, party, agents, journal)
        try:
            await play.run()
        except SpoiledParty:
            if attempt == TRIES:
                raise
            continue
        except LettingGo:
            pass
        return Played(party, play.table, tuple(journal.entries))
    raise AssertionError("unreachable")


def _party_in_play(setup: PartySetup, seed: bytes, seats: Sequence[PracticeSeat], number: int) -> PartyInPlay:
    return PartyInPlay(
        party_id=0,
        public_id=new_id("p_"),
        number=number,
        rotation=0,
        seed=seed,
        commitment=commitment(seed),
        setup=setup,
        seats=tuple(SeatInPlay(seat.agent_id, seat.kind, seat.label, new_id("g_")) for seat in seats),
        events=(),
        forfeiter=None,
    )
