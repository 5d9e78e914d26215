"""Challenges by the API: made and answered by programs, seen by those concerned, refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from bots_api.models import Challenge, ChallengePolicy
from matches.models import Match
from tests.api.program import Program
from tests.bots_api.challenges.asking import owner, program

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]


@pytest.fixture
def bohdan() -> Program:
    return Program(owner("bohdan"), "challenge:create")


@pytest.fixture
def chrystyna() -> Program:
    return Program(owner("chrystyna"), "challenge:create")


def test_the_house_is_challenged_and_the_match_is_there(bohdan: Program) -> None:
    mine = program("bohdan")
    body = {"challenger": mine.player.bot.public_id, "opponents": ["house:greedy"], "boards": 1, "deals": 2}
    made = bohdan.post("challenges", body, 201)
    assert (made["status"], made["same_owner"], made["rated"], made["made_by"]) == ("accepted", False, False, "bohdan")
    assert [made["seats"][0][key] for key in ("version", "answer")] == [mine.public_id, "accepted"]
    assert made["seats"][1]["name"] == "house:greedy"
    match = bohdan.get(f"matches/{made['match']}")
    assert (match["status"], match["boards"], match["same_owner"]) == ("ready", 1, False)
    assert bohdan.get("challenges")["results"] == [made] == [bohdan.get(f"challenges/{made['id']}")]


@pytest.mark.parametrize("overrides", [{"target": 2**31}, {"deals": 10**9}])
def test_a_number_that_no_column_takes_is_named(bohdan: Program, overrides: dict[str, int]) -> None:
    body = {"challenger": program("bohdan").public_id, "opponents": ["greedy@1"], "deals": None, "length": "parties"}
    refused = bohdan("post", "challenges", body | {"overrides": overrides}, status=400).json()
    assert [error["field"] for error in refused["errors"]] == [f"overrides.{next(iter(overrides))}"]


def test_twice_with_one_key_is_one_challenge(bohdan: Program) -> None:
    body = {"challenger": program("bohdan").public_id, "opponents": ["greedy@1"]}
    first, again = (bohdan.post("challenges", body, 201, key="once") for _ in range(2))
    assert (first, Challenge.objects.count(), Match.objects.count()) == (again, 1, 1)


def test_one_is_asked_and_accepts_or_declines(bohdan: Program, chrystyna: Program) -> None:
    mine, theirs = program("bohdan"), program("chrystyna", ChallengePolicy.ASK)
    body = {"challenger": mine.public_id, "opponents": [theirs.public_id], "rated": True}
    asked = bohdan.post("challenges", body, 201)
    assert (asked["status"], asked["match"], asked["seats"][1]["answer"]) == ("offered", None, "pending")
    path = f"challenges/{asked['id']}"
    assert chrystyna("post", f"{path}/accept", {"version": mine.public_id}, status=409).json()["code"] == "not_asked"
    assert bohdan("post", f"{path}/cancel", {"x": 1}, status=400).json()["code"] == "unknown_field"
    accepted = chrystyna.post(f"{path}/accept")
    assert accepted == chrystyna.post(f"{path}/accept", {"version": theirs.public_id})
    assert (accepted["status"], bool(accepted["match"])) == ("accepted", True)
    assert chrystyna("post", f"{path}/decline", status=409).json()["code"] == "already_accepted"
    assert bohdan("post", f"{path}/cancel", status=409).json()["code"] == "already_accepted"
    second = f"challenges/{bohdan.post('challenges', body, 201)['id']}"
    declined = chrystyna.post(f"{second}/decline", {"reason": "tomorrow"})
    assert (declined["status"], declined["reason"]) == ("declined", "tomorrow")
    third = f"challenges/{bohdan.post('challenges', body, 201)['id']}"
    assert chrystyna("post", f"{third}/cancel", status=403).json()["code"] == "not_yours"
    assert bohdan.post(f"{third}/cancel")["status"] == "cancelled"


def test_strangers_see_nothing_of_it(bohdan: Program) -> None:
    theirs = program("chrystyna", ChallengePolicy.ASK)
    asked = bohdan.post("challenges", {"challenger": program("bohdan").public_id, "opponents": [theirs.public_id]}, 201)
    dmytro = Program(owner("dmytro"), "challenge:create")
    assert dmytro.get("challenges")["results"] == []
    for method, path in (("get", ""), ("post", "/accept"), ("post", "/decline"), ("post", "/cancel")):
        assert dmytro(method, f"challenges/{asked['id']}{path}").status_code == 404
    assert Program(owner("bohdan"), "bot:write")("get", "challenges", status=403).json()["code"] == "scope_missing"


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"challenger": "house:greedy"}, "", "not_yours"),
        ({"challenger": "v_nobody"}, "challenger", "unknown_version"),
        ({"opponents": ["house:nobody"]}, "opponents", "unknown_version"),
        ({"opponents": []}, "opponents", "min_length"),
        ({"opponents": ["greedy@1", "random@1"]}, "opponents", "wrong_seats"),
        ({"rules": "nobody/2"}, "rules", "unknown_preset"),
        ({"overrides": {"x": 1}}, "overrides", "unknown_option"),
        ({"overrides": []}, "overrides", "not_a_dict"),
        ({"boards": 21}, "boards", "max_value"),
        ({"length": "best_of", "boards": 2}, "boards", "bad_length"),
        ({"deals": 0}, "deals", "min_value"),
        ({"control": "slow"}, "control", "invalid_choice"),
        ({"hours": 1_000}, "hours", "max_value"),
        ({"opponent": "x"}, "opponent", "unknown_field"),
    ],
)
def test_what_cannot_be_is_refused_by_the_name_of_its_field(
    bohdan: Program, change: dict[str, Any], field: str, code: str
) -> None:
    body = {"challenger": program("bohdan").public_id, "opponents": ["house:greedy"]} | change
    answer = bohdan("post", "challenges", body)
    told = answer.json()
    assert (answer.status_code, told["code"]) == (400 if field else 403, code)
    assert [error["field"] for error in told["errors"]] == ([field] if field else [])


def test_programs_of_one_owner_are_flagged_and_never_rated(bohdan: Program) -> None:
    body = {"challenger": program("bohdan").public_id, "opponents": [program("bohdan").public_id]}
    refused = bohdan("post", "challenges", body | {"rated": True}, status=400).json()
    assert (refused["code"], refused["errors"][0]["field"]) == ("same_owner", "rated")
    made = bohdan.post("challenges", body, 201)
    assert made["same_owner"]
    assert bohdan.get(f"matches/{made['match']}")["same_owner"]
    assert [one["same_owner"] for one in bohdan.get("matches")["results"]] == [True]
