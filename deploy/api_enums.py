"""Names for the closed sets in the API's schema, where the same word means different sets."""

from matches.models import AgentStatus, Match, Party
from tournaments.models import Entry, Pairing, Round, Tournament


def _choices(model: type, field: str = "status") -> list[tuple[str, str]]:
    return list(model._meta.get_field(field).choices)


MATCH_STATUS = _choices(Match)
PARTY_STATUS = _choices(Party)
TOURNAMENT_STATUS = _choices(Tournament)
ENTRY_STATUS = _choices(Entry)
ROUND_STATUS = _choices(Round)
PAIRING_STATUS = _choices(Pairing)
VERSION_STATUS = AgentStatus.choices
