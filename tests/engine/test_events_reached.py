"""Options by events: what can happen while an option has a value is made to happen. The table is printed at the end.

A cell is reached, or excluded by what the value and the event want to be agreed on (`NEEDS`, `EFFECTS`, `EVENTS`).
"""

import json
from collections.abc import Callable

import pytest

from tests.engine.agreements import VALUES
from tests.engine.reaching import Row, line_of, rows


@pytest.mark.parametrize("option", VALUES)
def test_no_cell_is_empty(option: str, record_property: Callable[[str, object], None]) -> None:
    lines = [line_of(row) for row in rows() if row.option == option]
    record_property("events reached", json.dumps([str(line) for line in lines]))
    assert {str(line.row): line.empty for line in lines if line.empty} == {}
    assert {str(line.row): line.impossible for line in lines if line.impossible} == {}


def test_every_row_is_named_once() -> None:
    names = [str(row) for row in rows()]
    assert len(set(names)) == len(names)
    assert {row.option for row in rows()} == set(VALUES)
    assert max(map(len, names)) <= 38
    assert Row("target", 501) in list(rows())
