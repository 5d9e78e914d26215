"""Reading matches, parties and records. Everything here is public; nothing is shown before its time."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import Http404
from django_filters import rest_framework as filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import exceptions, generics
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.api.problems import BAD_REQUEST, CONFLICT, NOT_FOUND
from matches.api.serializers import MatchDetailSerializer, MatchSerializer, PartySerializer
from matches.audience import visible_matches
from matches.core.lifecycle import MatchStatus
from matches.models import Board, Game, Match, Party
from matches.permissions import reader_of

ALIAS = Game._meta.get_field("public_id").prefix


class MatchFilter(filters.FilterSet):
    """By status, and by a player (`p_…`) or a version (`v_…`) at one of the seats."""

    status = filters.ChoiceFilter(choices=[(status.value, status.value) for status in MatchStatus])
    player = filters.CharFilter(field_name="seats__agent__player__public_id", distinct=True)
    version = filters.CharFilter(field_name="seats__agent__public_id", distinct=True)

    class Meta:
        model = Match
        fields = ["status", "player", "version"]


def matches_for_reading(request: Request) -> QuerySet[Match]:
    """Those that whoever asks may see."""
    return (
        visible_matches(reader_of(request))
        .select_related("result")
        .prefetch_related("seats__agent__player", "result__seats", "seats__match__result__seats")
    )


@extend_schema_view(get=extend_schema(summary="Matches, newest first", responses={200: MatchSerializer, **BAD_REQUEST}))
class MatchList(generics.ListAPIView):
    serializer_class = MatchSerializer
    filter_backends = [filters.DjangoFilterBackend]
    filterset_class = MatchFilter
    queryset = Match.objects.none()  # for the schema alone

    def get_queryset(self) -> QuerySet[Match]:
        return matches_for_reading(self.request)


@extend_schema_view(
    get=extend_schema(
        summary="A match with its parties; seeds once they are open",
        responses={200: MatchDetailSerializer, **NOT_FOUND},
    )
)
class MatchDetail(generics.RetrieveAPIView):
    serializer_class = MatchDetailSerializer
    lookup_field = "public_id"
    lookup_url_kwarg = "match_id"

    def get_queryset(self) -> QuerySet[Match]:
        bare = Party.objects.defer("record_json")  # long, and sealed: whether a board is open follows from the rest
        boards = Board.objects.select_related("match").prefetch_related(Prefetch("parties", bare))
        parties = bare.select_related("match").prefetch_related("match__seats", Prefetch("board", boards))
        return matches_for_reading(self.request).prefetch_related(
            Prefetch("boards", boards), Prefetch("parties", parties), "reports"
        )


class NotYetRevealed(exceptions.APIException):
    status_code = 409
    default_code = "not_yet_revealed"
    default_detail = "This is told when the last exposure of the party's board is over."


def find_party(party_id: str, request: Request) -> Party:
    """A party by its own id, or by the alias under which one of its programs knows it.

    Raises Http404, and NotYetRevealed for an alias before its board is open: a program is given it as the address of
    the record, which is not to be read sooner. It hides nothing that the party's own id shows.
    """
    is_alias = party_id.startswith(ALIAS)
    parties = Party.objects.select_related("board", "match").prefetch_related("match__seats")
    parties = parties.filter(match__in=visible_matches(reader_of(request)))
    party = parties.filter(**{"games__public_id" if is_alias else "public_id": party_id}).first()
    if party is None:
        raise Http404("There is no party with this id.")
    if is_alias and not party.board.is_open:
        raise NotYetRevealed
    return party


class PartyDetail(APIView):
    """One party of a match, by its id or, once its board is open, by a program's name for it (`g_…`)."""

    @extend_schema(summary="A party", responses={200: PartySerializer, **NOT_FOUND, **CONFLICT})
    def get(self, request: Request, party_id: str) -> Response:
        return Response(PartySerializer(find_party(party_id, request)).data)


class PartyRecord(APIView):
    """The record of a party, complete: reader, rules and seed give back every hand and every score."""

    @extend_schema(
        summary="The record of a party",
        description="One JSON document, `record: manela/1`. `python -m engine verify FILE` checks it.",
        responses={200: OpenApiTypes.OBJECT, **NOT_FOUND, **CONFLICT},
    )
    def get(self, request: Request, party_id: str) -> Response:
        party = find_party(party_id, request)
        if not party.is_revealed:
            raise NotYetRevealed
        headers: dict[str, Any] = {"Content-Disposition": f'attachment; filename="{party.public_id}.json"'}
        return Response(party.record, headers=headers)
