"""Reading tournaments, their rounds and standings. Drafts are their organiser's alone and are not here."""

from __future__ import annotations

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.api.problems import NOT_FOUND
from tournaments.api.serializers import (
    RoundSerializer,
    SnapshotSerializer,
    StandingsSerializer,
    TournamentDetailSerializer,
    TournamentSerializer,
)
from tournaments.models import Round, Tournament
from tournaments.services.publishing import snapshot_rows


def _public() -> QuerySet[Tournament]:
    return Tournament.objects.public().select_related("organiser")


@extend_schema_view(get=extend_schema(summary="Tournaments, newest first"))
class TournamentList(generics.ListAPIView):
    serializer_class = TournamentSerializer

    def get_queryset(self) -> QuerySet[Tournament]:
        return _public()


@extend_schema_view(
    get=extend_schema(summary="A tournament with its entries", responses={200: TournamentDetailSerializer, **NOT_FOUND})
)
class TournamentDetail(generics.RetrieveAPIView):
    serializer_class = TournamentDetailSerializer
    lookup_field = "public_id"
    lookup_url_kwarg = "tournament_id"

    def get_queryset(self) -> QuerySet[Tournament]:
        return _public().prefetch_related("entries__members__player", "entries__members__agent")


class Standings(APIView):
    """The published standings beside the live table."""

    @extend_schema(summary="Standings of a tournament", responses={200: StandingsSerializer, **NOT_FOUND})
    def get(self, request: Request, tournament_id: str) -> Response:
        tournament = get_object_or_404(_public(), public_id=tournament_id)
        snapshot = tournament.snapshots.order_by("-number").first()
        published = SnapshotSerializer(snapshot).data if snapshot else None
        return Response({"published": published, "live": snapshot_rows(tournament)})


@extend_schema_view(
    get=extend_schema(
        summary="Rounds of a tournament with their pairings", responses={200: RoundSerializer(many=True), **NOT_FOUND}
    )
)
class RoundList(generics.ListAPIView):
    serializer_class = RoundSerializer
    pagination_class = None

    def get_queryset(self) -> QuerySet[Round]:
        tournament = get_object_or_404(_public(), public_id=self.kwargs["tournament_id"])
        rounds = Round.objects.filter(stage__tournament=tournament).select_related("stage")
        return rounds.prefetch_related("pairings__match", "pairings__seats__entry").order_by("stage__number", "number")
