"""Reading tournaments, their rounds and standings, as far as the reader may see them."""

from __future__ import annotations

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import generics
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.api.problems import NOT_FOUND
from matches.api.writing import DENIED
from matches.permissions import reader_of
from tournaments.api.directing import DirectorView
from tournaments.api.drawn_serializers import RoundSerializer
from tournaments.api.serializers import (
    EventSerializer,
    ExplanationSerializer,
    SnapshotSerializer,
    StandingsSerializer,
    TournamentDetailSerializer,
    TournamentSerializer,
    VenueSerializer,
)
from tournaments.api.stages import rounds_with_tables
from tournaments.api.tournaments import TournamentChanging, TournamentWriting, for_reading
from tournaments.formats.lifecycle import StageStatus
from tournaments.models import Round, Stage, StandingsSnapshot, Tournament, TournamentEvent, Venue
from tournaments.services.publishing import plain, snapshot_rows
from tournaments.services.ranking import explain_cell, stage_standings
from tournaments.web.reading import visible_rounds, visible_to


@extend_schema_view(get=extend_schema(summary="Tournaments, newest first"))
class TournamentList(TournamentWriting, generics.ListAPIView):
    """With a token also one's own drafts."""

    serializer_class = TournamentSerializer

    def get_queryset(self) -> QuerySet[Tournament]:
        return visible_to(reader_of(self.request))


@extend_schema_view(
    get=extend_schema(
        summary="A tournament with its stages and entries", responses={200: TournamentDetailSerializer, **NOT_FOUND}
    )
)
class TournamentDetail(TournamentChanging, generics.RetrieveAPIView):
    serializer_class = TournamentDetailSerializer
    lookup_field = "public_id"
    lookup_url_kwarg = "tournament_id"

    def get_queryset(self) -> QuerySet[Tournament]:
        return for_reading(visible_to(reader_of(self.request)))


class Standings(APIView):
    """The published standings beside the live table."""

    @extend_schema(
        summary="Standings of a tournament, or of one of its stages",
        parameters=[
            OpenApiParameter("stage", OpenApiTypes.INT, description="of this stage alone"),
            OpenApiParameter("snapshot", OpenApiTypes.INT, description="those of this number, not the newest"),
        ],
        responses={200: StandingsSerializer, **NOT_FOUND},
    )
    def get(self, request: Request, tournament_id: str) -> Response:
        tournament = get_object_or_404(visible_to(reader_of(request)), public_id=tournament_id)
        snapshots, rows = tournament.snapshots.select_related("stage").order_by("-number"), None
        if (number := _asked(request, "stage")) is not None:
            stage = get_object_or_404(stages_begun_of(tournament), number=number)
            stage.tournament = tournament
            snapshots, rows = snapshots.filter(stage=stage), plain(tournament, stage_standings(stage))
        if (number := _asked(request, "snapshot")) is not None:
            snapshot: StandingsSnapshot | None = get_object_or_404(snapshots, number=number)
        else:
            snapshot = snapshots.first()
        published = SnapshotSerializer(snapshot).data if snapshot else None
        return Response({"published": published, "live": snapshot_rows(tournament) if rows is None else rows})


def _asked(request: Request, name: str) -> int | None:
    """A number of the address; raises NotFound for what is none."""
    told = request.GET.get(name)
    if told is None:
        return None
    if not (told.isascii() and told.isdigit() and len(told) <= 4):
        raise NotFound(f"There is no {name} of this number.")
    return int(told)


class VenueList(APIView):
    """Halls, in which tournaments have their times and tables."""

    @extend_schema(summary="Venues with their tables", responses={200: VenueSerializer(many=True)})
    def get(self, request: Request) -> Response:
        return Response(VenueSerializer(Venue.objects.prefetch_related("tables"), many=True).data)


@extend_schema_view(
    get=extend_schema(
        summary="Rounds of a tournament with their pairings",
        description="Those that the reader may see: a draw that is not released is its directors' alone.",
        responses={200: RoundSerializer(many=True), **NOT_FOUND},
    )
)
class RoundList(generics.ListAPIView):
    serializer_class = RoundSerializer
    pagination_class = None

    def get_queryset(self) -> QuerySet[Round]:
        tournament = get_object_or_404(visible_to(reader_of(self.request)), public_id=self.kwargs["tournament_id"])
        rounds = rounds_with_tables(visible_rounds(reader_of(self.request), tournament))
        return rounds.order_by("stage__number", "number", "id")


class Explanation(APIView):
    """The numbers behind one cell of a stage's standings."""

    @extend_schema(
        summary="Why a cell of the standings says what it says",
        parameters=[
            OpenApiParameter("entry", OpenApiTypes.STR, required=True, description="`e_…`"),
            OpenApiParameter("criterion", OpenApiTypes.STR, required=True, description="of the row's `criteria`"),
        ],
        responses={200: ExplanationSerializer, **NOT_FOUND},
    )
    def get(self, request: Request, tournament_id: str, number: int) -> Response:
        tournament = get_object_or_404(visible_to(reader_of(request)), public_id=tournament_id)
        stage = get_object_or_404(stages_begun_of(tournament), number=number)
        stage.tournament = tournament
        entered = get_object_or_404(stage.stage_entries, entry__public_id=request.GET.get("entry", ""))
        try:
            cell = explain_cell(stage, entered.number, request.GET.get("criterion", ""))
        except (ValueError, KeyError) as missing:
            raise NotFound("There is no such cell in the standings.") from missing
        return Response(ExplanationSerializer(cell).data)


def stages_begun_of(tournament: Tournament) -> QuerySet[Stage]:
    return tournament.stages.exclude(status=StageStatus.PLANNED)


@extend_schema_view(
    get=extend_schema(
        summary="What was done to a tournament, newest first",
        responses={200: EventSerializer(many=True), **DENIED, **NOT_FOUND},
    )
)
class EventList(DirectorView, generics.ListAPIView):
    """Its directors' alone."""

    is_public = False
    serializer_class = EventSerializer

    def get_queryset(self) -> QuerySet[TournamentEvent]:
        tournament = self.directed(self.request, self.kwargs["tournament_id"])
        return tournament.events.select_related("actor")
