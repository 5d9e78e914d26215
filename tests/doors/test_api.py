"""The API of a real server: nothing that its schema does not say, and nothing for those who may not."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.bots_api.pull.calling import request
from tests.doors.house import House, hold_house
from tests.doors.trying import QUICK, ROUTES_OF_PLAY, Asker, try_api
from tests.leaks.comparing import unlimited
from tests.pull_program import serving
from tests.web.evening import clear

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(900)]

NEVER = "dec_" + "0" * 22
OF_PLAY = (
    # what is asked; nobody, a token of an account, a version's own
    ("GET", "bot/decisions?wait=0", None, (401, 403, 200)),
    ("PUT", "bot/presence", {"accepting": True}, (401, 403, 200)),
    ("PUT", "bot/presence", {}, (401, 403, 400)),
    ("PUT", f"decisions/{NEVER}", {"action": "pass"}, (401, 403, 404)),
    ("POST", "bot/decisions", {}, (405, 405, 405)),
    ("GET", "bot/stream?after=x", None, (401, 403, 400)),
)
"""The routes that programs call stand in no URL configuration; a stream is opened elsewhere."""


@pytest.fixture
def served(child_env: dict[str, str]) -> Iterator[tuple[House, str]]:
    house = hold_house()
    with serving(child_env, LIMITS=unlimited()) as server:
        yield house, server.base_url
    clear()


def askers(house: House) -> tuple[Asker, ...]:
    return (
        Asker("owner", house.tokens["bohdan"]),
        Asker("program", house.play_tokens["bohdan"], ROUTES_OF_PLAY),
    )


def test_the_api_answers_what_its_schema_says_and_only_to_those_who_may_ask(served: tuple[House, str]) -> None:
    house, base_url = served
    check_doors_of_play(house, base_url)
    tried = [try_api(base_url, asker, house.there, QUICK) for asker in askers(house)]
    assert [failure for one in tried for failure in one.failures] == []
    assert tried[0].operations > 90
    assert tried[1].operations == 3
    assert all(one.requests > 2 * one.operations for one in tried)


def check_doors_of_play(house: House, base_url: str) -> None:
    accounts = [{}, *({"Authorization": f"Bearer {token}"} for token in house.tokens.values())]
    players = [{"Authorization": f"Bearer {token}"} for token in house.play_tokens.values()]
    for method, path, body, (nobody, account, own) in OF_PLAY:
        sent = None if body is None else json.dumps(body).encode()
        told = [request(base_url, method, path, sent, headers).status for headers in (*accounts, *players)]
        assert told == [nobody, *[account] * len(house.tokens), own, own], (method, path)
    for headers in players:
        for path in ("tournaments", "bots", "webhooks", "challenges"):
            assert request(base_url, "POST", path, b"{}", headers).status == 403, path
