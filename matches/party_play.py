"""One party, played: ask the seat to act, write the answer, apply it, go on. Where it is written is a journal's.

An answer is in the journal before anything follows from it. Whatever ends this process, the next one folds the same
events and asks for the same decision, by the same id.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Protocol

from engine import Action, Table, apply, default_action, fault_of, forfeit, format_action, observe, parse_action, start
from matches.agents import Agents, Answer, GameRef, Question
from matches.core.chance import derived
from matches.core.clocks import Clock
from matches.core.faults import INFRA_FAILURES, THROWN_IN_RUNNING, Cause, forfeits, is_stalled
from matches.public_ids import base62
from matches.services.load import PartyInPlay, Terms

TICKET_BYTES = 17  # as many bits as 22 digits of base62 hold


class LettingGo(Exception):
    """Whoever plays has no more time: stop between two cards and leave the party to others."""


class SpoiledParty(Exception):
    """Our own failures made a party unplayable; it is to be played again from its seed."""


class Entry(NamedTuple):
    """What a journal is told of one turn; the columns are `PartyEvent`'s."""

    seq: int
    kind: str
    seat: int
    action: str = ""
    cause: str = ""
    corrected: bool = False
    elapsed_ms: int = 0
    charged_ms: int = 0
    bank_ms: int = 0


class Journal(Protocol):
    """Where a party is written while it is played: a lane's database, or the memory of a practice."""

    @property
    def is_closing(self) -> bool:
        """Whether to stop before the next question."""
        ...

    async def begin(self) -> Sequence[int]:
        """Writes that the party begins; returns the seats whose versions cannot play."""
        ...

    async def append(self, entry: Entry) -> None:
        """Returns when the entry will not be lost."""
        ...

    async def finish(self, table: Table) -> Mapping[str, Any]:
        """Writes the party that is over; returns its record."""
        ...


@dataclass(slots=True)
class SeatRecord:
    """What a seat's decisions of this party have cost so far: a fold over its events."""

    bank_ms: int
    causes: list[Cause | None] = field(default_factory=list)
    corrected: bool = False
    charged_ms: int = 0
    elapsed_ms: int = 0
    acted_at_ply: int | None = None

    def note(self, ply: int, cause: str, corrected: bool, bank_ms: int, charged_ms: int, elapsed_ms: int) -> None:
        self.causes.append(Cause(cause) if cause else None)
        self.corrected |= corrected
        self.bank_ms, self.charged_ms, self.elapsed_ms = bank_ms, charged_ms, elapsed_ms
        self.acted_at_ply = ply


class PartyPlay:
    """One party, from wherever its events leave it."""

    def __init__(self, terms: Terms, party: PartyInPlay, agents: Mapping[str, Agents], journal: Journal) -> None:
        self.terms, self.party, self.agents, self.journal = terms, party, agents, journal
        self.refs = tuple(self._ref(seat) for seat in range(len(party.seats)))
        self.seats = [SeatRecord(terms.clock.bank_ms) for _ in party.seats]
        self.table = self._fold()
        self.deals_told = len(self.table.party.deals)
        self.infra_failures = 0
        self.expected = False

    def _fold(self) -> Table:
        table = start(self.party.setup)
        for event in self.party.events:
            table = apply(table, parse_action(event.action), event.cause or None)
            self.seats[event.seat].note(
                table.ply, event.cause, event.corrected, event.bank_ms, event.charged_ms, event.elapsed_ms
            )
        return table if self.party.forfeiter is None else forfeit(table, self.party.forfeiter)

    async def run(self) -> None:
        try:
            await self._run()
        finally:
            for seat, ref in enumerate(self.refs):
                self._agents(seat).leave(ref)

    async def _run(self) -> None:
        if not self.table.over:
            await (self._begin() if not self.party.events else self._forfeit_if_owed(self.party.events[-1].seat))
        while not self.table.over:
            await self._step()
        for seat, ref in enumerate(self.refs):
            await self._agents(seat).over(ref, self.seats[seat].causes)
        record = await self.journal.finish(self.table)
        for seat, ref in enumerate(self.refs):
            await self._agents(seat).end(ref, record["result"])

    async def _begin(self) -> None:
        absent = await self.journal.begin()
        if absent:
            return await self._forfeit(self._forfeiter_of(absent), Cause.NO_SHOW)
        await asyncio.gather(*(self._agents(seat).begin(ref) for seat, ref in enumerate(self.refs)))
        return None

    def _forfeiter_of(self, absent: Sequence[int]) -> int:
        """The absent seat that leaves the party to a side which is there, if any is (protocol §3 says to whom)."""
        away = {self.terms.rules.side_of(seat) for seat in absent}
        heirs = ((seat, forfeit(self.table, seat).result) for seat in absent)
        return next((seat for seat, result in heirs if result and result.winner not in away), absent[0])

    async def _step(self) -> None:
        if self.journal.is_closing and not self.expected:
            raise LettingGo
        seat = self.table.seat_to_act
        if seat is None:
            raise ValueError(f"Party {self.party.public_id} goes on with nobody to act.")
        if self._is_stalled():
            return await self._forfeit(seat, Cause.STALLED)
        self.expected = False
        clock = self._clock(seat)
        answer = await self._agents(seat).decide(self._question(seat, clock))
        if answer.cause is Cause.INFRA:
            return self._count_infra_failure()
        if answer.cause is Cause.ADMIN_VOID:  # the lease is lost; a practice that was taken for dead begins anew
            raise SpoiledParty
        cause = answer.cause or (Cause.TIMEOUT if clock.bank_after(answer.elapsed_ms) < 0 else None)
        await self._enter(seat, clock, answer, cause)
        return await self._forfeit_if_owed(seat)

    async def _forfeit_if_owed(self, seat: int) -> None:
        """The party ends by a seat's last fault; asked again by whoever goes on where a kill came between the two."""
        cause = self._owed_by(seat)
        if cause:
            await self._forfeit(seat, cause)

    def _owed_by(self, seat: int) -> Cause | None:
        causes = self.seats[seat].causes
        return causes[-1] if causes and causes[-1] and forfeits(causes, self.terms.strict) else None

    async def _enter(self, seat: int, clock: Clock, answer: Answer, cause: Cause | None) -> None:
        """Plays the decision, the answer or the seat's default where there is none in time, and writes it.

        Nobody hears of it before it is committed: if it is not, the match is given up with all that is in memory.
        """
        action = self._played_for(answer, cause)
        charged, bank = clock.charged(answer.elapsed_ms), max(0, clock.bank_after(answer.elapsed_ms))
        entry = Entry(
            seq=self.table.ply,
            kind="action",
            seat=seat,
            action=format_action(action),
            cause=cause or "",
            corrected=answer.corrected,
            elapsed_ms=answer.elapsed_ms,
            charged_ms=charged,
            bank_ms=bank,
        )
        self._advance(action, cause)
        self.seats[seat].note(self.table.ply, cause or "", answer.corrected, bank, charged, answer.elapsed_ms)
        self._expect_next(seat)
        await self.journal.append(entry)
        self._tell_deal_over()

    def _played_for(self, answer: Answer, cause: Cause | None) -> Action:
        """What lies on the table: the answer, or the default of a seat that failed, or its illegal card (R66)."""
        if cause is None and answer.action is not None:
            return answer.action
        fault = fault_of(self.table, answer.tried) if cause is Cause.ILLEGAL and answer.tried else None
        return fault or default_action(self.table)

    def _tell_deal_over(self) -> None:
        """Tells every seat of a deal that has just been written; not of those that an earlier lane saw the end of."""
        deals = self.table.party.deals
        for deal in deals[self.deals_told :]:
            for seat, ref in enumerate(self.refs):
                self._agents(seat).deal_over(ref, deal)
        self.deals_told = len(deals)

    def _expect_next(self, seat: int) -> None:
        """Lets the next seat's agents prepare while the answer of this one is being written."""
        following = self.table.seat_to_act
        if following is None or self.journal.is_closing or self._owed_by(seat) or self._is_stalled():
            return
        self.expected = True
        self._agents(following).expect(self.refs[following])

    def _is_stalled(self) -> bool:
        if self.table.deal_number < THROWN_IN_RUNNING or self.table.deal.actions:
            return False
        return is_stalled([deal.end for deal in self.table.party.deals])

    def _advance(self, action: Action, cause: Cause | None) -> None:
        self.table = apply(self.table, action, cause.value if cause else None)

    async def _forfeit(self, seat: int, cause: Cause) -> None:
        if self.table.over:
            return
        await self.journal.append(Entry(seq=self.table.ply, kind="forfeit", seat=seat, cause=cause.value))
        self.table = forfeit(self.table, seat)
        self._tell_deal_over()

    def _count_infra_failure(self) -> None:
        self.infra_failures += 1
        if self.infra_failures >= INFRA_FAILURES:
            raise SpoiledParty

    def _agents(self, seat: int) -> Agents:
        return self.agents[self.party.seats[seat].kind]

    def _clock(self, seat: int) -> Clock:
        record = self.seats[seat]
        return Clock(self.terms.clock, record.bank_ms, record.charged_ms, record.elapsed_ms)

    def _question(self, seat: int, clock: Clock) -> Question:
        record, ply = self.seats[seat], self.table.ply
        return Question(
            ref=self.refs[seat],
            decision_id=decision_id_of(self.party, ply),
            view=observe(self.table, seat, record.acted_at_ply, party=self.party.number),
            clock=clock,
            chance=partial(derived, self.party.seed, "house", self.party.rotation, seat, ply),
            may_correct=not record.corrected,
        )

    def _ref(self, seat: int) -> GameRef:
        there = self.party.seats[seat]
        return GameRef(
            agent_id=there.agent_id,
            label=there.label,
            game=there.game,
            match=self.terms.public_id,
            round_number=self.terms.round_number,
            rated=self.terms.rated,
            control=self.terms.control,
            rules=self.terms.rules,
            seat=seat,
            party=self.party.number,
            commitment=self.party.commitment,
        )


def decision_id_of(party: PartyInPlay, ply: int) -> str:
    """The id of the decision asked at a ply, the same whoever asks."""
    ticket = derived(party.seed, "decision", party.public_id, ply)
    return "dec_" + base62(int.from_bytes(ticket[:TICKET_BYTES], "big"))
