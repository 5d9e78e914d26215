"""What all writing views have in common: bounded bodies, checked; and a service's refusal told as a problem."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import APIException, NotFound, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api.bodies import read_body
from matches.api.problems import BAD_REQUEST, CONFLICT, NOT_FOUND, PROBLEM_TYPE, TOO_LARGE, Problem

MOST_BYTES = 2_500_000
DENIED = {(401, PROBLEM_TYPE): Problem, (403, PROBLEM_TYPE): Problem}
KEY_REUSED = {(422, PROBLEM_TYPE): Problem}
WRITING = {**BAD_REQUEST, **DENIED, **NOT_FOUND, **CONFLICT, **TOO_LARGE, **KEY_REUSED}
"""What every address that writes may answer besides."""


class Refused(APIException):
    """The rules of a thing do not allow it now: the text says what can be done."""

    status_code = 409


@contextmanager
def refusals(*kinds: type[Exception], fields: Mapping[str, str] = MappingProxyType({})) -> Iterator[None]:
    """Tells a service's refusal with its own code; `fields`: by code, the field that cannot be so at any time."""
    try:
        yield
    except kinds as refusal:
        code = getattr(refusal, "code", "refused")
        if code in fields:
            raise ValidationError({fields[code]: str(refusal)}, code) from refusal
        raise Refused(str(refusal), code) from refusal


class WritingView(APIView):
    """A view that writes: it takes no body larger than `most_bytes`.

    `is_public`: whether what it shows without a scope it shows to everybody.
    """

    most_bytes = MOST_BYTES
    is_public = True

    def initial(self, request: Request, *arguments: Any, **named: Any) -> None:
        """Reads the body, once it is known whose it is."""
        super().initial(request, *arguments, **named)
        if request.method not in SAFE_METHODS:
            read_body(request._request, self.most_bytes)

    def read(self, kind: type[serializers.Serializer], request: Request, **context: Any) -> dict[str, Any]:
        """The request's body, checked; raises ValidationError."""
        given = kind(data=request.data, context=context, partial=request.method == "PATCH")
        given.is_valid(raise_exception=True)
        return given.validated_data


def one_of(rows: Any, public_id: str, what: str, field: str = "public_id") -> Any:
    """A row by its public id; raises NotFound that says what is missing."""
    row = rows.filter(**{field: public_id}).first()
    if row is None:
        raise NotFound(f"There is no {what} {public_id} here.")
    return row
