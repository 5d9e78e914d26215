"""Reading and writing stages, and their rounds from proposed to released."""

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
from matches.api.writing import DENIED, WRITING, one_of
from matches.permissions import reader_of
from tournaments.api.directing import DirectorView, refusals
from tournaments.api.drawn_serializers import DrawCheckSerializer, RoundSerializer
from tournaments.api.inputs import (
    FreeReasonInput,
    NewStageInput,
    ReleaseInput,
    StageInput,
    TablesInput,
    TakeBackInput,
    TimesInput,
)
from tournaments.api.serializers import (
    StageSerializer,
    WhyNotSerializer,
)
from tournaments.formats.lifecycle import Audience
from tournaments.formats.positions import format_reasons, parse_draw
from tournaments.models import Round, Stage, Tournament, VenueTable
from tournaments.services import draws, schedule, stages
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
        tournament = get_object_or_404(visible_to(reader_of(request)), public_id=tournament_id)
        return Response(StageSerializer(tournament.stages.order_by("number"), many=True).data)

    @extend_schema(
        summary="Add a stage to the chain",
        request=NewStageInput,
        parameters=[KEY_PARAMETER],
        responses={201: StageSerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, tournament_id: str) -> Response:
        tournament = self.directed(request, tournament_id)
        given = self.read(NewStageInput, request)
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
        tournament = get_object_or_404(visible_to(reader_of(request)), public_id=tournament_id)
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
    """Rounds with all that is shown of them, in eight queries however many."""
    return rounds.select_related("stage").prefetch_related(
        "pairings__match", "pairings__seats__entry", "pairings__seats__feed__source", "pairings__sittings__table"
    )


class RoundView(DirectorView):
    """A round that a director of its tournament writes."""

    def found(self, request: Request, tournament_id: str, round_id: str) -> Round:
        tournament = self.directed(request, tournament_id)
        return one_of(visible_rounds(reader_of(request), tournament), round_id, "round")


class RoundOne(RoundView):
    @extend_schema(
        operation_id="rounds_get", summary="A round with its tables", responses={200: RoundSerializer, **NOT_FOUND}
    )
    def get(self, request: Request, tournament_id: str, round_id: str) -> Response:
        tournament = get_object_or_404(visible_to(reader_of(request)), public_id=tournament_id)
        return Response(_round(one_of(visible_rounds(reader_of(request), tournament), round_id, "round").pk))


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


class RoundCheck(RoundView):
    is_public = False

    @extend_schema(
        summary="What a draw breaks, and what was changed of it by hand",
        description="Its directors' alone.",
        responses={200: DrawCheckSerializer, **DENIED, **NOT_FOUND},
    )
    def get(self, request: Request, tournament_id: str, round_id: str) -> Response:
        found = self.found(request, tournament_id, round_id)
        proposal = [list(table.entrants) for table in parse_draw(found.draw).tables] if found.draw else None
        broken = format_reasons(draws.violations(found.pk))
        told = {"violations": broken, "proposal": proposal, "changes": found.changes}
        return Response(DrawCheckSerializer(told).data)


class RoundTimes(RoundView):
    @extend_schema(
        summary="Plan when and where a round is played; planned again it moves",
        description="Refused with whoever or whatever is taken elsewhere at that time.",
        request=TimesInput,
        parameters=[KEY_PARAMETER],
        responses={200: RoundSerializer, **WRITING},
    )
    @idempotent
    def put(self, request: Request, tournament_id: str, round_id: str) -> Response:
        found = self.found(request, tournament_id, round_id)
        given = self.read(TimesInput, request)
        tables = self._tables(found.stage.tournament, given.get("tables"))
        with refusals():
            schedule.plan_round(found.pk, given["starts_at"], given["minutes"], tables, by=request.user)
        return Response(_round(found.pk))

    def _tables(self, tournament: Tournament, names: list[str] | None) -> list[int] | None:
        """Keys of the tables of the tournament's venue with these names; raises NotFound."""
        if names is None:
            return None
        there = dict(VenueTable.objects.filter(venue=tournament.venue_id).values_list("name", "pk"))
        if unknown := [name for name in names if name not in there]:
            raise NotFound(f"There is no table {unknown[0]} at the venue of this tournament.")
        return [there[name] for name in names]

    @extend_schema(
        summary="Take a round's times and tables away", parameters=[KEY_PARAMETER], responses={204: None, **WRITING}
    )
    @idempotent
    def delete(self, request: Request, tournament_id: str, round_id: str) -> Response:
        found = self.found(request, tournament_id, round_id)
        with refusals():
            schedule.clear(found.pk, by=request.user)
        return Response(status=204)


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
