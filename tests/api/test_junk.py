"""Addresses that nobody was given: a page or a problem that says so, never a failure of ours."""

from __future__ import annotations

from base64 import b64encode
from urllib.parse import quote

import pytest
from django.test import Client

from matches.public_ids import new_id

pytestmark = pytest.mark.django_db

JUNK = ["%00", "m_%00", "m_" + "0" * 21 + "%00", "m_nobody", "%C2%A0", "%F0%9F%82%A1", "m_" + "0" * 23, "a" * 3_000]
PAGES = ["m/{}/", "m/{}/parties/1/", "b/{}/", "t/{}/", "t/{}/live/", "t/{}/rounds/", "t/{}/standings/1/"]
ANSWERS = [
    "matches/{}",
    "parties/{}",
    "parties/{}/record",
    "bots/{}",
    "tournaments/{}",
    "tournaments/{}/standings",
    "tournaments/{}/rounds",
]


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("address", PAGES)
def test_no_page_is_at_such_an_address(client: Client, address: str, junk: str) -> None:
    assert client.get("/" + address.format(junk)).status_code == 404


@pytest.mark.parametrize("junk", [*JUNK, "m_" + "0" * 22, "{}", "%2F", "x/y/z"])
@pytest.mark.parametrize("address", ANSWERS)
def test_the_api_knows_no_such_thing_and_says_so_as_ever(client: Client, address: str, junk: str) -> None:
    answer = client.get("/api/v1/" + address.format(junk))
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize("prefix", ["m_", "pa_", "g_", "b_", "t_", "p_", "e_"])
@pytest.mark.parametrize("address", ["m/{}/", "b/{}/"])
def test_the_id_of_one_thing_is_not_that_of_another(client: Client, address: str, prefix: str) -> None:
    assert client.get("/" + address.format(new_id(prefix))).status_code == 404


def _cursor(text: str) -> str:
    return quote(b64encode(text.encode()).decode())


@pytest.mark.parametrize(
    "cursor",
    [
        "cD0lMDA%3D",
        *map(_cursor, ["p=%00", "p=a", "p=", "p=1.5", "p=-1", "p=%D9%A3", "p=" + "9" * 5_000, "o=x"]),
    ],
)
@pytest.mark.parametrize("listed", ["matches", "tournaments", "bots"])
def test_a_cursor_that_is_none_is_not_found(client: Client, listed: str, cursor: str) -> None:
    answer = client.get(f"/api/v1/{listed}?cursor={cursor}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_parameter_that_a_list_does_not_have_is_named(client: Client) -> None:
    refused = client.get("/api/v1/matches?stauts=running")
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, "stauts")
    assert "player, version" in refused.json()["detail"]
    assert client.get("/api/v1/bots?status=running").status_code == 400
    assert client.get("/api/v1/bots?page_size=1&format=json").status_code == 200


@pytest.mark.parametrize("query", ["player=%00", "version=%00", "status=%00", "page_size=%00", "page_size=9e9"])
def test_a_question_that_makes_no_sense_is_no_failure_of_ours(client: Client, query: str) -> None:
    assert client.get(f"/api/v1/matches?{query}").status_code in {200, 400}
