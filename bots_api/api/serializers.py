"""Programs as the public may see them, and apart from that what is their owners' alone."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from bots_api.api import examples
from bots_api.api.examples import answers
from bots_api.models import ApiToken, Bot, BotVersion, Delivery, Qualification, QualificationCase
from bots_api.stats import Reason
from matches.models import Agent


class VersionSerializer(serializers.ModelSerializer):
    """`kind`: `push`, a program that we call at its address, or `pull`, one that calls us."""

    id = serializers.CharField(source="public_id")

    class Meta:
        model = Agent
        fields = ["id", "label", "kind", "status", "created_at"]


@answers(examples.BOT)
class BotSerializer(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    name = serializers.CharField(source="player.name")
    player = serializers.CharField(source="player.public_id")
    owner = serializers.CharField(source="player.owner.username")
    versions = VersionSerializer(many=True, source="player.agents")

    class Meta:
        model = Bot
        fields = ["id", "name", "player", "owner", "about", "challenges", "versions", "created_at"]


class OwnVersionSerializer(serializers.ModelSerializer):
    """What only its owner reads of a version. `url` is empty for one that calls us."""

    reason = serializers.CharField(source="agent.status_reason", help_text="why the status is what it is")
    accepting = serializers.BooleanField(source="is_accepting", help_text="false: drained")
    ready = serializers.BooleanField(source="agent.is_ready", help_text="false: its matches wait to be begun")
    seen_at = serializers.SerializerMethodField(help_text="when one that calls us was last heard of")

    class Meta:
        model = BotVersion
        fields = ["url", "reason", "accepting", "ready", "seen_at", "old_secret_until"]

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_seen_at(self, version: BotVersion) -> Any:
        presence = getattr(version.agent, "presence", None)
        return presence.seen_at if presence else None


@answers(examples.VERSION_DETAIL)
class VersionDetailSerializer(serializers.ModelSerializer):
    """`own` is null for everybody but the owner, who asks with a token that has `bot:write`."""

    id = serializers.CharField(source="agent.public_id")
    bot = serializers.CharField(source="bot.public_id")
    name = serializers.CharField(source="bot.player.name")
    label = serializers.CharField(source="agent.label")
    kind = serializers.CharField(source="agent.kind")
    status = serializers.ChoiceField(Agent._meta.get_field("status").choices, source="agent.status")
    own = serializers.SerializerMethodField()

    class Meta:
        model = BotVersion
        fields = ["id", "bot", "name", "label", "kind", "status", "created_at", "own"]

    @extend_schema_field(OwnVersionSerializer(allow_null=True))
    def get_own(self, version: BotVersion) -> Any:
        return OwnVersionSerializer(version).data if self.context.get("for_owner") else None


@answers(examples.NEW_VERSION)
class NewVersionSerializer(VersionDetailSerializer):
    """`secret` is shown this once, null for a version that calls us and whenever the answer is told again."""

    secret = serializers.CharField(allow_null=True, help_text="`whsec_…`, with which our messages are signed")

    class Meta(VersionDetailSerializer.Meta):
        fields = [*VersionDetailSerializer.Meta.fields, "secret"]


@answers(examples.ROTATED)
class SecretSerializer(serializers.Serializer):
    """`secret` is shown this once, null whenever the answer is told again."""

    secret = serializers.CharField(allow_null=True)
    old_secret_until = serializers.DateTimeField(help_text="until then messages carry both signatures")


@answers(examples.TOKEN)
class TokenSerializer(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    scopes = serializers.ListField(child=serializers.CharField())

    class Meta:
        model = ApiToken
        fields = ["id", "name", "hint", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at"]


@answers(examples.NEW_TOKEN)
class NewTokenSerializer(TokenSerializer):
    """`token` is shown this once, null whenever the answer is told again."""

    token = serializers.CharField(allow_null=True, help_text="`mnl_…`")

    class Meta(TokenSerializer.Meta):
        fields = [*TokenSerializer.Meta.fields, "token"]


class CaseSerializer(serializers.ModelSerializer):
    """Request and reply are kept where the case did not simply pass."""

    class Meta:
        model = QualificationCase
        fields = ["number", "code", "outcome", "detail", "request", "reply", "elapsed_ms"]


@answers(examples.QUALIFICATION)
class QualificationSerializer(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    cases = CaseSerializer(many=True)

    class Meta:
        model = Qualification
        fields = ["id", "status", "reason", "created_at", "started_at", "finished_at", "cases"]


@answers(examples.DELIVERY)
class DeliverySerializer(serializers.ModelSerializer):
    """One message to a version and what came of it: `outcome` is `ok` or what went wrong.

    `attempt`: a decision may be asked twice. Request and reply are whole where something went wrong, else empty.
    """

    class Meta:
        model = Delivery
        fields = [
            "message_id",
            "message",
            "seq",
            "game",
            "attempt",
            "outcome",
            "detail",
            "status",
            "elapsed_ms",
            "action",
            "note",
            "request",
            "reply",
            "sent_at",
        ]


class WaitingSerializer(serializers.Serializer):
    """Why a version plays nothing, or that it does."""

    due = serializers.IntegerField(help_text="matches of its that could be begun or gone on with now")
    ahead = serializers.IntegerField(help_text="others' matches that come before the first of them")
    running = serializers.IntegerField()
    reason = serializers.ChoiceField([reason.value for reason in Reason])


@answers(examples.STATS)
class StatsSerializer(serializers.Serializer):
    """Of a version's decisions in the last seven days, at most 10 000 messages; times are of good answers."""

    decisions = serializers.IntegerField()
    p50_ms = serializers.IntegerField(allow_null=True)
    p95_ms = serializers.IntegerField(allow_null=True)
    faults = serializers.DictField(child=serializers.IntegerField(), help_text="by cause")
    fault_rate_bp = serializers.IntegerField(help_text="in basis points: 10000 is every decision")
    waiting = WaitingSerializer()
