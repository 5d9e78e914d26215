"""Errors of the routes that programs call, in the form in which the rest of the API tells them (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from matches.api.problems import PROBLEM_TYPE

RETRY_SECONDS = 1
"""So long a program is asked to wait before it tries again what our database could not take."""


class Refused(Exception):
    """A request that is not done. `code` is stable, `detail` is for whoever wrote the program.

    `more`: what the protocol adds to a problem, such as `legal`. `errors`: one entry a field, as (field, code, detail).
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        errors: Sequence[tuple[str, str, str]] = (),
        more: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail = status, code, detail
        self.errors, self.more = errors, more or {}
        self.headers = {"content-type": PROBLEM_TYPE, **(headers or {})}

    def content(self) -> dict[str, Any]:
        """The problem as an object."""
        return {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            "errors": [{"field": field, "code": code, "detail": detail} for field, code, detail in self.errors],
            **self.more,
        }


def not_found() -> Refused:
    """Nothing is there, or it is somebody else's: one and the same answer, byte by byte."""
    return Refused(404, "not_found", "Not found.")


def bad_field(field: str, code: str, detail: str) -> Refused:
    return Refused(400, code, detail, errors=[(field, code, detail)])


def wrong_method(allowed: Sequence[str]) -> Refused:
    detail = f"This address takes {' and '.join(allowed)}."
    return Refused(405, "method_not_allowed", detail, headers={"allow": ", ".join(allowed)})


def unavailable() -> Refused:
    """Our own fault, and never the program's: what it asked for was not done, or may be asked again."""
    detail = "We cannot reach our database just now: send the same request again."
    return Refused(503, "unavailable", detail, headers={"retry-after": str(RETRY_SECONDS)})


def closing() -> Refused:
    """This process ends: whoever would wait here waits elsewhere."""
    detail = "This server is about to end: ask again."
    return Refused(503, "unavailable", detail, headers={"retry-after": str(RETRY_SECONDS)})
