"""Reading the register of programs. Addresses, secrets and logs are their owners' alone and are not here."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import generics, serializers

from bots_api.models import Bot
from matches.api.problems import NOT_FOUND
from matches.models import Agent


class VersionSerializer(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")

    class Meta:
        model = Agent
        fields = ["id", "label", "status", "created_at"]


class BotSerializer(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    name = serializers.CharField(source="player.name")
    player = serializers.CharField(source="player.public_id")
    owner = serializers.CharField(source="player.owner.username")
    versions = VersionSerializer(many=True, source="player.agents")

    class Meta:
        model = Bot
        fields = ["id", "name", "player", "owner", "about", "versions", "created_at"]


_BOTS = Bot.objects.select_related("player__owner").prefetch_related("player__agents")


@extend_schema_view(get=extend_schema(summary="Programs, newest first"))
class BotList(generics.ListAPIView):
    serializer_class = BotSerializer
    queryset = _BOTS


@extend_schema_view(get=extend_schema(summary="A program", responses={200: BotSerializer, **NOT_FOUND}))
class BotDetail(generics.RetrieveAPIView):
    serializer_class = BotSerializer
    queryset = _BOTS
    lookup_field = "public_id"
    lookup_url_kwarg = "bot_id"
