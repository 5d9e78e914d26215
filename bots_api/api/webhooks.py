"""Webhooks of one's own: registered, changed, removed; what they were sent, and sent once more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import generics, serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from bots_api.api import examples
from bots_api.api.examples import answers, takes
from bots_api.api.inputs import NoInput
from bots_api.models import Webhook, WebhookDelivery, WebhookEvent
from bots_api.webhooks import services
from bots_api.webhooks.services import LONGEST_URL, WebhookRefused
from matches.api.idempotency import KEY_PARAMETER, ShownOnce, idempotent
from matches.api.inputs import Strict
from matches.api.limits import limited
from matches.api.problems import NOT_FOUND
from matches.api.writing import DENIED, WRITING, Refused, WritingView, one_of
from matches.permissions import ByScope, Scope

OWNERS = (Scope.COMP_ADMIN,)
CUP = {field: examples.WEBHOOK[field] for field in ("url", "events", "tournament")}


@takes(switched_off={"is_active": False})
class WebhookChanges(Strict):
    url = serializers.CharField(max_length=LONGEST_URL, required=False)
    events = serializers.ListField(
        child=serializers.ChoiceField(WebhookEvent.values), min_length=1, max_length=10, required=False
    )
    tournament = serializers.CharField(
        max_length=24, required=False, allow_blank=True, help_text="`t_…`: its news alone; empty: everybody's"
    )
    is_active = serializers.BooleanField(required=False)


@takes(what_a_club_s_site_wants_to_know_of_its_cup=CUP)
class WebhookInput(Strict):
    url = serializers.CharField(max_length=LONGEST_URL, help_text="where we send it, by POST")
    events = serializers.ListField(
        child=serializers.ChoiceField(WebhookEvent.values), min_length=1, max_length=10, help_text="what it is told"
    )
    tournament = serializers.CharField(
        max_length=24,
        required=False,
        default="",
        allow_blank=True,
        help_text="`t_…`: its news alone; empty: everybody's",
    )


@answers(examples.WEBHOOK)
class WebhookSerializer(serializers.ModelSerializer):
    """`reason`: why it is switched off. `failing_since`: nothing good has come back since then."""

    id = serializers.CharField(source="public_id")
    events = serializers.ListField(child=serializers.ChoiceField(WebhookEvent.values))

    class Meta:
        model = Webhook
        fields = ["id", "url", "events", "tournament", "is_active", "reason", "failing_since", "created_at"]


@answers(examples.NEW_WEBHOOK)
class NewWebhookSerializer(WebhookSerializer):
    """`secret`: what its messages are signed with, as Standard Webhooks has it. Shown in this answer alone; null where
    the same request is told again."""

    secret = serializers.CharField(allow_null=True)

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]


@answers({"secret": examples.SECRET})
class WebhookSecretSerializer(serializers.Serializer):
    secret = serializers.CharField(
        allow_null=True, help_text="signs from now on; shown in this answer alone, null where it is told again"
    )


@answers(examples.SENT)
class SentSerializer(serializers.ModelSerializer):
    """What one webhook is or was owed. `id` goes with every try as `webhook-id`, `body` byte for byte.

    `next_try_at`: null once it has arrived, or is given up.
    """

    id = serializers.CharField(source="public_id")
    body = serializers.SerializerMethodField()

    class Meta:
        model = WebhookDelivery
        fields = [
            "id",
            "event",
            "body",
            "attempts",
            "created_at",
            "delivered_at",
            "next_try_at",
            "last_tried_at",
            "last_status",
            "last_detail",
            "last_reply",
        ]

    @extend_schema_field(serializers.DictField())
    def get_body(self, delivery: WebhookDelivery) -> Any:
        return json.loads(delivery.body)


@contextmanager
def refused() -> Iterator[None]:
    """Tells a refusal as a problem: of the field that it names, of what is gone meanwhile, else of the state."""
    try:
        yield
    except WebhookRefused as refusal:
        if refusal.code == "removed":
            raise NotFound(str(refusal)) from refusal
        if refusal.field:
            raise ValidationError({refusal.field: str(refusal)}, refusal.code) from refusal
        raise Refused(str(refusal), refusal.code) from refusal


class OwnersView(WritingView):
    permission_classes = [ByScope]
    scopes = dict.fromkeys(("GET", "POST", "PATCH", "DELETE"), OWNERS)

    def found(self, request: Request, webhook_id: str) -> Webhook:
        """One's own webhook; raises NotFound for any other."""
        return one_of(Webhook.objects.filter(owner=request.user), webhook_id, "webhook")


@extend_schema_view(
    get=extend_schema(
        operation_id="webhooks_list",
        summary="Your webhooks, newest first",
        responses={200: WebhookSerializer(many=True), **DENIED},
    )
)
class WebhookList(OwnersView, generics.ListAPIView):
    serializer_class = WebhookSerializer
    queryset = Webhook.objects.none()  # for the schema alone

    def get_queryset(self) -> QuerySet[Webhook]:
        return Webhook.objects.filter(owner=self.request.user)

    @extend_schema(
        operation_id="webhooks_create",
        summary="Have an address told of events",
        description="What everybody may know, signed as Standard Webhooks has it, at least once each: "
        '`{"type": "match.finished", "timestamp": "…", "data": {…}}`. What does not arrive is sent again, with growing '
        "pauses, for two days; 410 ends it, and so do three days in which nothing arrives. The first is a `ping`, at "
        "once: `deliveries` shows what came of it.",
        request=WebhookInput,
        parameters=[KEY_PARAMETER],
        responses={201: NewWebhookSerializer, **WRITING},
    )
    @idempotent
    @limited("webhooks")
    def post(self, request: Request) -> Response:
        given = self.read(WebhookInput, request)
        with refused():
            made, secret = services.add(request.user, given["url"], given["events"], given["tournament"])
        return ShownOnce({**WebhookSerializer(made).data, "secret": secret}, ["secret"], status=201)


class WebhookOne(OwnersView):
    @extend_schema(
        operation_id="webhooks_get", summary="A webhook", responses={200: WebhookSerializer, **DENIED, **NOT_FOUND}
    )
    def get(self, request: Request, webhook_id: str) -> Response:
        return Response(WebhookSerializer(self.found(request, webhook_id)).data)

    @extend_schema(
        operation_id="webhooks_change",
        summary="Change a webhook, switch it off or on",
        description="Only the fields that are sent. One that is switched on again is told of what happens then.",
        request=WebhookChanges,
        parameters=[KEY_PARAMETER],
        responses={200: WebhookSerializer, **WRITING},
    )
    @idempotent
    def patch(self, request: Request, webhook_id: str) -> Response:
        webhook = self.found(request, webhook_id)
        given = self.read(WebhookChanges, request)
        with refused():
            changed = services.change(webhook, **given)
        return Response(WebhookSerializer(changed).data)

    @extend_schema(
        operation_id="webhooks_remove",
        summary="Remove a webhook with its log",
        parameters=[KEY_PARAMETER],
        responses={204: None, **WRITING},
    )
    @idempotent
    def delete(self, request: Request, webhook_id: str) -> Response:
        services.remove(self.found(request, webhook_id))
        return Response(status=204)


class WebhookPing(OwnersView):
    @extend_schema(
        operation_id="webhooks_ping",
        summary="Try a webhook",
        description='Sends it `{"type": "ping", …}` soon after this answer, as it sends everything; `deliveries` shows '
        "what came of it. While one has not arrived, that one is sent again.",
        request=NoInput,
        parameters=[KEY_PARAMETER],
        responses={202: SentSerializer, **WRITING},
    )
    @idempotent
    @limited("resends")
    def post(self, request: Request, webhook_id: str) -> Response:
        webhook = self.found(request, webhook_id)
        self.read(NoInput, request)
        with refused():
            owed = services.ping(webhook)
        return Response(SentSerializer(owed).data, status=202)


class WebhookSecret(OwnersView):
    @extend_schema(
        operation_id="webhooks_rotate_secret",
        summary="Change the secret of a webhook",
        description="The new one signs at once. What your side refuses until it knows it is sent again.",
        request=NoInput,
        parameters=[KEY_PARAMETER],
        responses={200: WebhookSecretSerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, webhook_id: str) -> Response:
        webhook = self.found(request, webhook_id)
        self.read(NoInput, request)
        with refused():
            secret = services.rotate(webhook)
        return ShownOnce({"secret": secret}, ["secret"])


@extend_schema_view(
    get=extend_schema(
        operation_id="webhooks_deliveries_list",
        summary="What a webhook was sent and is owed, newest first",
        responses={200: SentSerializer(many=True), **DENIED, **NOT_FOUND},
    )
)
class SentList(OwnersView, generics.ListAPIView):
    serializer_class = SentSerializer
    queryset = WebhookDelivery.objects.none()  # for the schema alone

    def get_queryset(self) -> QuerySet[WebhookDelivery]:
        return self.found(self.request, self.kwargs["webhook_id"]).deliveries.all()


class SentAgain(OwnersView):
    @extend_schema(
        operation_id="webhooks_deliveries_again",
        summary="Send a delivery once more",
        description="Soon after this answer, with the same id and body, whatever became of it before, and with all "
        "its tries before it. Nothing changes while it is due all the same.",
        request=NoInput,
        parameters=[KEY_PARAMETER],
        responses={202: SentSerializer, **WRITING},
    )
    @idempotent
    @limited("resends")
    def post(self, request: Request, webhook_id: str, delivery_id: str) -> Response:
        own = self.found(request, webhook_id).deliveries.all()
        self.read(NoInput, request)
        with refused():
            owed = services.send_again(one_of(own, delivery_id, "delivery"))
        return Response(SentSerializer(owed).data, status=202)
