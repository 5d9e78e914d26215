"""A version's qualification: asked for, and read case by case by its owner."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from bots_api.api.finding import own_version, private_version
from bots_api.api.inputs import NoInput
from bots_api.api.serializers import QualificationSerializer
from bots_api.models import Qualification
from bots_api.qualifying.services import QualificationRefused, ask_for
from matches.api.idempotency import KEY_PARAMETER, idempotent
from matches.api.limits import limited
from matches.api.problems import NOT_FOUND
from matches.api.writing import DENIED, WRITING, WritingView, refusals
from matches.permissions import ByScope, Scope


class VersionQualification(WritingView):
    permission_classes = [ByScope]
    scopes = {"GET": (Scope.BOT_WRITE, Scope.LOGS_READ), "POST": (Scope.BOT_WRITE,)}

    @extend_schema(
        operation_id="versions_qualification_get",
        summary="The newest qualification of a version, case by case",
        responses={200: QualificationSerializer, **DENIED, **NOT_FOUND},
    )
    def get(self, request: Request, version_id: str) -> Response:
        newest = private_version(request, version_id).qualifications.order_by("-id").first()
        if newest is None:
            raise NotFound("No qualification of this version was asked for yet.", "not_asked")
        return Response(_told(newest))

    @extend_schema(
        operation_id="versions_qualification_ask",
        summary="Ask for a version to be qualified",
        description="It is put through its cases, and plays once it has passed. While one is under way, that one is "
        "answered.",
        request=NoInput,
        parameters=[KEY_PARAMETER],
        responses={202: QualificationSerializer, **WRITING},
    )
    @idempotent
    @limited("qualifications")
    def post(self, request: Request, version_id: str) -> Response:
        version = own_version(request, version_id)
        self.read(NoInput, request)
        with refusals(QualificationRefused):
            asked = ask_for(version, request.user)
        return Response(_told(asked), status=202)


def _told(qualification: Qualification) -> dict[str, object]:
    return QualificationSerializer(qualification).data
