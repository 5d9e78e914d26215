"""Reading and writing stages, their rounds from proposed to released, and results as an organiser enters them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from matches.api.idempotency import KEY_PARAMETER, idempotent
from matches.api.problems import NOT_FOUND
from matches.core.agreement import ReportedScore
from matches.models import Match
from matches.services import reports
from tournaments.api.directing import WRITING, DirectorView, Refused, one_of, refusals
from tournaments.api.inputs import (
    CorrectionInput,
    FreeReasonInput,
    ReleaseInput,
    RulingInput,
    StageInput,
    TablesInput,
    TakeBackInput,
)
from tournaments.api.serializers import (
    PreviewSerializer,
    ReportSerializer,
    RoundSerializer,
    StageSerializer,
    WhyNotSerializer,
)
from tournaments.formats.lifecycle import Audience
from tournaments.models import Round, Stage, Tournament
from tournaments.services import corrections, draws, stages
from tournaments.services.directing import why_not_ruled
from tournaments.services.results import settle
from tournaments.web.reading import visible_rounds, visible_to


def _stage(tournament: Tournament, number: int) -> Stage:
    stage = tournament.stages.filter(number=number).first()
    if stage is None:
        raise NotFound(f"There is no stage {number} here.")
    return stage


class StageList(DirectorView):
    @extend_schema(
        operation_id="stages_list",
        summary="Stages of a tournament, in their order",
        responses={200: StageSerializer(many=True), **NOT_FOUND},
    )
    def get(self, request: Request, tournament_id: str) -> Response:
        tournament = get_object_or_404(visible_to(request.user), public_id=tournament_id)
        return Response(StageSerializer(tournament.stages.order_by("number"), many=True).data)

    @extend_schema(
        summary="Add a stage to the chain",
        request=StageInput,
        parameters=[KEY_PARAMETER],
        responses={201: StageSerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, tournament_id: str) -> Response:
        tournament = self.directed(request, tournament_id)
        given = self.read(StageInput, request)
        with refusals():
            stage = stages.plan(tournament.pk, given.pop("format"), by=request.user, **given)
        return Response(StageSerializer(stage).data, status=201)


class StageOne(DirectorView):
    @extend_schema(
        summary="Change a stage that has not begun",
        request=StageInput,
        parameters=[KEY_PARAMETER],
        responses={200: StageSerializer, **WRITING},
    )
    @idempotent
    def patch(self, request: Request, tournament_id: str, number: int) -> Response:
        stage = _stage(self.directed(request, tournament_id), number)
        with refusals():
            changed = stages.change(stage.pk, by=request.user, **self.read(StageInput, request))
        return Response(StageSerializer(changed).data)

    @extend_schema(
        summary="Take a stage out of the chain", parameters=[KEY_PARAMETER], responses={204: None, **WRITING}
    )
    @idempotent
    def delete(self, request: Request, tournament_id: str, number: int) -> Response:
        stage = _stage(self.directed(request, tournament_id), number)
        with refusals():
            stages.remove(stage.pk, by=request.user)
        return Response(status=204)


class WhyNot(DirectorView):
    """Whether the whole chain can be played, before it is begun."""

    @extend_schema(
        summary="What stands in the way of the plan",
        responses={200: WhyNotSerializer, **NOT_FOUND},
    )
    def get(self, request: Request, tournament_id: str) -> Response:
        tournament = get_object_or_404(visible_to(request.user), public_id=tournament_id)
        return Response({"troubles": stages.why_not(tournament)})


class Proposal(DirectorView):
    @extend_schema(
        summary="Draw the next round",
        description="The proposal that is there already, if there is one: a round is drawn once.",
        request=FreeReasonInput,
        parameters=[KEY_PARAMETER],
        responses={200: RoundSerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, tournament_id: str, number: int) -> Response:
        stage = _stage(self.directed(request, tournament_id), number)
        with refusals():
            drawn = draws.propose(stage.pk, by=request.user)
        return Response(_round(drawn.pk))


def _round(round_id: int) -> Any:
    return RoundSerializer(rounds_with_tables(Round.objects.filter(pk=round_id)).get()).data


def rounds_with_tables(rounds: QuerySet[Round]) -> QuerySet[Round]:
    """Rounds with all that is shown of them, in six queries however many."""
    return rounds.select_related("stage").prefetch_related(
        "pairings__match", "pairings__seats__entry", "pairings__seats__feed__source"
    )


class RoundView(DirectorView):
    """A round that a director of its tournament writes."""

    def found(self, request: Request, tournament_id: str, round_id: str) -> Round:
        tournament = self.directed(request, tournament_id)
        return one_of(visible_rounds(request.user, tournament), round_id, "round")


class RoundOne(RoundView):
    @extend_schema(
        operation_id="rounds_retrieve", summary="A round with its tables", responses={200: RoundSerializer, **NOT_FOUND}
    )
    def get(self, request: Request, tournament_id: str, round_id: str) -> Response:
        tournament = get_object_or_404(visible_to(request.user), public_id=tournament_id)
        return Response(_round(one_of(visible_rounds(request.user, tournament), round_id, "round").pk))


class RoundTables(RoundView):
    @extend_schema(
        summary="Change a proposed draw by hand",
        description="Ends the tournament's mark “by the rules” with the first difference from the proposal; the "
        "proposal, the difference and the reason are kept.",
        request=TablesInput,
        parameters=[KEY_PARAMETER],
        responses={200: RoundSerializer, **WRITING},
    )
    @idempotent
    def put(self, request: Request, tournament_id: str, round_id: str) -> Response:
        found = self.found(request, tournament_id, round_id)
        given = self.read(TablesInput, request)
        with refusals():
            draws.begin_changes(found.pk, by=request.user)
            draws.change(found.pk, given["tables"], given["reason"], by=request.user)
        return Response(_round(found.pk))


class RoundConfirm(RoundView):
    @extend_schema(
        summary="Confirm a draw: its matches are made",
        request=FreeReasonInput,
        parameters=[KEY_PARAMETER],
        responses={200: RoundSerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, tournament_id: str, round_id: str) -> Response:
        found = self.found(request, tournament_id, round_id)
        with refusals():
            draws.confirm(found.pk, by=request.user)
        return Response(_round(found.pk))


class RoundRelease(RoundView):
    @extend_schema(
        summary="Release a draw to the participants or to everybody",
        request=ReleaseInput,
        parameters=[KEY_PARAMETER],
        responses={200: RoundSerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, tournament_id: str, round_id: str) -> Response:
        found = self.found(request, tournament_id, round_id)
        given = self.read(ReleaseInput, request)
        with refusals():
            draws.release(found.pk, Audience(given["audience"]), by=request.user)
        return Response(_round(found.pk))


class RoundTakeBack(RoundView):
    @extend_schema(
        summary="Take a draw back; it stays in sight",
        request=TakeBackInput,
        parameters=[KEY_PARAMETER],
        responses={200: RoundSerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, tournament_id: str, round_id: str) -> Response:
        found = self.found(request, tournament_id, round_id)
        given = self.read(TakeBackInput, request)
        with refusals():
            draws.take_back(found.pk, given["reason"], even_played=given["even_played"], by=request.user)
        return Response(_round(found.pk))


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
    @extend_schema(
        operation_id="match_reports",
        summary="What was reported of a match, version by version",
        responses={200: ReportSerializer(many=True), **NOT_FOUND},
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
