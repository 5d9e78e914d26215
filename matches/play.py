"""One match, played: fold its events, ask the seat to act, write the answer, apply it, go on.

An answer is in the log before anything follows from it. Whatever kills this process, the next one folds the same
events and asks for the same decision, by the same id.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from engine import Action, Table, apply, default_action, fault_of, forfeit, format_action, observe, parse_action, start
from matches.agents import Agents, Answer, GameRef, Question
from matches.core.chance import derived
from matches.core.clocks import Clock
from matches.core.faults import INFRA_FAILURES, THROWN_IN_RUNNING, Cause, forfeits, is_stalled
from matches.ledger import Ledger
from matches.public_ids import base62
from matches.services.claim import Lease
from matches.services.finish import LostLease, begin_party, finish_match, finish_party, replay_party
from matches.services.journal import NewEvent
from matches.services.load import MatchInPlay, PartyInPlay, load_match

TICKET_BYTES = 17  # as many bits as 22 digits of base62 hold


class LettingGo(Exception):
    """The lane's time is over: stop between two cards and leave the match to the next lane."""


class SpoiledParty(Exception):
    """Our own failures made a party unplayable; it is to be played again from its seed."""


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


class MatchPlay:
    """Drives one claimed match to its end, or until the lane lets go."""

    def __init__(self, lease: Lease, ledger: Ledger, agents: Mapping[str, Agents]) -> None:
        self.lease, self.ledger, self.agents = lease, ledger, agents
        self.letting_go = False
        self.progress = False

    async def run(self) -> None:
        """Plays what is left of the match and writes its result. Raises LostLease, LettingGo."""
        while await self._play_what_is_known():
            pass  # where parties follow one another, the next one's dealer is known now
        await self.ledger.run(finish_match, self.lease)

    async def _play_what_is_known(self) -> bool:
        """Whether there may be more to play afterwards."""
        match = await self.ledger.run(load_match, self.lease)
        for party in match.parties:
            try:
                await PartyPlay(self, match, party).run()
            except SpoiledParty:
                if not await self.ledger.run(replay_party, self.lease, party.party_id):
                    raise LostLease from None
                return True
        return not match.is_all


class PartyPlay:
    """One party of a claimed match, from wherever its events leave it."""

    def __init__(self, play: MatchPlay, match: MatchInPlay, party: PartyInPlay) -> None:
        self.play, self.match, self.party = play, match, party
        self.refs = tuple(self._ref(seat) for seat in range(len(party.seats)))
        self.seats = [SeatRecord(match.clock.bank_ms) for _ in party.seats]
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
        if not self.table.over:
            await (self._begin() if not self.party.events else self._forfeit_if_owed(self.party.events[-1].seat))
        while not self.table.over:
            await self._step()
        record = await self.play.ledger.run(finish_party, self.play.lease, self.party.party_id, self.table)
        for seat, ref in enumerate(self.refs):
            await self._agents(seat).end(ref, record["result"], self.seats[seat].causes)

    async def _begin(self) -> None:
        absent = await self.play.ledger.run(begin_party, self.play.lease, self.party.party_id)
        if absent:
            return await self._forfeit(self._forfeiter_of(absent), Cause.NO_SHOW)
        await asyncio.gather(*(self._agents(seat).begin(ref) for seat, ref in enumerate(self.refs)))
        return None

    def _forfeiter_of(self, absent: Sequence[int]) -> int:
        """The absent seat that leaves the party to a side which is there, if any is (protocol §3 says to whom)."""
        away = {self.match.rules.side_of(seat) for seat in absent}
        heirs = ((seat, forfeit(self.table, seat).result) for seat in absent)
        return next((seat for seat, result in heirs if result and result.winner not in away), absent[0])

    async def _step(self) -> None:
        if self.play.letting_go and not self.expected:
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
        return causes[-1] if causes and causes[-1] and forfeits(causes, self.match.strict) else None

    async def _enter(self, seat: int, clock: Clock, answer: Answer, cause: Cause | None) -> None:
        """Plays the decision, the answer or the seat's default where there is none in time, and writes it.

        Nobody hears of it before it is committed: if it is not, the match is given up with all that is in memory.
        """
        action = self._played_for(answer, cause)
        charged, bank = clock.charged(answer.elapsed_ms), max(0, clock.bank_after(answer.elapsed_ms))
        event = self._event(
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
        await self.play.ledger.append(event)
        self.play.progress = True
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
        if following is None or self.play.letting_go or self._owed_by(seat) or self._is_stalled():
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
        await self.play.ledger.append(self._event(kind="forfeit", seat=seat, cause=cause.value))
        self.table = forfeit(self.table, seat)
        self._tell_deal_over()

    def _event(self, **columns: Any) -> NewEvent:
        return NewEvent(lease=self.play.lease, party_id=self.party.party_id, seq=self.table.ply, **columns)

    def _count_infra_failure(self) -> None:
        self.infra_failures += 1
        if self.infra_failures >= INFRA_FAILURES:
            raise SpoiledParty

    def _agents(self, seat: int) -> Agents:
        return self.play.agents[self.party.seats[seat].kind]

    def _clock(self, seat: int) -> Clock:
        record = self.seats[seat]
        return Clock(self.match.clock, record.bank_ms, record.charged_ms, record.elapsed_ms)

    def _question(self, seat: int, clock: Clock) -> Question:
        record, ply = self.seats[seat], self.table.ply
        ticket = derived(self.party.seed, "decision", self.party.public_id, ply)
        return Question(
            ref=self.refs[seat],
            decision_id="dec_" + base62(int.from_bytes(ticket[:TICKET_BYTES], "big")),
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
            match=self.match.public_id,
            round_number=self.match.round_number,
            rated=self.match.rated,
            control=self.match.control,
            rules=self.match.rules,
            seat=seat,
            party=self.party.number,
            commitment=self.party.commitment,
        )
