"""TRF: what is written is what another program reads."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from gacrux.trf2json import trf2json

from tests.tournaments.swiss.events import Event, positions
from tournaments.exports.trf import NoTrf, TrfHeading, format_points, format_trf
from tournaments.formats.meetings import Entrant, Kind, Meeting, points_by_number
from tournaments.standings.points import Count, Scheme

HEADING = TrfHeading("Autumn\ncup", "Odesa", "Swiss", "Anna", date(2026, 11, 7), date(2026, 11, 8), 7)
LETTERS = {4: "W", 2: "D", 0: "L"}


def read(text: str) -> dict:
    reader = trf2json()
    reader.parse_file(text, 0)
    (event,) = reader.chessjson["event"]["tournaments"]
    return event


@pytest.mark.parametrize("seed", range(6))
def test_another_program_reads_the_same_event(seed: int) -> None:
    event = Event(seed, sides=13, rounds=6, forfeits=0.1, away=0.1, late=0.1, leaving=0.02, draws=0.3)
    *_, last = positions(event)
    names = {one.number: f"Гравець {one.number}" for one in last.entrants}
    known = read(format_trf(HEADING, last.entrants, last.meetings, names, {}))
    points = points_by_number(last.entrants, last.meetings)
    assert {one["cid"]: Decimal(one["gamePoints"]) * 4 for one in known["competitors"]} == points
    assert {one["cid"]: one["rating"]["rating"] for one in known["competitors"]} == {
        one.number: one.rating for one in last.entrants
    }
    played = {
        (game["round"], game["white"]["cid"], game["black"]["cid"], game["white"]["result"], game["black"]["result"])
        for game in known["gameList"]
        if game["played"] and game["black"]
    }
    assert played == {
        (meeting.round, *meeting.entrants, *(LETTERS[points] for points in meeting.points))
        for meeting in last.meetings
        if meeting.kind is Kind.PLAYED
    }


def test_every_kind_of_round_has_its_code() -> None:
    entrants = [Entrant(1, 1900), Entrant(2), Entrant(3)]
    meetings = [
        Meeting(1, (1, 2), (4, 0), places=(1, 2)),
        Meeting(1, (3,), (4,), Kind.BYE),
        Meeting(2, (2, 3), (2, 2), places=(1, 1)),
        Meeting(2, (1,), (2,), Kind.HALF_BYE),
        Meeting(3, (1, 3), (4, 0), Kind.FORFEIT, absent=frozenset({3})),
        Meeting(3, (2,), (0,), Kind.ZERO_BYE),
    ]
    lines = format_trf(HEADING, entrants, meetings, {1: "Anna", 2: "Bohdan", 3: "Chrystyna"}, {1: 1}).splitlines()
    assert lines[:2] == ["012 Autumn cup", "022 Odesa"]
    assert lines[2:4] == ["042 2026/11/07", "052 2026/11/08"]
    rounds = [line[89:] for line in lines if line.startswith("001")]
    assert rounds == [
        "     2 w 1  0000 - H     3 - +",
        "     1 b 0     3 w =  0000 - Z",
        "  0000 - U     2 b =     1 - -",
    ]


@pytest.mark.parametrize(("quarters", "text"), [(0, "0.0"), (14, "3.5"), (5, "1.25"), (-3, "-0.75")])
def test_points_have_a_point(quarters: int, text: str) -> None:
    assert format_points(quarters) == text


def test_a_table_of_four_has_no_trf() -> None:
    four = Meeting(1, (1, 2, 3, 4), (12, 8, 4, 0), places=(1, 2, 3, 4))
    with pytest.raises(NoTrf, match="two sides"):
        format_trf(HEADING, [Entrant(number) for number in range(1, 5)], [four], {}, {})


@pytest.mark.parametrize("scheme", [Scheme(Count.SCORE), Scheme(Count.PARTIES), Scheme(win=12, draw=4)])
def test_other_points_than_one_half_and_none_have_no_trf(scheme: Scheme) -> None:
    with pytest.raises(NoTrf, match="1, ½ and 0"):
        format_trf(HEADING, [Entrant(1), Entrant(2)], [], {1: "Anna", 2: "Bohdan"}, {}, scheme)


@pytest.mark.parametrize(("carried", "fits"), [(398, True), (400, False), (41, False), (-5, False)])
def test_points_that_would_move_the_columns_have_no_trf(carried: int, fits: bool) -> None:
    def written() -> str:
        return format_trf(HEADING, [Entrant(1, carried=carried)], [], {1: "Anna"}, {1: 1})

    if fits:
        (line,) = [line for line in written().splitlines() if line.startswith("001")]
        assert line[80:89] == "99.5    1"
        return
    with pytest.raises(NoTrf, match="no room"):
        written()
