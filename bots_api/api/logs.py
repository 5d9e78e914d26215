"""What was sent to one's versions and what they answered: their owners' alone, and each version's own."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots_api.api.finding import private_version
from bots_api.api.serializers import DeliverySerializer, StatsSerializer
from bots_api.models import Delivery, MessageType
from bots_api.stats import stats_of, waiting_of
from matches.api.inputs import YesNoFilter
from matches.api.problems import BAD_REQUEST, NOT_FOUND
from matches.api.writing import DENIED
from matches.permissions import ByScope, Scope

READERS = {"GET": (Scope.LOGS_READ,)}


class DeliveryFilter(filters.FilterSet):
    """By the kind of message, by a game (`g_…`), and those alone that went wrong."""

    faults = YesNoFilter(method="only_faults", label="those alone whose outcome is not `ok`")
    message = filters.ChoiceFilter(choices=MessageType.choices)
    game = filters.CharFilter(max_length=24)

    class Meta:
        model = Delivery
        fields = ["faults", "message", "game"]

    def only_faults(self, rows: QuerySet[Delivery], name: str, value: Any) -> QuerySet[Delivery]:
        return rows.exclude(outcome="ok") if value else rows


@extend_schema_view(
    get=extend_schema(
        operation_id="versions_deliveries",
        summary="What was sent to a version and what it answered, newest first",
        responses={200: DeliverySerializer, **BAD_REQUEST, **DENIED, **NOT_FOUND},
    )
)
class DeliveryList(generics.ListAPIView):
    serializer_class = DeliverySerializer
    permission_classes = [ByScope]
    scopes = READERS
    filter_backends = [filters.DjangoFilterBackend]
    filterset_class = DeliveryFilter
    queryset = Delivery.objects.none()  # for the schema alone

    def get_queryset(self) -> QuerySet[Delivery]:
        return Delivery.objects.filter(agent=private_version(self.request, self.kwargs["version_id"]).agent_id)


class VersionStats(APIView):
    permission_classes = [ByScope]
    scopes = READERS

    @extend_schema(
        operation_id="versions_stats",
        summary="How a version plays, and why nothing plays",
        responses={200: StatsSerializer, **DENIED, **NOT_FOUND},
    )
    def get(self, request: Request, version_id: str) -> Response:
        agent = private_version(request, version_id).agent
        return Response(StatsSerializer({**asdict(stats_of(agent)), "waiting": waiting_of(agent)}).data)
