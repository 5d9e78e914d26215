"""The API's schema: every route is in it, with who may, all that can be answered, and examples of the main ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import URLResolver
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator, FormatChecker

from deploy import api_urls
from matches.api.schema_view import WRITTEN
from matches.permissions import wanted_scopes

Schema = dict[str, Any]
PROGRAMS_CALL = {
    ("/api/v1/bot/decisions", "get"),
    ("/api/v1/bot/presence", "put"),
    ("/api/v1/bot/stream", "get"),
    ("/api/v1/decisions/{decision_id}", "put"),
}
"""Served by an application of their own."""


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return SchemaGenerator().get_schema(request=None, public=True)


@pytest.fixture(scope="module")
def operations(schema: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(path, method): one for path, methods in schema["paths"].items() for method, one in methods.items()}


def routes(found: list[Any] = api_urls.urlpatterns) -> list[tuple[str, Any]]:
    """Where each of the API's views is and which it is, but for those of the schema itself and those of nothing."""
    told = []
    for one in found:
        if isinstance(one, URLResolver):
            told += routes(one.url_patterns)
        elif one.name not in (None, "api-page", "api-schema"):
            place = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(one.pattern))
            told.append((f"/api/v1/{place}", one.callback.view_class))
    return told


def methods_of(view: Any) -> list[str]:
    return [method for method in ("get", "post", "put", "patch", "delete") if hasattr(view, method)]


def test_it_is_valid_and_nothing_in_it_is_guessed(tmp_path) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", file=str(tmp_path / "schema.yml"))


def test_every_route_is_in_it(operations: dict[Any, Any]) -> None:
    served = [(place, method) for place, view in routes() for method in methods_of(view)]
    assert len(operations) == len(served) + len(PROGRAMS_CALL) > 90
    assert set(operations) >= PROGRAMS_CALL


def test_every_operation_has_words_a_tag_and_a_name_of_its_own(operations: dict[Any, Any]) -> None:
    names = [one["operationId"] for one in operations.values()]
    assert len(set(names)) == len(names)
    for place, one in operations.items():
        assert one["summary"], place
        assert len(one["tags"]) == 1, place
        assert not any(word in one["operationId"] for word in ("retrieve", "partial_update", "destroy")), place


def test_every_operation_says_who_may(operations: dict[Any, Any]) -> None:
    """What takes a scope says which, and is not open to all."""
    said = 0
    for place, view in routes():
        for method in methods_of(view):
            wanted = wanted_scopes(view, method.upper())
            if wanted:
                one = operations[place, method]
                assert {} not in one["security"], place
                assert all(f"`{scope}`" in one["description"] for scope in wanted), place
                said += 1
    assert said > 60


def test_every_operation_says_how_it_says_no(operations: dict[Any, Any]) -> None:
    for place, one in operations.items():
        if place in PROGRAMS_CALL:
            continue
        statuses = set(one["responses"])
        assert {"401", "429"} <= statuses, place
        assert place[1] == "get" or {"400", "403", "409", "413", "415", "422"} <= statuses, place
        assert "{" not in place[0] or "404" in statuses, place
        refusals = [answer for status, answer in one["responses"].items() if status >= "400"]
        assert all(list(answer["content"]) == ["application/problem+json"] for answer in refusals), place
        assert all(answer["description"] for answer in refusals), place


def test_every_operation_says_what_is_left_of_its_limits(operations: dict[Any, Any]) -> None:
    for place, one in operations.items():
        good = [answer for status, answer in one["responses"].items() if status < "400"]
        assert all("RateLimit" in answer.get("headers", ()) for answer in good) is (place not in PROGRAMS_CALL), place


def test_no_limit_is_on_the_routes_with_which_programs_play(operations: dict[Any, Any]) -> None:
    assert all("429" not in operations[place]["responses"] for place in PROGRAMS_CALL)


def test_a_tournament_is_made_from_an_example(operations: dict[Any, Any]) -> None:
    assert operations["/api/v1/tournaments", "post"]["requestBody"]["content"]["application/json"]["examples"]


ABOUT_PROGRAMS = re.compile(r"/api/v1/(bots|bot|versions|challenges|webhooks|decisions)(/|$)")
ONLY_AT_TIMES = {"replayed"}
"""Fields of answers that there need not be."""


@pytest.fixture(scope="module")
def examples(schema: dict[str, Any], operations: dict[Any, Any]) -> dict[tuple[str, str], list[tuple[Schema, Any]]]:
    """By operation and `request` or status, what is shown there with its schema; of what is about programs."""
    found = {}
    for (place, method), one in operations.items():
        if ABOUT_PROGRAMS.match(place):
            told = {"request": one.get("requestBody", {}), **one["responses"]}
            for which, about in told.items():
                for kind, content in about.get("content", {}).items():
                    if which == "request" or which < "300":
                        found[f"{method} {place}", f"{which} {kind}"] = list(_examples_of(content, schema))
    return found


def _examples_of(content: Schema, schema: Schema) -> Iterator[tuple[Schema, Any]]:
    named = content["schema"].get("$ref", "").rpartition("/")[2]
    shown = [content, *([schema["components"]["schemas"][named]] if named else [])]
    for one in shown:
        yield from ((content["schema"], told["value"]) for told in one.get("examples", {}).values())
        if "example" in one:
            yield content["schema"], one["example"]


def test_every_body_and_answer_about_programs_has_an_example(examples: dict[Any, Any]) -> None:
    assert [where for where, shown in examples.items() if not shown] == []
    assert len(examples) > 45


def test_every_example_is_what_the_schema_says_whole(schema: dict[str, Any], examples: dict[Any, Any]) -> None:
    """Answers are shown with all of their fields, the fields of bodies are those that there are."""
    told = _with_null({"components": schema["components"]})
    for where, shown in examples.items():
        for expected, example in shown:
            check = Draft202012Validator({**told, **_with_null(expected)}, format_checker=FormatChecker())
            assert [error.message for error in check.iter_errors(example)] == [], where
            (unknown, missing) = _fields_that_differ(expected, example, schema)
            assert not unknown, where
            assert not missing or where[1].startswith("request"), (where, missing)


def _with_null(schema: Any) -> Any:
    """JSON Schema's way to say what OpenAPI 3.0 calls nullable."""
    if isinstance(schema, list):
        return [_with_null(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _with_null(value) for key, value in schema.items() if key not in ("nullable", "example")}
    return {"anyOf": [plain, {"type": "null"}]} if schema.get("nullable") is True else plain


def _fields_that_differ(expected: Schema, example: Any, schema: Schema) -> tuple[set[str], set[str]]:
    """Which fields of objects are shown and not known, and the other way, at any depth; of open objects none."""
    while "$ref" in expected or "allOf" in expected:
        ref = expected.get("$ref") or expected["allOf"][0]["$ref"]
        expected = schema["components"]["schemas"][ref.rpartition("/")[2]]
    if isinstance(example, list):
        parts = [_fields_that_differ(expected["items"], one, schema) for one in example]
    elif isinstance(example, dict) and "properties" in expected and "additionalProperties" not in expected:
        known = expected["properties"]
        parts = [(example.keys() - known.keys(), known.keys() - example.keys() - ONLY_AT_TIMES)]
        parts += [_fields_that_differ(known[name], value, schema) for name, value in example.items() if name in known]
    else:
        parts = []
    return set().union(*(one for one, _ in parts)), set().union(*(one for _, one in parts))


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["", "x", "matches/", "matches/a%0Ab", "bots/%0A/versions", "v2/bots"])
@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
def test_where_nothing_is_it_is_said_as_ever(client: Client, path: str, method: str) -> None:
    answer = getattr(client, method)(f"/api/v1/{path or 'nothing'}")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path"), [("get", "bot/stream"), ("put", "decisions/dec_0"), ("put", "bot/presence")]
)
def test_where_pages_alone_are_served_the_operator_is_told_where_programs_are(
    client: Client, method: str, path: str
) -> None:
    answer = getattr(client, method)(f"/api/v1/{path}")
    assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")
    assert answer.json()["code"] == "served_elsewhere"


@pytest.mark.django_db
def test_it_is_made_once_whatever_is_asked(client: Client) -> None:
    first = client.get("/api/v1/schema/?format=json")
    made = WRITTEN[first["Content-Type"]]
    assert first.content == made
    again = client.get("/api/v1/schema/?format=json&version=2&lang=de")
    assert again.content == made is WRITTEN[again["Content-Type"]]
    assert json.loads(made)["paths"]["/api/v1/webhooks/{webhook_id}/ping"]


@pytest.mark.django_db
def test_json_is_answered_whatever_is_asked_for(client: Client) -> None:
    answer = client.get("/api/v1/presets", headers={"Accept": "text/csv"})
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
