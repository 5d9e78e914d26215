"""Tie-breaks of two independent libraries for the same event, in our units; both by the edition of March 2026.

`tiebreak_core` is told the kind of every unplayed round; `gacrux` finds it out from results as a tournament file has
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import tiebreak_core
from gacrux.tiebreak import tiebreak
from tiebreak_core import fide2026

from tests.tournaments.standings.events import Event
from tournaments.formats.meetings import Kind, Meeting
from tournaments.standings.criteria import UNIT

Values = dict[str, dict[int, int]]
NAMES: Mapping[str, tuple[str, str]] = {
    "buchholz": ("buchholz", "BH"),
    "buchholz_cut1": ("buchholz_cut1", "BH/C1"),
    "buchholz_cut2": ("buchholz_cut2", "BH/C2"),
    "buchholz_median": ("median_buchholz", "BH/M1"),
    "buchholz_median2": ("median_buchholz_2", "BH/M2"),
    "sonneborn_berger": ("sonneborn_berger", "SB"),
    "sonneborn_berger_cut1": ("sonneborn_berger_cut1", "SB/C1"),
    "progressive": ("progressive", "PS"),
    "progressive_cut1": ("progressive_cut1", "PS/C1"),
    "wins": ("wins", "WIN"),
    "games_won": ("won", "WON"),
}
"""Our criteria, and what each library calls them."""
QUARTER = Fraction(1, 4)


def in_units(criterion: str, value: float | Decimal) -> int:
    whole = Fraction(value) * UNIT[criterion]
    assert whole.denominator == 1, (criterion, value)
    return int(whole)


def by_tiebreak_core(event: Event, is_round_robin: bool = False) -> Values:
    players = {number: _player(number, own, event, is_round_robin) for number, own in _by_number(event).items()}
    mode = "round_robin" if is_round_robin else "swiss"
    context = fide2026._precompute(players, event.rounds, mode, 0.5)
    values: Values = {}
    for criterion, (name, _) in NAMES.items():
        calculate = fide2026.FIDE2026_REGISTRY[name]
        values[criterion] = {
            number: in_units(criterion, calculate(player, players, event.rounds, mode=mode, _pre=context))
            for number, player in players.items()
        }
    return values


def ranked_by_tiebreak_core(event: Event) -> tuple[int, ...]:
    """Who stands where by points, BH-C1, BH, SB, DE and WON: the order alone, for the time that it takes."""
    players = {number: _player(number, own, event, False) for number, own in _by_number(event).items()}
    criteria = ("buchholz_cut1", "buchholz", "sonneborn_berger", "direct_encounter", "won")
    found = fide2026.rank_standings(players, criteria, event.rounds)
    return tuple(player.player_id for player in found.players)


def ranked_by_gacrux(event: Event) -> tuple[int, ...]:
    """The same of the other library."""
    found = _gacrux(event, ["PTS", "BH/C1", "BH", "SB", "DE", "WON"], False)
    return tuple(one["cid"] for one in sorted(found["competitors"], key=lambda one: (one["rank"], one["cid"])))


def _by_number(event: Event) -> dict[int, dict[int, Meeting]]:
    """By entrant and round."""
    by_number: dict[int, dict[int, Meeting]] = {one.number: {} for one in event.entrants}
    for meeting in event.meetings:
        for number in meeting.entrants:
            by_number[number][meeting.round] = meeting
    return by_number


def _player(
    number: int, own: Mapping[int, Meeting], event: Event, is_round_robin: bool
) -> tiebreak_core.PlayerTiebreakData:
    games = [
        _game(number, one, own.get(one))
        for one in range(1, event.rounds + 1)
        if not is_round_robin or (one in own and len(own[one].entrants) > 1)
    ]
    return tiebreak_core.PlayerTiebreakData(number, 0, sum(game.score for game in games), games)


def _game(number: int, one: int, meeting: Meeting | None) -> tiebreak_core.GameRecord:
    if meeting is None:
        return tiebreak_core.GameRecord(-1, 0, 0.0, "white", one, kind="requested_bye")
    seat = meeting.entrants.index(number)
    opponent = -1 if meeting.is_bye else meeting.entrants[1 - seat]
    return tiebreak_core.GameRecord(
        opponent, 0, meeting.points[seat] / 4, "white" if seat == 0 else "black", one, kind=_kind(number, meeting)
    )


def _kind(number: int, meeting: Meeting) -> str:
    if meeting.kind is Kind.FORFEIT:
        return "forfeit_loss" if number in meeting.absent else "forfeit_win"
    return {Kind.PLAYED: "played", Kind.BYE: "pairing_bye"}.get(meeting.kind, "requested_bye")


def by_gacrux(event: Event, is_round_robin: bool = False) -> tuple[Values, dict[int, int]]:
    """The values, and each one's rank by points and direct encounter."""
    found = _gacrux(event, ["PTS", "DE", *(name for _, name in NAMES.values())], is_round_robin)
    values: Values = {criterion: {} for criterion in NAMES}
    for competitor in found["competitors"]:
        for criterion, value in zip(NAMES, competitor["tiebreakScore"][2:], strict=True):
            values[criterion][competitor["cid"]] = in_units(criterion, value)
    ranked = _gacrux(event, ["PTS", "DE"], is_round_robin)
    return values, {competitor["cid"]: competitor["rank"] for competitor in ranked["competitors"]}


def _gacrux(event: Event, names: list[str], is_round_robin: bool) -> dict[str, Any]:
    tournament = {
        "teamTournament": False,
        "numRounds": event.rounds,
        "currentRound": event.rounds,
        "tournamentType": "Round robin" if is_round_robin else "Swiss",
        "scoreSystem": {"game": SCORES},
        "competitors": [{"cid": one.number, "rating": None} for one in event.entrants],
        "gameList": [_written(meeting) for meeting in event.meetings],
    }
    parameters = {"tiebreak": names, "check": False, "pre_determined": is_round_robin, "swiss": not is_round_robin}
    engine = tiebreak(tournament, -1, parameters)
    return engine.compute_tiebreaks(tournament, parameters)


SCORES: dict[str, Any] = {
    "W": Decimal("1.0"),
    "D": Decimal("0.5"),
    "L": Decimal("0.0"),
    "Z": Decimal("0.0"),
    "F": "W",
    "H": "D",
    "P": "W",
    "A": "D",
    "U": "Z",
}


def _written(meeting: Meeting) -> dict[str, Any]:
    """A bye that the draw gave is played, against nobody, as the library reads it from a tournament file."""
    letters = {4: "W", 2: "D", 0: "L" if meeting.kind is Kind.PLAYED else "Z"}
    sides: list[dict[str, Any]] = [
        {"cid": number, "result": letters[points]}
        for number, points in zip(meeting.entrants, meeting.points, strict=True)
    ]
    if meeting.is_bye:
        sides = [{"cid": meeting.entrants[0], "result": BYES[meeting.kind]}, {"cid": 0}]
    is_played = meeting.kind in (Kind.PLAYED, Kind.BYE)
    return {"id": 0, "round": meeting.round, "white": sides[0], "black": sides[1], "played": is_played}


BYES = {Kind.BYE: "P", Kind.HALF_BYE: "H", Kind.ZERO_BYE: "Z"}
