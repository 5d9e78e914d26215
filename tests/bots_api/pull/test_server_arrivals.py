"""When an answer counts as arrived that our database could not take at first."""

from __future__ import annotations

from bots_api.pull.server.arrivals import MOST, REMEMBERED_SECONDS, Answer, Arrivals

ONE = Answer(b"Bearer mnl_1", "dec_1", "play:7C")


def test_an_answer_that_was_refused_counts_from_when_it_first_came() -> None:
    arrivals = Arrivals()
    assert arrivals.first(ONE, 100) == 100
    arrivals.refuse(ONE, 100, 101)
    assert arrivals.first(ONE, 109) == 100
    arrivals.refuse(ONE, 100, 109)
    assert arrivals.first(ONE, 109 + REMEMBERED_SECONDS / 2) == 100
    assert arrivals.first(ONE, 109 + REMEMBERED_SECONDS) == 109 + REMEMBERED_SECONDS


def test_another_action_decision_or_program_has_its_own_time() -> None:
    arrivals = Arrivals()
    arrivals.refuse(ONE, 100, 101)
    for other in (ONE._replace(action="play:8C"), ONE._replace(decision_id="dec_2"), ONE._replace(authorization=None)):
        assert arrivals.first(other, 103) == 103
    arrivals.forget(ONE)
    assert arrivals.first(ONE, 103) == 103


def test_of_too_many_the_oldest_are_forgotten() -> None:
    arrivals = Arrivals()
    for number in range(MOST + 1):
        arrivals.refuse(ONE._replace(decision_id=str(number)), 100, 101)
    assert [arrivals.first(ONE._replace(decision_id=str(number)), 103) for number in (0, 1, MOST)] == [103, 100, 100]
