"""One match, played: its parties one after the other, each written to the database as it goes, then the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine import Table
from matches.agents import Agents
from matches.ledger import Ledger
from matches.party_play import Entry, PartyPlay, SpoiledParty
from matches.services.claim import Lease
from matches.services.finish import LostLease, begin_party, finish_match, finish_party, replay_party
from matches.services.journal import NewEvent
from matches.services.load import load_match


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
                await PartyPlay(match.terms, party, self.agents, LaneJournal(self, party.party_id)).run()
            except SpoiledParty:
                if not await self.ledger.run(replay_party, self.lease, party.party_id):
                    raise LostLease from None
                return True
        return not match.is_all


class LaneJournal:
    """Writes one party of a claimed match to the database, under the match's lease. Its verbs raise LostLease."""

    def __init__(self, play: MatchPlay, party_id: int) -> None:
        self._play, self._party_id = play, party_id

    @property
    def is_closing(self) -> bool:
        return self._play.letting_go

    async def begin(self) -> Sequence[int]:
        return await self._play.ledger.run(begin_party, self._play.lease, self._party_id)

    async def append(self, entry: Entry) -> None:
        await self._play.ledger.append(NewEvent(self._play.lease, self._party_id, entry))
        self._play.progress = True

    async def finish(self, table: Table) -> Mapping[str, Any]:
        return await self._play.ledger.run(finish_party, self._play.lease, self._party_id, table)
