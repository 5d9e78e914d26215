"""Files to take a tournament away in, and a tournament taken in as one document."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from matches.api.idempotency import KEY_PARAMETER, idempotent
from matches.api.problems import CONFLICT, NOT_FOUND
from matches.api.writing import DENIED, WRITING
from matches.permissions import reader_of
from tournaments.api.directing import DirectorView, refusals
from tournaments.api.inputs import Strict
from tournaments.api.serializers import TournamentDetailSerializer
from tournaments.api.tournaments import told_whole
from tournaments.exports.files import FILES
from tournaments.imports.document import MOST_BYTES, take_document
from tournaments.web.files import answer
from tournaments.web.reading import visible_to

JSON = "application/json"
KINDS = sorted({file.content_type.partition(";")[0] for file in FILES.values()} - {JSON})


class DocumentInput(Strict):
    """A document as `files/tournament.json` has it. `slug`: another address than the document's."""

    document = serializers.DictField()
    slug = serializers.SlugField(max_length=60, required=False, allow_null=True, default=None)


class TournamentFile(DirectorView):
    @extend_schema(
        summary="A tournament as a file",
        description="Standings and cross table as CSV or XLSX, a Swiss as TRF, or all of it as one JSON document, "
        "which is its directors' until the tournament is over.",
        parameters=[
            OpenApiParameter("name", OpenApiTypes.STR, OpenApiParameter.PATH, enum=sorted(FILES)),
            OpenApiParameter("stage", OpenApiTypes.INT, description="another stage than the newest"),
        ],
        responses={
            (200, *KINDS): OpenApiTypes.BINARY,
            (200, JSON): OpenApiTypes.ANY,
            **DENIED,
            **NOT_FOUND,
            **CONFLICT,
        },
    )
    def get(self, request: Request, tournament_id: str, name: str) -> HttpResponse:
        tournament = get_object_or_404(visible_to(reader_of(request)), public_id=tournament_id)
        with refusals():
            return answer(reader_of(request), tournament, name, request.GET.get("stage", ""))


class TournamentDocument(DirectorView):
    most_bytes = MOST_BYTES

    @extend_schema(
        summary="Take a tournament in",
        description="All of it or nothing; its standings are folded anew and have to be the same.",
        request=DocumentInput,
        parameters=[KEY_PARAMETER],
        responses={201: TournamentDetailSerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        self.check_may_draw_up(request)
        given = self.read(DocumentInput, request)
        with refusals():
            taken = take_document(given["document"], request.user, slug=given["slug"])
        return Response(told_whole(taken.pk), status=201)
