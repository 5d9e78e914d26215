"""Whatever is changed in a record is refused where it stands; every kind of record, a sample of what is in it.

All of it is changed in `make proof`: `python -m tests.engine.corrupting`.
"""

import json
import random

import pytest

from engine import verify
from engine.deal import End
from engine.party import EndReason
from tests.engine.agreements import FULL
from tests.engine.corrupting import KINDS, changes, fault_in, legal_in, record_of_kind

SAMPLE = 40
"""Changes that are tried in a record on every day, of every sort some."""


@pytest.mark.parametrize("number", range(len(KINDS)), ids=[f"{kind.preset} {kind.wanted}" for kind in KINDS])
def test_a_change_is_refused_where_it_stands(number: int) -> None:
    record = json.loads(record_of_kind(number))
    assert verify(record) is None
    legal, every, rng = legal_in(record), list(changes(record)), random.Random(number)
    for kind in sorted({change.kind for change in every}):
        of_kind = [change for change in every if change.kind == kind]
        few = of_kind if FULL else rng.sample(of_kind, min(len(of_kind), SAMPLE // 6 + 1))
        for change in few:
            assert fault_in(record, legal, change) is None, change


def test_every_end_and_every_reason_is_among_the_records() -> None:
    records = [json.loads(record_of_kind(number)) for number in range(len(KINDS))]
    ends = {deal["end"] for record in records for deal in record["deals"]}
    assert ends == {end.value for end in End}
    assert {record["result"]["reason"] for record in records} == {reason.value for reason in EndReason}
    kinds = {change.kind for record in records for change in changes(record)}
    assert {"number", "card", "action", "seed", "entropy", "suits", "commitment", "first dealer"} < kinds
