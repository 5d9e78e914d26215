"""Names for the closed sets in the API's schema, where the same word means different sets."""

from __future__ import annotations

from enum import StrEnum

from matches.core.lifecycle import MatchStatus, PartyStatus
from matches.models import AgentStatus
from tournaments.formats import lifecycle


def _choices(states: type[StrEnum]) -> list[tuple[str, str]]:
    return [(state.value, state.value) for state in states]


MATCH_STATUS = _choices(MatchStatus)
PARTY_STATUS = _choices(PartyStatus)
TOURNAMENT_STATUS = _choices(lifecycle.TournamentStatus)
ENTRY_STATUS = _choices(lifecycle.EntryStatus)
ROUND_STATUS = _choices(lifecycle.RoundStatus)
PAIRING_STATUS = _choices(lifecycle.PairingStatus)
VERSION_STATUS = AgentStatus.choices
