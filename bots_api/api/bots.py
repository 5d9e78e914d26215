"""The register of programs, read by everybody; and one's own programs, registered and changed."""

from __future__ import annotations

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response

from bots_api.addresses import AddressRefused
from bots_api.api.finding import bots, own_bot
from bots_api.api.inputs import BotChanges, BotInput, VersionInput
from bots_api.api.serializers import BotSerializer, NewVersionSerializer, VersionDetailSerializer
from bots_api.models import Bot
from bots_api.services import BotRefused, add_version, change_bot, register_bot, shown_secret
from matches.api.idempotency import KEY_PARAMETER, ShownOnce, idempotent
from matches.api.limits import limited
from matches.api.problems import NOT_FOUND
from matches.api.writing import WRITING, WritingView, refusals
from matches.core.names import NameRefused
from matches.permissions import ByScope, Scope

OWNERS = (Scope.BOT_WRITE,)
REFUSALS = (BotRefused, NameRefused, AddressRefused)
MALFORMED = {
    **dict.fromkeys(("name_unseen", "name_missing", "name_long"), "name"),
    "bad_label": "label",
    "address_refused": "url",
}


@extend_schema_view(get=extend_schema(operation_id="bots_list", summary="Programs, newest first"))
class BotList(WritingView, generics.ListAPIView):
    serializer_class = BotSerializer
    permission_classes = [ByScope]
    scopes = {"POST": OWNERS}

    def get_queryset(self) -> QuerySet[Bot]:
        return bots()

    @extend_schema(
        operation_id="bots_create",
        summary="Register a program",
        request=BotInput,
        parameters=[KEY_PARAMETER],
        responses={201: BotSerializer, **WRITING},
    )
    @idempotent
    @limited("bots")
    def post(self, request: Request) -> Response:
        given = self.read(BotInput, request)
        with refusals(*REFUSALS, fields=MALFORMED):
            bot = register_bot(given.pop("name"), request.user, **given)
        return Response(BotSerializer(bot).data, status=201)


@extend_schema_view(
    get=extend_schema(operation_id="bots_get", summary="A program", responses={200: BotSerializer, **NOT_FOUND})
)
class BotDetail(WritingView, generics.RetrieveAPIView):
    serializer_class = BotSerializer
    permission_classes = [ByScope]
    scopes = {"PATCH": OWNERS}
    lookup_field = "public_id"
    lookup_url_kwarg = "bot_id"

    def get_queryset(self) -> QuerySet[Bot]:
        return bots()

    @extend_schema(
        operation_id="bots_change",
        summary="Change what is said of a program, and whether it takes challenges",
        request=BotChanges,
        parameters=[KEY_PARAMETER],
        responses={200: BotSerializer, **WRITING},
    )
    @idempotent
    def patch(self, request: Request, bot_id: str) -> Response:
        bot = own_bot(request, bot_id)
        with refusals(*REFUSALS):
            change_bot(bot, **self.read(BotChanges, request))
        return Response(BotSerializer(bot).data)


class VersionList(WritingView):
    permission_classes = [ByScope]
    scopes = {"POST": OWNERS}

    @extend_schema(
        operation_id="versions_create",
        summary="Register a version of a program",
        description="With an address it is called there, and its signing secret is shown in this answer alone. "
        "Without one it calls us: make it a token. It plays once it has passed its qualification.",
        request=VersionInput,
        parameters=[KEY_PARAMETER],
        responses={201: NewVersionSerializer, **WRITING},
    )
    @idempotent
    @limited("versions")
    def post(self, request: Request, bot_id: str) -> Response:
        bot = own_bot(request, bot_id)
        given = self.read(VersionInput, request)
        with refusals(*REFUSALS, fields=MALFORMED):
            version = add_version(bot, given["label"], given["url"])
        secret = None if version.is_pull else shown_secret(version)
        told = VersionDetailSerializer(version, context={"for_owner": True}).data
        return ShownOnce({**told, "secret": secret}, ["secret"], status=201)
