"""What another implementation of the same rules draws: gacrux's pairing of teams without colours, in this process."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from gacrux.gacruxexeptions import GacruxNoLegalPairing
from gacrux.pairingfideteam import pairing_fideteam

from tournaments.formats.meetings import Entrant, Kind, Meeting, Position

Virtual = tuple[int, int, int, int]
"""First and last round, the last number that gets them, quarter points."""

WITHOUT_COLOURS = {"methodList": ["fideteam", "nocolor"], "verbose": 0, "experimental": []}

Pairs = frozenset[frozenset[int]]
"""One set for each table; one number alone has the bye."""


def drawn_by_gacrux(position: Position, virtual: Sequence[Virtual] = ()) -> Pairs | None:
    """Its pairs for the position's round, with these virtual points; None where it finds that there are none."""
    event = _tournament(position)
    event["accelerated"] = {"name": "baku", "values": [_virtual(*one) for one in virtual]}
    try:
        pairing = pairing_fideteam(
            event, position.round, {"methodList": ["fideteam", "nocolor"], "verbose": 0, "experimental": []}
        )
        brackets = pairing.compute_pairing(False)
    except GacruxNoLegalPairing:
        return None
    return frozenset(frozenset({pair["ca"], pair["cb"]} - {0}) for bracket in brackets for pair in bracket["pairs"])


def _tournament(position: Position) -> dict[str, Any]:
    scores = {"W": 4, "D": 2, "L": 0, "Z": 0, "P": 4, "A": 2, "U": 0, "F": 4, "H": 2}
    return {
        "teamTournament": False,
        "teamSize": 1,
        "tournamentType": "swiss",
        "numRounds": position.rounds,
        "currentRound": position.round - 1,
        "topColor": "w",
        "scoreSystem": {"game": {name: Decimal(points) for name, points in scores.items()}},
        "competitors": [_competitor(one, position.round) for one in position.entrants],
        "gameList": [_game(number, one) for number, one in enumerate(position.meetings, start=1)],
    }


def _virtual(first_round: int, last_round: int, last_number: int, points: int) -> dict[str, Any]:
    return {
        "firstRound": first_round,
        "lastRound": last_round,
        "firstCompetitor": 1,
        "lastCompetitor": last_number,
        "matchPoints": Decimal(points),
        "gamePoints": Decimal(points),
    }


def _competitor(one: Entrant, round_number: int) -> dict[str, Any]:
    return {
        "cid": one.number,
        "rank": one.number,
        "present": one.is_there(round_number),
        "rating": {"rating": one.rating},
    }


def _game(number: int, meeting: Meeting) -> dict[str, Any]:
    first = meeting.entrants[0]
    game: dict[str, Any] = {"id": number, "round": meeting.round, "played": meeting.kind in (Kind.PLAYED, Kind.BYE)}
    if len(meeting.entrants) == 1:
        letter = {Kind.BYE: "P", Kind.HALF_BYE: "H", Kind.ZERO_BYE: "Z"}[meeting.kind]
        return {**game, "white": {"cid": first, "result": letter}, "black": {"cid": 0, "result": "Z"}}
    letters = ["W" if points == 4 else "D" if points == 2 else "L" for points in meeting.points]
    white, black = ({"cid": one, "result": letter} for one, letter in zip(meeting.entrants, letters, strict=True))
    return {**game, "white": white, "black": black}
