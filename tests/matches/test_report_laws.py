"""Whatever people say, in whatever order: laws that hold after every word."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from matches.core.agreement import outcome_of
from matches.models import Match, Result, ScoreReport
from matches.services.desk import hold_matches, release_matches
from matches.services.reports import confirm, withdraw_report
from tests.matches.people import account, at_a_table, decided, news, ruled, says, state, tried

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]
NAMES = ("bohdan", "dmytro", "eva", "chrystyna")
SCORES = ("2:0:0", "1:1:0", "0:2:0", "1:0:-", "-:-:-", "5:0:0")
"""Of two parties at a table of three; the last cannot be."""

Step = Callable[[Match], object]
said = st.builds(
    lambda name, text: lambda match: says(match, name, text), st.sampled_from(NAMES), st.sampled_from(SCORES)
)
confirmed = st.builds(
    lambda name, version: lambda match: confirm(match.pk, version, account(name)),
    st.sampled_from(NAMES),
    st.integers(1, 4),
)
taken_back = st.builds(lambda name: lambda match: withdraw_report(match.pk, account(name)), st.sampled_from(NAMES))
rulings = st.builds(lambda text: lambda match: ruled(match, text), st.sampled_from(SCORES))
desk = st.sampled_from([lambda match: hold_matches([match.pk]), lambda match: release_matches([match.pk])])
steps = st.lists(st.one_of(said, said, confirmed, taken_back, rulings, desk), min_size=1, max_size=12)


def everything(match: Match) -> tuple[object, ...]:
    """All that is written about a match's score, but for when."""
    versions = ScoreReport.objects.filter(match=match).order_by("version").values_list("version", "side", "status")
    return state(match), tuple(map(str, versions)), tuple(decided(match)), tuple(news(match))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
def test_one_version_at_the_most_is_confirmed_and_it_is_the_result(words: list[Step]) -> None:
    match = at_a_table("bohdan", "dmytro", "eva", rules="moscow/3", length="parties", boards=2)
    for word in words:
        before = everything(match)
        refusal = tried(lambda word=word: word(match))
        after = everything(match)
        if refusal:
            assert after == before
        _check_laws(match)
        again = tried(lambda word=word: word(match))
        assert everything(match) == after, f"said twice it changed something; {again or 'not refused'}"


def _check_laws(match: Match) -> None:
    reports = list(match.reports.order_by("version"))
    standing = [one for one in reports if one.status == "reported"]
    chosen = [one for one in reports if one.status == "confirmed"]
    status = state(match)
    assert [one.version for one in reports] == list(range(1, len(reports) + 1))
    assert len(chosen) <= 1
    assert len({one.side for one in standing}) == len(standing)
    assert (status == "finished") is (len(chosen) == 1) is Result.objects.filter(match=match).exists()
    if status in ("awaited", "reported", "disputed"):
        assert status == ("awaited", "reported", "disputed")[min(len(standing), 2)]
    if chosen:
        assert not standing
        told = outcome_of(chosen[0].score, match.unit)
        assert decided(match) == list(zip(told.points, told.outcomes, strict=True))
        assert len(news(match)) == sum(one.kind == "ruling" for one in reports) + any(
            one.kind == "report" and one.status in ("confirmed", "superseded") and one.confirmed_by for one in reports
        )
