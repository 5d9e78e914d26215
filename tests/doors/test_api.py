"""The API of a real server: nothing that its schema does not say, and nothing for those who may not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.doors.house import House, hold_house
from tests.doors.playing import wrong_answers_of_play
from tests.doors.trying import QUICK, ROUTES_OF_PLAY, Asker, try_api
from tests.leaks.comparing import unlimited
from tests.pull_program import serving
from tests.quicker import empty_tables

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(900)]


@pytest.fixture
def served(child_env: dict[str, str]) -> Iterator[tuple[House, str]]:
    house = hold_house()
    with serving(child_env, LIMITS=unlimited()) as server:
        yield house, server.base_url
    empty_tables()


def askers(house: House) -> tuple[Asker, ...]:
    return (
        Asker("owner", house.tokens["bohdan"]),
        Asker("program", house.play_tokens["bohdan"], ROUTES_OF_PLAY),
    )


def test_the_api_answers_what_its_schema_says_and_only_to_those_who_may_ask(served: tuple[House, str]) -> None:
    house, base_url = served
    assert wrong_answers_of_play(house, base_url) == []
    tried = [try_api(base_url, asker, house.there, QUICK) for asker in askers(house)]
    assert [failure for one in tried for failure in one.failures] == []
    assert tried[0].operations > 90
    assert tried[1].operations == 3
    assert all(one.requests > 2 * one.operations for one in tried)
