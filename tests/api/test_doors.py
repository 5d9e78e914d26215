"""What comes in by the API: bodies that are no bodies, requests that come again, what is only somebody's own."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from matches.models import KeptAnswer
from matches.tasks import forget_old_answers
from tests.api.program import CUP, Program, drawn_up
from tests.cast import anna
from tournaments.models import Tournament, TournamentEvent, Venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]


@pytest.fixture
def program() -> Program:
    return Program(anna())


def sent(program: Program, path: str, body: bytes, key: str = "") -> tuple[int, str]:
    headers = {"Authorization": f"Bearer {program.text}"} | ({"Idempotency-Key": key} if key else {})
    answer = program.client.post(f"/api/v1/{path}", body, "application/json", headers=headers)
    assert answer["Content-Type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("post", "tournaments", CUP | {"overrides": []}, "overrides"),
        ("post", "tournaments", CUP | {"overrides": "x"}, "overrides"),
        ("patch", "{cup}", {"overrides": []}, "overrides"),
        ("post", "tournaments", CUP | {"tie_breaks": {}}, "tie_breaks"),
        ("post", "tournaments", CUP | {"tie_breaks": [[]]}, "tie_breaks"),
        ("patch", "{cup}", {"slug": "new"}, "slug"),
        ("patch", "{cup}", {"tie_breaks": ["luck"]}, "tie_breaks"),
        ("patch", "{cup}", {"venue": "nowhere"}, "venue"),
        ("post", "{cup}/stages", {"format": "swiss", "takes": []}, "takes"),
        ("post", "{cup}/stages", {"format": "swiss", "settings": []}, "settings"),
        ("post", "tournaments/document", {"document": []}, "document"),
    ],
)
def test_what_has_another_shape_is_named(program: Program, method: str, path: str, body: Any, field: str) -> None:
    cup = drawn_up(program, slug="here")
    answer = program(method, path.format(cup=cup), body, status=400).json()
    assert [error["field"].split(".")[0] for error in answer["errors"]] == [field]
    assert Tournament.objects.get().slug == "here"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"[" * 100_000, (400, "parse_error")),
        (b'{"name": "\\u0000"}', (400, "parse_error")),
        (b'{"overrides": {"\\ud800": 1}}', (400, "parse_error")),
        (b'{"\\uDBFF": 1}', (400, "parse_error")),
        (b'{"\\\\ud800": 1}', (400, "unknown_field")),
        (b'{"\\ud83c\\udca1": 1}', (400, "unknown_field")),
        (b'{"name": "' + b"x" * 2_700_000 + b'"}', (413, "too_large")),
    ],
)
@pytest.mark.parametrize("key", ["", "once"])
def test_what_cannot_be_read_is_the_senders_fault(
    program: Program, body: bytes, expected: tuple[int, str], key: str
) -> None:
    assert sent(program, "tournaments", body, key) == expected


@pytest.mark.parametrize("key", ["", "once"])
def test_a_document_may_be_larger_than_other_bodies(program: Program, key: str) -> None:
    body = b'{"document": {"format": "' + b"x" * 3_000_000 + b'"}}'
    assert sent(program, "tournaments/document", body, key)[0] == 409


def test_a_stage_that_is_taken_out_twice_with_one_key_is_one(program: Program) -> None:
    cup = drawn_up(program)
    for name in ("one", "two", "three"):
        program.post(f"{cup}/stages", {"format": "swiss", "name": name}, status=201)
    for _ in range(2):
        program("delete", f"{cup}/stages/1", key="out", status=204)
        program("patch", f"{cup}/stages/1", {"name": "second"}, key="call it so", status=200)
    assert [stage["name"] for stage in program.get(f"{cup}/stages")] == ["second", "three"]
    assert TournamentEvent.objects.filter(kind="stage_changed").count() == 1


def test_a_key_is_forgotten_after_a_week(program: Program) -> None:
    program.post("tournaments", CUP, status=201, key="a")
    program.post("tournaments", CUP | {"slug": "other"}, status=201, key="b")
    KeptAnswer.objects.update(created_at=timezone.now() - timedelta(days=7, seconds=1))
    assert program("post", "tournaments", CUP, key="a").status_code == 400  # done anew: the address is taken
    program.post("tournaments", CUP | {"slug": "third"}, status=201, key="b")
    assert set(KeptAnswer.objects.values_list("key", flat=True)) == {"a", "b"}
    forget_old_answers()
    assert list(KeptAnswer.objects.values_list("key", flat=True)) == ["b"]
    assert forget_old_answers.name in {one["task"] for one in settings.CELERY_BEAT_SCHEDULE.values()}


def test_nothing_is_ruled_before_its_round_is_released(program: Program) -> None:
    cup = drawn_up(program, "Ada", "Bob")
    program.post(f"{cup}/stages", {"format": "swiss", "settings": {"rounds": 1}}, status=201)
    program.post(f"{cup}/start")
    drawn = program.post(f"{cup}/stages/1/proposal")
    confirmed = program.post(f"{cup}/rounds/{drawn['id']}/confirmation")
    result = f"{cup}/matches/{confirmed['pairings'][0]['match']}/result"
    refused = program("put", result, {"points": [5, 3]}, status=409)
    assert refused.json()["code"] == "not_released"
    program.post(f"{cup}/rounds/{drawn['id']}/release")
    program("put", result, {"points": [5, 3]}, status=200)


def drawn(program: Program, *names: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    """A Swiss of two rounds that has begun, with its first round proposed."""
    cup = drawn_up(program, *names, **fields)
    program.post(f"{cup}/stages", {"format": "swiss", "settings": {"rounds": 2}}, status=201)
    program.post(f"{cup}/start")
    return cup, program.post(f"{cup}/stages/1/proposal")


def test_a_draw_tells_its_directors_what_was_changed_of_it_and_what_it_breaks(program: Program) -> None:
    cup, proposed = drawn(program, "Ada", "Bob", "Cleo", "Dan")
    check = f"{cup}/rounds/{proposed['id']}/check"
    told = program.get(check)
    assert (told["changes"], told["violations"], len(told["proposal"])) == (None, [], 2)
    tables = [[seat["entry"] for seat in table["seats"]][::-1] for table in proposed["pairings"]]
    change = {"tables": tables, "reason": "They sat down so."}
    program("put", f"{cup}/rounds/{proposed['id']}/tables", change, status=200)
    told = program.get(check)
    assert told["changes"]["reason"] == "They sat down so."
    assert told["changes"]["tables"] == [table[::-1] for table in told["proposal"]]
    program.post(f"{cup}/rounds/{proposed['id']}/confirmation")
    program.post(f"{cup}/rounds/{proposed['id']}/release")
    assert program.client.get(f"/api/v1/{check}").status_code == 401


def test_a_round_has_its_times_and_tables(program: Program) -> None:
    hall = Venue.objects.create(name="Hall", time_zone="Europe/Kyiv")
    for position, name in enumerate("AB"):
        hall.tables.create(name=name, position=position)
    assert [(one["name"], one["tables"]) for one in program.get("venues")] == [("Hall", ["A", "B"])]
    cup, proposed = drawn(program, "Ada", "Bob", "Cleo", "Dan", venue="Hall")
    assert program.get(cup)["venue"] == "Hall"
    times = f"{cup}/rounds/{proposed['id']}/times"
    plan = {"starts_at": "2031-05-01T10:00:00Z", "minutes": 60, "tables": ["B", "A"]}
    planned = program("put", times, plan, status=200).json()["pairings"]
    assert [table["venue_table"] for table in planned] == ["B", "A"]
    assert {(table["starts_at"][:16], table["ends_at"][11:16]) for table in planned} == {("2031-05-01T13:00", "14:00")}
    assert program("put", times, plan | {"tables": ["C", "A"]}).status_code == 404
    assert program("put", times, plan | {"tables": ["A"]}).json()["code"] == "too_few_tables"
    program("delete", times, status=204)
    assert program.get(f"{cup}/rounds")[0]["pairings"][0]["starts_at"] is None


def test_an_asked_bye_is_shown_and_taken_back(program: Program) -> None:
    cup, _ = drawn(program, "Ada", "Bob", "Cleo", "Dan")
    entry = program.get(cup)["entries"][0]
    assert [member["stands_by"] for member in entry["members"]] == [False]
    asked = program.post(f"{cup}/entries/{entry['id']}/bye", {"round": 2})
    assert asked["asked_byes"] == [{"stage": 1, "round": 2, "kind": "zero_bye"}]
    assert program.post(f"{cup}/entries/{entry['id']}/take-back-bye", {"round": 2})["asked_byes"] == []


def test_a_match_is_annulled_or_played_again_and_older_standings_stay(program: Program) -> None:
    cup, proposed = drawn(program, "Ada", "Bob", "Cleo", "Dan")
    program.post(f"{cup}/rounds/{proposed['id']}/confirmation")
    first, second = program.post(f"{cup}/rounds/{proposed['id']}/release")["pairings"]
    for table in (first, second):
        program("put", f"{cup}/matches/{table['match']}/result", {"points": [5, 3]}, status=200)
    published = program.post(f"{cup}/publish")
    again = program.post(f"{cup}/matches/{first['match']}/replay", {"reason": "a card was missing"})["match"]
    assert again not in (None, first["match"])
    assert program("post", f"{cup}/matches/{second['match']}/annulment", {}, status=400)
    gone = program.post(f"{cup}/matches/{second['match']}/annulment", {"reason": "nobody was there"})
    assert gone["match"] == second["match"]
    live = program.get(f"{cup}/standings?stage=1")["live"]
    assert {row["points"] for row in live} == {0}
    program.post(f"{cup}/publish")
    older = program.get(f"{cup}/standings?stage=1&snapshot=1")["published"]
    assert older["sha256"] == published["sha256"]
    for wrong in ("snapshot=9", "stage=2", "stage=x", "snapshot=99999999999999"):
        assert program("get", f"{cup}/standings?{wrong}").status_code == 404


def test_a_stage_comes_where_it_is_said(program: Program) -> None:
    cup = drawn_up(program)
    program.post(f"{cup}/stages", {"format": "swiss", "name": "last"}, status=201)
    program.post(f"{cup}/stages", {"format": "swiss", "name": "first", "position": 1}, status=201)
    assert [stage["name"] for stage in program.get(f"{cup}/stages")] == ["first", "last"]
    assert program("patch", f"{cup}/stages/1", {"position": 2}).json()["code"] == "unknown_field"


def test_answers_take_no_more_queries_for_more_entries(program: Program, django_assert_max_num_queries) -> None:
    cup = drawn_up(program, *(f"Player {number}" for number in range(12)))
    ids = [one["id"] for one in program.get(cup)["entries"]]
    with django_assert_max_num_queries(30):
        program("put", f"{cup}/seeds", {"entries": ids[::-1]}, status=200)
    with django_assert_max_num_queries(30):
        program("patch", cup, {"name": "Another"}, status=200)
    assert program("put", f"{cup}/seeds", {"entries": ["e_nobody", *ids[1:]]}).status_code == 404
