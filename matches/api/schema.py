"""What the API's schema says of every operation: who may, and all that can be answered besides."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema

from matches.api.problems import PROBLEM_TYPE
from matches.permissions import wanted_scopes

Schema = dict[str, Any]

WORDS = {
    "400": "The request is malformed; `errors` names fields.",
    "401": "No token came where one is needed, or one that is not, or no longer, good.",
    "403": "The token lacks the scope, or the thing is somebody else's.",
    "404": "There is no such thing, or it is not to be seen; or the cursor is none of ours.",
    "409": "The rules do not allow it now; `detail` says what can be done.",
    "413": "The body is larger than this address takes.",
    "415": "Only JSON is read.",
    "422": "The idempotency key came with another request before.",
    "429": "A limit was met; `Retry-After` says when the next request is taken.",
}
WRITING = ("400", "403", "409", "413", "415", "422")
PROBLEM = {"content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
LEFT_HEADERS = {
    "RateLimit": {
        "description": "per limit that the request was counted for how many are left, and in how many seconds one is "
        'given back: `"writing";r=599;t=60, "bots";r=19;t=86400`',
        "schema": {"type": "string"},
    },
    "RateLimit-Policy": {
        "description": 'how many there are in how many seconds: `"writing";q=600;w=60, "bots";q=20;w=86400`',
        "schema": {"type": "string"},
    },
}
LIMIT_HEADERS = {"Retry-After": {"description": "seconds", "schema": {"type": "integer"}}, **LEFT_HEADERS}
_NAMES = {"get": "get", "post": "create", "put": "set", "patch": "change", "delete": "remove"}


class ApiSchema(AutoSchema):
    """Operations by plain words, with the scopes that they take; reading is open to all where nothing else is said."""

    method_mapping = _NAMES

    def get_auth(self) -> list[dict[str, Any]]:
        auths = super().get_auth()
        is_open = getattr(self.view, "is_public", True) and not self._scopes()
        return [*auths, {}] if is_open and {} not in auths else auths

    def get_operation(self, *arguments: Any, **named: Any) -> Schema | None:
        operation = super().get_operation(*arguments, **named)
        if operation and (scopes := self._scopes()):
            told = operation.get("description", "")
            wanted = " or ".join(f"`{scope}`" for scope in scopes)
            operation["description"] = f"{told}\n\nTakes a token with {wanted}.".strip()
        return operation

    def _scopes(self) -> tuple[str, ...]:
        return wanted_scopes(self.view, self.method)


def tell_of_problems(result: Schema, generator: Any, request: Any, public: bool) -> Schema:
    """Adds to every operation the refusals that follow from what it is (a hook of the schema's generator)."""
    for operations in result["paths"].values():
        for method, operation in operations.items():
            _add_problems(operation, method)
    return result


def _add_problems(operation: Schema, method: str) -> None:
    answers = operation["responses"]
    for status in _problems_of(operation, method):
        answers.setdefault(status, dict(PROBLEM))
    for status, words in WORDS.items():
        if status in answers:
            answers[status]["description"] = answers[status].get("description") or words
    for status, answer in answers.items():
        if status < "400":
            answer["headers"] = {**answer.get("headers", {}), **LEFT_HEADERS}
    answers["429"]["headers"] = LIMIT_HEADERS
    operation["responses"] = dict(sorted(answers.items()))


def _problems_of(operation: Schema, method: str) -> set[str]:
    where = {(one["in"], one["name"]) for one in operation.get("parameters", ())}
    statuses = {"401", "429"}
    if {} not in operation.get("security", ()):
        statuses.add("403")
    if ("query", "cursor") in where:
        statuses.add("400")
    if ("query", "cursor") in where or any(place == "path" for place, _ in where):
        statuses.add("404")
    return statuses if method == "get" else statuses.union(WRITING)
