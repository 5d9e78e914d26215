"""One version: its state, read by everybody; retired, drained, its secret changed, its tokens, by its owner."""

from __future__ import annotations

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import generics
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots_api.api.bots import OWNERS
from bots_api.api.finding import find_version, own_version, private_version, sees_own_side
from bots_api.api.inputs import AcceptingInput, PlayTokenInput, ReasonedInput, RotationInput
from bots_api.api.serializers import (
    NewTokenSerializer,
    SecretSerializer,
    TokenSerializer,
    VersionDetailSerializer,
)
from bots_api.models import ApiToken, BotVersion
from bots_api.pull.presence import set_accepting
from bots_api.services import end_rotation, retire, rotate_secret
from bots_api.services.signing import SecretRefused
from bots_api.tokens import TokenRefused, make_token, revoke
from matches.api.idempotency import KEY_PARAMETER, ShownOnce, idempotent
from matches.api.limits import limited
from matches.api.problems import NOT_FOUND
from matches.api.writing import DENIED, WRITING, Refused, WritingView, refusals
from matches.permissions import ByScope, Scope, holds


def _told(request: Request, version: BotVersion) -> Response:
    return Response(VersionDetailSerializer(version, context={"for_owner": sees_own_side(request, version)}).data)


class VersionDetail(APIView):
    @extend_schema(
        operation_id="versions_get",
        summary="A version of a program",
        description="`own` is for its owner with a token that has `bot:write`.",
        responses={200: VersionDetailSerializer, **NOT_FOUND},
    )
    def get(self, request: Request, version_id: str) -> Response:
        return _told(request, find_version(version_id))


class OwnersView(WritingView):
    """What its owner alone may do to a version."""

    permission_classes = [ByScope]
    scopes = dict.fromkeys(("GET", "POST", "PUT", "DELETE"), OWNERS)


class Retirement(OwnersView):
    @extend_schema(
        operation_id="versions_retire",
        summary="Retire a version for good",
        description="Its parties that run are played on; it sits down to no other. Twice is as good as once.",
        request=ReasonedInput,
        parameters=[KEY_PARAMETER],
        responses={200: VersionDetailSerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, version_id: str) -> Response:
        version = own_version(request, version_id)
        retire(version, self.read(ReasonedInput, request)["reason"] or "retired by its owner")
        return _told(request, find_version(version_id))


class Accepting(OwnersView):
    @extend_schema(
        operation_id="versions_accepting",
        summary="Drain a version, or let it take matches again",
        request=AcceptingInput,
        parameters=[KEY_PARAMETER],
        responses={200: VersionDetailSerializer, **WRITING},
    )
    @idempotent
    def put(self, request: Request, version_id: str) -> Response:
        version = own_version(request, version_id)
        set_accepting(version.pk, self.read(AcceptingInput, request)["accepting"])
        return _told(request, find_version(version_id))


class Secret(OwnersView):
    @extend_schema(
        operation_id="versions_rotate_secret",
        summary="Change the signing secret",
        description="Messages carry both signatures for so many hours, so that the program changes over without a "
        "fault. The new secret is shown in this answer alone.",
        request=RotationInput,
        parameters=[KEY_PARAMETER],
        responses={200: SecretSerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, version_id: str) -> Response:
        version = own_version(request, version_id)
        hours = self.read(RotationInput, request)["hours"]
        if version.is_pull:
            raise Refused("A version that calls us gets no signed messages; its tokens are what it shows.", "no_secret")
        with refusals(SecretRefused):
            secret = rotate_secret(version, hours)
        told = SecretSerializer({"secret": secret, "old_secret_until": version.old_secret_until})
        return ShownOnce(told.data, ["secret"])

    @extend_schema(
        operation_id="versions_end_rotation",
        summary="Sign with the new secret alone from now on",
        parameters=[KEY_PARAMETER],
        responses={204: None, **WRITING},
    )
    @idempotent
    def delete(self, request: Request, version_id: str) -> Response:
        end_rotation(own_version(request, version_id))
        return Response(status=204)


@extend_schema_view(
    get=extend_schema(
        operation_id="versions_tokens_list",
        summary="Tokens of a version, newest first",
        responses={200: TokenSerializer(many=True), **DENIED, **NOT_FOUND},
    )
)
class PlayTokenList(OwnersView, generics.ListAPIView):
    serializer_class = TokenSerializer
    queryset = ApiToken.objects.none()  # for the schema alone

    def get_queryset(self) -> QuerySet[ApiToken]:
        return ApiToken.objects.filter(version=private_version(self.request, self.kwargs["version_id"]))

    @extend_schema(
        operation_id="versions_tokens_create",
        summary="Make a token with which a version plays",
        description="Two of a version live at most, so that one can take over from the other. It opens nothing but "
        "this version's play, and its log if you say so with a token that reads logs itself.",
        request=PlayTokenInput,
        parameters=[KEY_PARAMETER],
        responses={201: NewTokenSerializer, **WRITING},
    )
    @idempotent
    @limited("tokens")
    def post(self, request: Request, version_id: str) -> Response:
        version = own_version(request, version_id)
        given = self.read(PlayTokenInput, request)
        if Scope.LOGS_READ in given["scopes"]:
            holds(request, Scope.LOGS_READ)  # a token makes none that opens what it does not open itself
        with refusals(TokenRefused):
            token, text = make_token(request.user, given["name"], given["scopes"], given["days"], version)
        return ShownOnce({**TokenSerializer(token).data, "token": text}, ["token"], status=201)


class PlayToken(OwnersView):
    @extend_schema(
        operation_id="versions_tokens_revoke",
        summary="Revoke a token of a version",
        description="The next request with it is refused, and a stream that was opened with it ends within a second.",
        parameters=[KEY_PARAMETER],
        responses={204: None, **WRITING},
    )
    @idempotent
    def delete(self, request: Request, version_id: str, token_id: str) -> Response:
        token = ApiToken.objects.filter(version=own_version(request, version_id), public_id=token_id).first()
        if token is None:
            raise NotFound(f"There is no token {token_id} here.")
        revoke(token)
        return Response(status=204)
