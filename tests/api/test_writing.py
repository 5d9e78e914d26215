"""Writing by the API: an organiser's program runs a whole tournament; nobody else writes; twice is once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client

from matches.models import KeptAnswer
from matches.public_ids import new_id
from matches.services.outbox import deliver_due
from matches.services.players import person as player
from tests.api.program import CUP, Program, drawn_up
from tests.cast import anna, person
from tournaments.api import urls
from tournaments.api.directing import DirectorView
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


@pytest.fixture
def program() -> Program:
    return Program(anna())


def test_a_program_runs_a_tournament_of_people_from_draft_to_published(program: Program) -> None:
    cup = drawn_up(program, "Ada", "Bob", "Cleo", "Dan")
    program.post(f"{cup}/stages", {"format": "swiss", "settings": {"rounds": 2}}, status=201)
    assert program.get(f"{cup}/troubles") == {"troubles": []}
    program.post(f"{cup}/open")
    assert program.post(f"{cup}/start")["status"] == "running"
    for _ in range(2):
        drawn = program.post(f"{cup}/stages/1/proposal")
        assert drawn["status"] == "proposed"
        assert drawn["lots"]
        program.post(f"{cup}/rounds/{drawn['id']}/confirmation")
        released = program.post(f"{cup}/rounds/{drawn['id']}/release", {"audience": "public"})
        for table in released["pairings"]:
            ruling = program("put", f"{cup}/matches/{table['match']}/result", {"points": [500, 300]}, status=200).json()
            assert (ruling["status"], ruling["kind"]) == ("confirmed", "ruling")
        deliver_due()
    assert program.get(cup)["status"] == "finished"
    published = program.post(f"{cup}/publish", status=200)
    assert [row["points"] for row in published["rows"]] == [8, 4, 4, 0]
    assert program.get(f"{cup}/standings")["published"]["sha256"] == published["sha256"]


def test_a_draw_changed_by_hand_ends_the_mark_and_says_why(program: Program) -> None:
    cup = drawn_up(program, "Ada", "Bob", "Cleo", "Dan")
    program.post(f"{cup}/stages", {"format": "swiss", "settings": {"rounds": 2}}, status=201)
    program.post(f"{cup}/start")
    drawn = program.post(f"{cup}/stages/1/proposal")
    first, second = ([seat["entry"] for seat in table["seats"]] for table in drawn["pairings"])
    tables = [[first[0], second[0]], [first[1], second[1]]]
    refused = program("put", f"{cup}/rounds/{drawn['id']}/tables", {"tables": tables})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, "reason")
    change = {"tables": tables, "reason": "They came in one car."}
    changed = program("put", f"{cup}/rounds/{drawn['id']}/tables", change, status=200).json()
    assert [[seat["entry"] for seat in table["seats"]] for table in changed["pairings"]] == tables
    assert program.get(cup)["is_by_the_rules"] is False


def test_a_correction_is_looked_at_before_it_is_made(program: Program) -> None:
    cup = drawn_up(program, "Ada", "Bob", "Cleo", "Dan", auto_draw=True)
    program.post(f"{cup}/stages", {"format": "single_elimination"}, status=201)
    program.post(f"{cup}/start")
    semis = program.get(f"{cup}/rounds")[0]["pairings"]
    for table in semis:
        program("put", f"{cup}/matches/{table['match']}/result", {"points": [500, 300]}, status=200)
    deliver_due()
    corrected = {"points": [300, 500], "reason": "The sheet was read upside down."}
    again = program("put", f"{cup}/matches/{semis[0]['match']}/result", {"points": [300, 500]})
    assert (again.status_code, again.json()["code"]) == (409, "decided")
    preview = program.post(f"{cup}/matches/{semis[0]['match']}/correction/preview", corrected)
    assert "seat" in [change["code"] for change in preview["changes"]]
    before = program.get(f"{cup}/rounds")
    assert before[0]["pairings"][0]["match"] == semis[0]["match"]
    program.post(f"{cup}/matches/{semis[0]['match']}/correction", corrected)
    final = program.get(f"{cup}/rounds")[-1]["pairings"][0]
    assert semis[0]["seats"][1]["entry"] in [seat["entry"] for seat in final["seats"]]
    versions = program.get(f"{cup}/matches/{semis[0]['match']}/reports")
    assert [one["status"] for one in versions] == ["superseded", "confirmed"]


def test_of_different_results_at_once_one_is_ruled_and_the_others_are_refused(program: Program) -> None:
    cup = drawn_up(program, "Ada", "Bob", auto_draw=True)
    program.post(f"{cup}/stages", {"format": "single_elimination"}, status=201)
    program.post(f"{cup}/start")
    match = program.get(f"{cup}/rounds")[0]["pairings"][0]["match"]

    def send(points: int) -> tuple[int, str]:
        try:
            body = {"points": [points, 300], "reason": "so the sheet says"}
            answer = program("put", f"{cup}/matches/{match}/result", body)
            return answer.status_code, answer.json().get("code", "")
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        answers = sorted(pool.map(send, range(500, 506)))
    assert answers == [(200, ""), *[(409, "decided")] * 5]
    assert [one["status"] for one in program.get(f"{cup}/matches/{match}/reports")] == ["confirmed"]


def test_entries_come_and_go(program: Program) -> None:
    cup = drawn_up(program, "Ada", "Bob", "Cleo")
    ids = [one["id"] for one in program.get(cup)["entries"]]
    program("put", f"{cup}/seeds", {"entries": ids[::-1]}, status=200)
    assert [one["id"] for one in program.get(cup)["entries"]] == ids[::-1]
    assert program.post(f"{cup}/entries/{ids[0]}/rating", {"rating": 1500})["rating"] == 1500
    program("delete", f"{cup}/entries/{ids[1]}", status=204)
    program("delete", f"{cup}/entries/{ids[1]}", status=204)
    program.post(f"{cup}/open")
    program.post(f"{cup}/check-in")
    assert program.post(f"{cup}/entries/{ids[0]}/check-in")["checked_in_at"]
    assert program.post(f"{cup}/entries/{ids[0]}/check-out")["checked_in_at"] is None
    gone = program.post(f"{cup}/entries/{ids[2]}/withdraw", {"reason": "ill"})
    assert gone["status"] == "withdrawn"


def test_the_same_request_with_the_same_key_is_one(program: Program) -> None:
    first = program.post("tournaments", CUP, status=201, key="draw up the cup")
    answer = program("post", "tournaments", CUP, key="draw up the cup", status=201)
    assert (answer.json(), answer["Idempotency-Replayed"]) == (first, "true")
    assert Tournament.objects.count() == 1
    other = program("post", "tournaments", CUP | {"slug": "other"}, key="draw up the cup")
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")


def test_of_eight_at_once_one_is_made_and_all_are_answered_alike(program: Program) -> None:
    def send(_: int) -> tuple[int, str]:
        try:
            answer = program("post", "tournaments", CUP, key="at once")
            return answer.status_code, answer.json()["id"]
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        answers = set(pool.map(send, range(8)))
    assert len(answers) == 1
    assert {status for status, _ in answers} == {201}
    assert Tournament.objects.count() == 1


def test_of_eight_with_one_address_and_no_key_one_is_made_and_the_others_are_told(program: Program) -> None:
    def send(_: int) -> tuple[int, str]:
        try:
            answer = program("post", "tournaments", CUP)
            return answer.status_code, answer.json().get("code", "")
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        answers = sorted(pool.map(send, range(8)))
    assert answers == [(201, ""), *[(400, "unique")] * 7]


def test_what_was_refused_may_be_tried_again_with_its_key(program: Program) -> None:
    cup = drawn_up(program, "Ada")
    refused = program("post", f"{cup}/start", key="start")
    assert refused.status_code == 409
    assert not KeptAnswer.objects.exists()
    program.post(f"{cup}/entries", {"players": [player("Bob").public_id]}, status=201)
    assert program.post(f"{cup}/start", key="start")["status"] == "running"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (CUP | {"slug": "new"}, "slug"),
        (CUP | {"nmae": "Cup"}, "nmae"),
        (CUP | {"rules": "bridge/4"}, "rules"),
        (CUP | {"boards": 0}, "boards"),
        (CUP | {"overrides": {"target": 10**30}}, "overrides"),
        (CUP | {"win_points": 1, "draw_points": 2}, "win_points"),
        (CUP | {"tie_breaks": ["luck"]}, "tie_breaks"),
        ({}, "slug"),
    ],
)
def test_a_tournament_that_cannot_be_says_which_field(program: Program, body: dict, field: str) -> None:
    answer = program("post", "tournaments", body, status=400).json()
    assert field in [error["field"].split(".")[0] for error in answer["errors"]], answer
    assert not Tournament.objects.exists()


WRITES = [
    (pattern.name, method)
    for pattern in urls.urlpatterns
    if issubclass(getattr(pattern.callback, "view_class", object), DirectorView)
    for method in ("post", "put", "patch", "delete")
    if hasattr(pattern.callback.view_class, method)
]


def test_nobody_writes_what_is_not_his() -> None:
    cup = drawn_up(Program(anna()), "Ada", "Bob")
    Program(anna()).post(f"{cup}/open")
    chrystyna, nobody, on_the_site = Program(person("chrystyna")), Client(), Client()
    on_the_site.force_login(anna())
    for name, method in WRITES:
        path = _address(name, cup)
        assert nobody.generic(method.upper(), f"/api/v1/{path}").status_code == 401, (name, method)
        answer = chrystyna(method, path, {})
        assert answer.status_code == 403, (name, method, answer.content)
        cookie = on_the_site.generic(method.upper(), f"/api/v1/{path}")
        assert cookie.status_code == 401, f"a cookie wrote: {method} {name}"


def _address(name: str, cup: str) -> str:
    """An address of this name: the tournament is there, what is below it is not."""
    path = str(next(one for one in urls.urlpatterns if one.name == name).pattern)
    known = {"public_id:tournament_id": cup.partition("/")[2], "int:number": "1"}
    known |= {f"public_id:{what}_id": new_id(f"{what[0]}_") for what in ("entry", "round", "match")}
    for part, value in known.items():
        path = path.replace(f"<{part}>", value)
    return path


def test_every_writing_route_is_tried() -> None:
    assert len(WRITES) > 30


def test_a_draft_is_its_organisers_alone(program: Program) -> None:
    cup = drawn_up(program)
    assert program.get(cup)["status"] == "draft"
    assert Client().get(f"/api/v1/{cup}").status_code == 404
    assert Program(person("bohdan"))("get", cup).status_code == 404
    assert [one["slug"] for one in program.get("tournaments")["results"]] == ["cup"]
    assert Client().get("/api/v1/tournaments").json()["results"] == []
    narrow = Program(anna(), "logs:read", "comp:enter", "challenge:create", "bot:write")
    for path in ("", "/standings", "/rounds", "/stages", "/events", "/own-entries", "/files/tournament.json"):
        narrow("get", f"{cup}{path}", status=404)
    assert narrow.get("tournaments")["results"] == []


def test_a_hidden_round_is_its_directors_alone(program: Program) -> None:
    cup = drawn_up(program, "Ada", "Bob")
    program.post(f"{cup}/stages", {"format": "swiss", "settings": {"rounds": 1}}, status=201)
    program.post(f"{cup}/open")
    program.post(f"{cup}/start")
    drawn = program.post(f"{cup}/stages/1/proposal")
    assert [one["id"] for one in program.get(f"{cup}/rounds")] == [drawn["id"]]
    assert Client().get(f"/api/v1/{cup}/rounds").json() == []
    assert Client().get(f"/api/v1/{cup}/rounds/{drawn['id']}").status_code == 404


def test_the_log_is_its_directors_alone(program: Program) -> None:
    cup = drawn_up(program, "Ada", "Bob")
    program.post(f"{cup}/open")
    assert {one["kind"] for one in program.get(f"{cup}/events")["results"]} == {"entered", "registration_opened"}
    for asked in (f"{cup}/events", f"{cup}/events?page=nonsense", "tournaments/t_0000000000000000000000/events"):
        assert Client().get(f"/api/v1/{asked}").status_code == 401, "whoever it is has not said so yet"
    assert Program(person("bohdan"))("get", f"{cup}/events").status_code == 403


def test_a_bracket_says_from_where_a_seat_is_filled_and_a_cell_what_is_behind_it(program: Program) -> None:
    cup = drawn_up(program, "Ada", "Bob", "Cleo", "Dan", auto_draw=True)
    program.post(f"{cup}/stages", {"format": "single_elimination"}, status=201)
    program.post(f"{cup}/start")
    semis, final = (drawn["pairings"] for drawn in program.get(f"{cup}/rounds"))
    fed = {seat["feed"]["source"] for seat in final[0]["seats"]}
    assert fed == {table["id"] for table in semis}
    entry = semis[0]["seats"][0]["entry"]
    program("put", f"{cup}/matches/{semis[0]['match']}/result", {"points": [500, 300]}, status=200)
    known = program.get(f"{cup}/stages/1/explanation?entry={entry}&criterion=points")
    assert [(part["round"], part["value"]) for part in known["parts"]] == [(1, 4)]
    assert program("get", f"{cup}/stages/1/explanation?entry={entry}&criterion=luck").status_code == 404
    assert program("get", f"{cup}/stages/2/explanation?entry={entry}&criterion=points").status_code == 404
