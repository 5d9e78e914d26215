"""What all writing views have in common: whose tournament it is, and a service's refusal told as a problem."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.exceptions import APIException, NotFound, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.views import APIView

from engine import RulesError
from matches.api.bodies import read_body
from matches.api.problems import BAD_REQUEST, CONFLICT, NOT_FOUND, PROBLEM_TYPE, TOO_LARGE, Problem
from matches.core.names import NameRefused
from matches.permissions import ReadOrScope, Scope
from matches.services.reports import ReportRefused
from tournaments.errors import TournamentError
from tournaments.formats.settings import SettingsError
from tournaments.models import Tournament
from tournaments.services.directing import directs_tournament
from tournaments.web.reading import visible_to

MOST_BYTES = 2_500_000
REFUSALS = (TournamentError, ReportRefused, SettingsError, NameRefused, RulesError)
DENIED = {(401, PROBLEM_TYPE): Problem, (403, PROBLEM_TYPE): Problem}
KEY_REUSED = {(422, PROBLEM_TYPE): Problem}
WRITING = {**BAD_REQUEST, **DENIED, **NOT_FOUND, **CONFLICT, **TOO_LARGE, **KEY_REUSED}
"""What every address that writes may answer besides."""


class Refused(APIException):
    """The rules of a tournament do not allow it now: the text says what can be done."""

    status_code = 409


@contextmanager
def refusals() -> Iterator[None]:
    """Tells a service's refusal with its own code."""
    try:
        yield
    except REFUSALS as refusal:
        raise Refused(str(refusal), getattr(refusal, "code", "refused")) from refusal


class DirectorView(APIView):
    """A view of one tournament that its directors may write by a token with `comp:admin`."""

    permission_classes = [ReadOrScope]
    write_scope = Scope.COMP_ADMIN
    most_bytes = MOST_BYTES

    def initial(self, request: Request, *arguments: Any, **named: Any) -> None:
        """Reads the body, once it is known whose it is."""
        super().initial(request, *arguments, **named)
        if request.method not in SAFE_METHODS:
            read_body(request._request, self.most_bytes)

    def directed(self, request: Request, tournament_id: str) -> Tournament:
        """The tournament; raises NotFound for one that this user may not see, PermissionDenied for another's."""
        tournament = get_object_or_404(visible_to(request.user), public_id=tournament_id)
        if not directs_tournament(request.user, tournament):
            raise PermissionDenied("Only those who direct this tournament may do that.", "not_yours")
        return tournament

    @staticmethod
    def check_may_draw_up(request: Request) -> None:
        """Raises PermissionDenied for who may have no tournaments of his own."""
        if not request.user.has_perm("tournaments.add_tournament"):
            raise PermissionDenied("You may not draw up tournaments: ask whoever runs this service.", "not_allowed")

    def read(self, kind: type[serializers.Serializer], request: Request, **context: Any) -> dict[str, Any]:
        """The request's body, checked; raises ValidationError."""
        given = kind(data=request.data, context=context, partial=request.method == "PATCH")
        given.is_valid(raise_exception=True)
        return given.validated_data


def one_of(rows: Any, public_id: str, what: str) -> Any:
    """A row by its public id; raises NotFound that says what is missing."""
    row = rows.filter(public_id=public_id).first()
    if row is None:
        raise NotFound(f"There is no {what} {public_id} here.")
    return row
