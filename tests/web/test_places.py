"""Places of an elimination that goes on: nobody is told a better one than he can have, nor one while he is in play."""

from __future__ import annotations

import pytest

from tournaments.standings.table import Row
from tournaments.web.tables import Entrant, table_of


def row(number: int, place: int, *criteria: str) -> Row:
    values = (0,) * len(criteria)
    return Row(number, place, 1, 0, 0, 0, (), 0, 0, 0, 0, criteria, values, (), entry=f"e_{number}")


@pytest.mark.parametrize(
    ("places", "told"),
    [
        ([1, 1, 1, 1, 1, 5, 5, 5, 9, 9, 9, 9, 9], [""] * 5 + ["5–8"] * 3 + ["9–13"] * 5),
        ([1] * 9 + [9, 9, 9, 13], [""] * 9 + ["9–12"] * 3 + ["13"]),
        ([1, 1, 3, 4], ["", "", "3", "4"]),
        ([1, 2, 3, 3], ["1", "2", "3–4", "3–4"]),
    ],
)
def test_places_of_a_bracket(places: list[int], told: list[str]) -> None:
    rows = [row(number, place) for number, place in enumerate(places, start=1)]
    lines = table_of(rows, {}, 2).lines
    assert [line.place for line in lines] == told
    assert [line.leads for line in lines] == [text == "1" for text in told]
    assert [line.is_in_play for line in lines] == [not text for text in told]


def test_places_by_points_are_shared_as_ever_and_who_left_is_marked() -> None:
    rows = [row(number, place, "points") for number, place in enumerate([1, 1, 3], start=1)]
    table = table_of(rows, {"e_3": Entrant("Anna", gone="withdrawn")}, 2)
    assert [line.place for line in table.lines] == ["1–2", "1–2", "3"]
    assert [line.gone for line in table.lines] == ["", "", "withdrawn"]
