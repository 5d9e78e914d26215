"""Our tie-breaks beside those of the two libraries."""

from __future__ import annotations

from tests.tournaments.standings.events import Event
from tests.tournaments.standings.oracles import NAMES, Values, by_gacrux, by_tiebreak_core
from tournaments.formats.lots import Lots
from tournaments.standings.table import standings


def ours(event: Event, is_round_robin: bool = False) -> Values:
    """Every tie-break that the libraries have, by criterion and entrant."""
    rows = standings(event.entrants, event.meetings, tuple(NAMES), Lots(b""), event.rounds, is_round_robin)
    return {name: {row.number: row.values[index] or 0 for row in rows} for index, name in enumerate(NAMES)}


def places(event: Event, is_round_robin: bool = False) -> dict[int, int]:
    """By points and direct encounter."""
    criteria = ("points", "direct_encounter")
    rows = standings(event.entrants, event.meetings, criteria, Lots(b""), event.rounds, is_round_robin)
    return {row.number: row.place for row in rows}


def differences(event: Event, is_round_robin: bool = False) -> list[str]:
    """What is not the same, in words; of a round robin beside gacrux alone.

    A game won by forfeit is not won at the table: gacrux reads C.07 art. 7.2 so too, tiebreak-core by 15.2 not.
    """
    own = ours(event, is_round_robin)
    by_other, ranks = by_gacrux(event, is_round_robin)
    found = [*_unlike(own, by_other, "gacrux"), *_unlike({"": places(event, is_round_robin)}, {"": ranks}, "gacrux")]
    return found if is_round_robin else [*found, *_unlike(own, by_tiebreak_core(event), "tiebreak-core")]


def _unlike(own: Values, theirs: Values, whose: str) -> list[str]:
    return [
        f"{criterion or 'place by direct encounter'} of {number}: {value}, by {whose} {theirs[criterion][number]}"
        for criterion, values in own.items()
        for number, value in values.items()
        if theirs[criterion][number] != value
    ]
