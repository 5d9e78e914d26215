"""The public API: what it shows, what it keeps to itself, how it says no."""

from __future__ import annotations

import json
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver

from bots_api.services import add_version, register_bot
from engine import preset_values, presets, rules_of, verify
from engine.comparing import rules_digest
from engine.sentences import sentences
from matches.lane import drive
from matches.models import AgentStatus, Board, Match, Party
from matches.services.claim import claim_due
from matches.services.finish import begin_party
from matches.services.versions import set_status
from tests.cast import SEED, person, played, tournament
from tests.matches.drawn import drawn
from tournaments.models import Tournament
from tournaments.services import running

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


@pytest.fixture
def api(client: Client):
    def get(path: str, status: int = 200):
        response = client.get(f"/api/v1/{path}")
        assert response.status_code == status, response.content
        return response.json()

    return get


def test_a_tournament_with_its_standings_rounds_and_records(api) -> None:
    competition = played("greedy@1", "random@1", "random@1", deals=2)
    listed = api("tournaments")["results"]
    assert [one["id"] for one in listed] == [competition.public_id]
    assert len(api(f"tournaments/{competition.public_id}")["entries"]) == 3
    standings = api(f"tournaments/{competition.public_id}/standings")
    assert standings["published"]["rows"] == standings["live"]
    rounds = api(f"tournaments/{competition.public_id}/rounds")
    matches = [pairing["match"] for drawn in rounds for pairing in drawn["pairings"] if pairing["match"]]
    assert len(matches) == 3
    for match_id in matches:
        match = api(f"matches/{match_id}")
        for party in match["parties"]:
            assert verify(api(f"parties/{party['id']}/record")) is None
        for seat in match["seats"]:
            own = sum(party["totals"][party["seat_of"][seat["index"]]] for party in match["parties"])
            assert own == seat["points"]


@pytest.mark.parametrize(
    ("rules", "deals", "entrants", "unit"),
    [("moscow/3", 1, 4, "points"), ("klabor/pairs", None, 2, "parties"), ("short/3", None, 3, "stakes")],
)
def test_larger_tables_and_what_their_matches_count(api, rules: str, deals, entrants: int, unit: str) -> None:
    competition = played(*["greedy@1"] * entrants, rules=rules, deals=deals)
    shown = api(f"tournaments/{competition.public_id}")
    assert (shown["table"], shown["deals"]) == (rules.partition("/")[2], deals)
    assert [[member["label"] for member in entry["members"]] for entry in shown["entries"]] == [["greedy@1"]] * entrants
    standings = api(f"tournaments/{competition.public_id}/standings")
    assert standings["published"]["rows"] == standings["live"]
    for listed in api("matches")["results"]:
        match = api(f"matches/{listed['id']}")
        assert match["unit"] == unit
        sides = len({seat["side"] for seat in match["seats"]})
        for seat in match["seats"]:
            of_table = [(party, party["seat_of"][seat["index"]] % sides) for party in match["parties"]]
            brought = {
                "points": sum(party["totals"][side] for party, side in of_table),
                "parties": sum(party["winner"] == side for party, side in of_table),
                "stakes": sum((party["stakes"] or [0] * sides)[side] for party, side in of_table),
            }
            assert seat["points"] == brought[unit]
            assert seat["card_points"] == brought["points"]
            assert (seat["place"] == 1) == (seat["outcome"] != "lost")


def test_the_presets_are_listed_with_what_is_played(api) -> None:
    listed = api("presets")
    assert [one["name"] for one in listed] == list(presets())
    assert api("presets/") == listed
    pairs = next(one for one in listed if one["name"] == "klabor/pairs")
    assert {**pairs, "digest": ""} == {
        "name": "klabor/pairs",
        "version": "klabor/pairs@1",
        "family": "klabor",
        "table": "pairs",
        "players": 4,
        "pairs": True,
        "sides": 2,
        "digest": "",
    }


@pytest.mark.parametrize("name", presets())
def test_a_preset_says_every_option_in_words_and_in_values_that_give_it_again(api, name: str) -> None:
    shown = api(f"presets/{name}/")
    assert api(f"presets/{name}") == shown
    values = {option["name"]: option["value"] for option in shown["options"]}
    assert values == preset_values(name)
    rebuilt = rules_of(name, {option["name"]: option["value"] for option in shown["options"] if option["fits"]})
    assert rules_digest(rebuilt) == shown["digest"] == rules_digest(rules_of(name))
    for option in shown["options"]:
        assert re.fullmatch(r"R\d+", option["clause"])
        assert all(option[words].strip() for words in ("sentence", "help", "allowed"))
    assert [one["text"] for one in shown["sentences"]] == [str(one) for one in sentences(rules_of(name))]


@pytest.mark.parametrize("name", ["klabor/5", "nobody/2", "klabor", "klabor/pairs/more", "klabor%00/2"])
def test_what_is_no_preset_is_not_found(api, name: str) -> None:
    assert api(f"presets/{name}", 404)["code"] == "not_found"


def test_a_record_is_found_under_its_games_alias_too(api) -> None:
    played("greedy@1", "random@1")
    party = Party.objects.first()
    by_alias = api(f"parties/{party.games.first().public_id}/record")
    assert by_alias == api(f"parties/{party.public_id}/record")


def test_drafts_are_not_in_the_api(api) -> None:
    competition = tournament("greedy@1", "random@1")
    Tournament.objects.update(status="draft")
    assert api("tournaments")["results"] == []
    for path in ("", "/standings", "/rounds"):
        assert api(f"tournaments/{competition.public_id}{path}", 404)["code"] == "not_found"


def test_nothing_of_a_board_is_shown_while_an_exposure_is_to_be_played(api, client: Client) -> None:
    """The record of the first exposure would tell the second one's cards."""
    running.start(tournament("greedy@1", "random@1").pk, SEED)
    match = Match.objects.get()
    (lease,) = claim_due("test", 1)
    first = match.parties.get(number=1)
    begin_party(lease, first.pk)
    Party.objects.filter(pk=first.pk).update(
        status="finished",
        record_json=json.dumps({"seed": "told"}).encode(),
        totals=[1, 2],
        finished_at=match.created_at,
    )
    refused = client.get(f"/api/v1/parties/{first.public_id}/record")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_yet_revealed")
    shown = api(f"matches/{match.public_id}")
    assert shown["board_seeds"][0]["seed"] is None
    assert [party["totals"] for party in shown["parties"]] == [None, None]
    whole = client.get(f"/api/v1/matches/{match.public_id}").content
    assert bytes(Board.objects.get().seed).hex().encode() not in whole


def test_seeds_open_when_the_match_is_over_and_fit_their_commitments(api) -> None:
    from engine import commitment

    played("greedy@1", "random@1")
    (board,) = api(f"matches/{Match.objects.get().public_id}")["board_seeds"]
    assert commitment(bytes.fromhex(board["seed"])) == board["commitment"]


def test_a_program_is_shown_without_its_address_and_secret(api, client: Client) -> None:
    bot = register_bot("Bohdan's bot", person("bohdan"), "plays")
    version = add_version(bot, "v1", "http://127.0.0.1:9999/secret-path")
    set_status(version.agent_id, AgentStatus.ACTIVE)
    shown = client.get(f"/api/v1/bots/{bot.public_id}").content.decode()
    assert '"label":"v1"' in shown
    assert "secret-path" not in shown
    assert "whsec" not in shown


def test_errors_are_problems_with_a_stable_code(client: Client) -> None:
    for path, status, code in [
        ("matches/m_nobody", 404, "not_found"),
        ("parties/pa_nobody/record", 404, "not_found"),
        ("matches?status=sleeping", 400, "invalid_choice"),
        ("tournaments?cursor=a", 404, "not_found"),
    ]:
        response = client.get(f"/api/v1/{path}")
        assert response.status_code == status, path
        assert response["Content-Type"] == "application/problem+json"
        problem = response.json()
        assert (problem["status"], problem["code"]) == (status, code)
        assert {"type", "title", "detail", "errors"} <= problem.keys()


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_what_only_reads_says_so(client: Client, method: str) -> None:
    response = getattr(client, method)("/api/v1/matches", content_type="application/json", data="{}")
    assert response.status_code == 405
    assert response.json()["code"] == "method_not_allowed"


def test_no_primary_key_is_in_an_answer(api) -> None:
    competition = played("greedy@1", "random@1")
    for path in ("tournaments", "matches", f"tournaments/{competition.public_id}"):
        for key in _keys(api(path)):
            assert key not in {"pk", "match_id", "party_id", "agent_id", "tournament_id"}


def _keys(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _keys(inner)


def test_lists_take_a_bounded_number_of_queries(client: Client, django_assert_max_num_queries) -> None:
    competition = played("greedy@1", "random@1", "random@1", "random@1")
    match = Match.objects.first()
    for path in (
        "tournaments",
        "matches",
        f"matches/{match.public_id}",
        f"tournaments/{competition.public_id}/rounds",
        f"tournaments/{competition.public_id}/standings",
    ):
        with django_assert_max_num_queries(12):
            client.get(f"/api/v1/{path}")


@pytest.mark.parametrize("over", [False, True])
def test_a_match_of_many_boards_takes_no_more_queries_than_one_of_few(client: Client, over: bool) -> None:
    taken = []
    for boards in (1, 12):
        match = drawn(*["greedy@1"] * 4, rules="klabor/pairs", boards=boards)
        if over:
            assert drive(slots=1, seconds=60) == 1
        with CaptureQueriesContext(connection) as queries:
            shown = client.get(f"/api/v1/matches/{match.public_id}").json()
        assert len(shown["board_seeds"]) == boards
        assert {party["revealed"] for party in shown["parties"]} == {over}
        assert not [query for query in queries if "record_json" in query["sql"]]
        taken.append(len(queries))
    assert taken[0] == taken[1] <= 12


def test_the_page_of_the_api_is_there(client: Client) -> None:
    assert get_resolver() is not None
    page = client.get("/api/v1/")
    assert page.status_code == 200
    assert b"swagger" in page.content.lower()
