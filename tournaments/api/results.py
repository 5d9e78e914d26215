"""Results as an organiser enters, corrects and annuls them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from matches.api.idempotency import KEY_PARAMETER, idempotent
from matches.api.problems import NOT_FOUND
from matches.api.writing import DENIED, WRITING, Refused, one_of
from matches.core.agreement import ReportedScore
from matches.models import Match
from matches.services import reports
from tournaments.api.directing import DirectorView, refusals
from tournaments.api.drawn_serializers import TableMatchSerializer
from tournaments.api.inputs import (
    CorrectionInput,
    RulingInput,
    TakeBackInput,
)
from tournaments.api.serializers import (
    PreviewSerializer,
    ReportSerializer,
)
from tournaments.models import Pairing
from tournaments.services import corrections
from tournaments.services.directing import why_not_ruled
from tournaments.services.results import settle


def _score(given: dict[str, Any]) -> ReportedScore:
    parties = given.get("parties")
    return ReportedScore(
        points=tuple(given["points"]),
        parties=None if parties is None else tuple(parties),
        absent=frozenset(given["absent"]),
    )


class ResultView(DirectorView):
    def match(self, request: Request, tournament_id: str, match_id: str) -> Match:
        tournament = self.directed(request, tournament_id)
        matches = Match.objects.filter(pairing__round__stage__tournament=tournament)
        return one_of(matches.select_related("pairing__round__stage"), match_id, "match")


class MatchResult(ResultView):
    @extend_schema(
        summary="Enter or rule a match's result",
        description="A first entry, the ruling of a dispute, a forfeit. The same ruling again changes nothing. What is "
        "decided already is corrected by `…/correction`.",
        request=RulingInput,
        parameters=[KEY_PARAMETER],
        responses={200: ReportSerializer, **WRITING},
    )
    @idempotent
    def put(self, request: Request, tournament_id: str, match_id: str) -> Response:
        match = self.match(request, tournament_id, match_id)
        given = self.read(RulingInput, request)
        if why := why_not_ruled(match.pairing.round.status):
            raise Refused(why, "not_released")
        with refusals():
            ruling = reports.rule(match.pk, request.user, _score(given), given["reason"])
            settle(match.pairing.round.stage.tournament_id)  # at once, so that the next request finds it done
        return Response(ReportSerializer(ruling).data)


class MatchReports(ResultView):
    is_public = False

    @extend_schema(
        operation_id="match_reports",
        summary="What was reported of a match, version by version",
        responses={200: ReportSerializer(many=True), **DENIED, **NOT_FOUND},
    )
    def get(self, request: Request, tournament_id: str, match_id: str) -> Response:
        match = self.match(request, tournament_id, match_id)
        return Response(ReportSerializer(match.reports.order_by("version"), many=True).data)


class CorrectionPreview(ResultView):
    @extend_schema(
        summary="What would change if a result were corrected",
        request=CorrectionInput,
        responses={200: PreviewSerializer, **WRITING},
    )
    def post(self, request: Request, tournament_id: str, match_id: str) -> Response:
        match = self.match(request, tournament_id, match_id)
        with refusals():
            preview = corrections.preview(match.public_id, _score(self.read(CorrectionInput, request)))
        return Response(PreviewSerializer(preview).data)


class Correction(ResultView):
    @extend_schema(
        summary="Correct a result, and all that follows from it",
        request=CorrectionInput,
        parameters=[KEY_PARAMETER],
        responses={200: ReportSerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, tournament_id: str, match_id: str) -> Response:
        match = self.match(request, tournament_id, match_id)
        given = self.read(CorrectionInput, request)
        with refusals():
            ruling = corrections.correct(
                match.public_id, _score(given), given["reason"], by=request.user, even_played=given["even_played"]
            )
        return Response(ReportSerializer(ruling).data)


class Annulment(ResultView):
    @extend_schema(
        summary="Annul a match for good",
        description="It counts for nothing; in a bracket nobody goes on from it.",
        request=TakeBackInput,
        parameters=[KEY_PARAMETER],
        responses={200: TableMatchSerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, tournament_id: str, match_id: str) -> Response:
        return self.done(request, self.match(request, tournament_id, match_id), corrections.void)

    def done(self, request: Request, match: Match, act: Callable[..., object]) -> Response:
        """The table's match after it was annulled, in one way or the other."""
        given, table = self.read(TakeBackInput, request), match.pairing.pk
        with refusals():
            act(match.public_id, given["reason"], by=request.user, even_played=given["even_played"])
        now = Pairing.objects.values_list("match__public_id", flat=True).get(pk=table)
        return Response(TableMatchSerializer({"match": now}).data)


class Replay(Annulment):
    @extend_schema(
        summary="Void a match and have another one played at its table",
        request=TakeBackInput,
        parameters=[KEY_PARAMETER],
        responses={200: TableMatchSerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, tournament_id: str, match_id: str) -> Response:
        return self.done(request, self.match(request, tournament_id, match_id), corrections.reopen)
