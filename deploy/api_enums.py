"""Names for the closed sets in the API's schema, where the same word means different sets."""

from __future__ import annotations

from enum import StrEnum

from matches.core.lifecycle import MatchStatus, PartyStatus
from matches.core.plan import Length
from matches.models import AgentStatus, ReportKind, ReportStatus
from tournaments.formats import lifecycle
from tournaments.models.fields import choices


def _choices(states: type[StrEnum]) -> list[tuple[str, str]]:
    return [(state.value, state.value) for state in states]


MATCH_STATUS = _choices(MatchStatus)
PARTY_STATUS = _choices(PartyStatus)
TOURNAMENT_STATUS = choices(lifecycle.TournamentStatus)
ENTRY_STATUS = _choices(lifecycle.EntryStatus)
STAGE_STATUS = _choices(lifecycle.StageStatus)
ROUND_STATUS = _choices(lifecycle.RoundStatus)
LENGTH = _choices(Length)
PAIRING_STATUS = _choices(lifecycle.PairingStatus)
VERSION_STATUS = AgentStatus.choices
REPORT_STATUS = ReportStatus.choices
REPORT_KIND = ReportKind.choices
