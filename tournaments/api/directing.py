"""What all writing views have in common: whose tournament it is, and a service's refusal told as a problem."""

from __future__ import annotations

from contextlib import AbstractContextManager

from django.shortcuts import get_object_or_404
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from engine import RulesError
from matches.api import writing
from matches.api.writing import WritingView
from matches.core.names import NameRefused
from matches.permissions import ReadOrScope, Scope, reader_of
from matches.services.reports import ReportRefused
from tournaments.errors import TournamentError
from tournaments.formats.settings import SettingsError
from tournaments.models import Tournament
from tournaments.services.directing import directs_tournament
from tournaments.web.reading import visible_to

REFUSALS = (TournamentError, ReportRefused, SettingsError, NameRefused, RulesError)


def refusals() -> AbstractContextManager[None]:
    """Tells a service's refusal with its own code."""
    return writing.refusals(*REFUSALS)


class DirectorView(WritingView):
    """A view of one tournament that its directors may write by a token with `comp:admin`."""

    permission_classes = [ReadOrScope]
    write_scope = Scope.COMP_ADMIN

    def directed(self, request: Request, tournament_id: str) -> Tournament:
        """The tournament; raises NotFound for one that this user may not see, PermissionDenied for another's."""
        tournament = get_object_or_404(visible_to(reader_of(request)), public_id=tournament_id)
        if not directs_tournament(reader_of(request), tournament):
            raise PermissionDenied("Only those who direct this tournament may do that.", "not_yours")
        return tournament

    @staticmethod
    def check_may_draw_up(request: Request) -> None:
        """Raises PermissionDenied for who may have no tournaments of his own."""
        if not request.user.has_perm("tournaments.add_tournament"):
            raise PermissionDenied("You may not draw up tournaments: ask whoever runs this service.", "not_allowed")
