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
from tournaments.models import Tournament, TournamentEvent

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
