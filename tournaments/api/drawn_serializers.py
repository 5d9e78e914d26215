"""Rounds and their tables, as far as the reader may see them."""

from __future__ import annotations

from datetime import datetime

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.models import Feed, Pairing, PairingSeat, Round


class FeedSerializer(serializers.ModelSerializer):
    """From where a seat of a bracket is filled: a place at another table, or a number of the stage."""

    source = serializers.CharField(source="source.public_id", allow_null=True, default=None)

    class Meta:
        model = Feed
        fields = ["kind", "source", "place"]


class PairingSeatSerializer(serializers.ModelSerializer):
    """One entry's place; in pairs `seat` counts the pairs, whose members have two seats of the match each.

    `feed`: from where it is filled, in brackets.
    """

    entry = serializers.CharField(source="entry.public_id", allow_null=True, default=None)
    feed = FeedSerializer(allow_null=True, default=None)

    class Meta:
        model = PairingSeat
        fields = ["seat", "side", "state", "entry", "feed"]


class PairingSerializer(serializers.ModelSerializer):
    """One table; `reasons` say by codes with their numbers why these meet, `bye` of which kind it is for one alone.

    `starts_at`, `ends_at`, `venue_table`: as they are planned, null where they are not.
    """

    id = serializers.CharField(source="public_id")
    table = serializers.IntegerField(source="number")
    match = serializers.CharField(source="match.public_id", allow_null=True, default=None)
    reasons = serializers.JSONField()
    seats = PairingSeatSerializer(many=True)
    starts_at = serializers.SerializerMethodField()
    ends_at = serializers.SerializerMethodField()
    venue_table = serializers.SerializerMethodField()

    class Meta:
        model = Pairing
        fields = [
            "id",
            "table",
            "group",
            "status",
            "bye",
            "match",
            "reasons",
            "seats",
            "starts_at",
            "ends_at",
            "venue_table",
        ]

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_starts_at(self, pairing: Pairing) -> str | None:
        return next((_moment(one.during.lower) for one in pairing.sittings.all()), None)

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_ends_at(self, pairing: Pairing) -> str | None:
        return next((_moment(one.during.upper) for one in pairing.sittings.all()), None)

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_venue_table(self, pairing: Pairing) -> str | None:
        return next((one.table.name for one in pairing.sittings.all() if one.table), None)


def _moment(when: datetime) -> str | None:
    return serializers.DateTimeField().to_representation(when)


class RoundSerializer(serializers.ModelSerializer):
    """A round's draw; `lots` is the seed of its chance, by which anybody can draw it again."""

    id = serializers.CharField(source="public_id")
    stage = serializers.IntegerField(source="stage.number")
    pairings = PairingSerializer(many=True)

    class Meta:
        model = Round
        fields = [
            "id",
            "stage",
            "number",
            "part",
            "status",
            "status_reason",
            "audience",
            "engine",
            "lots",
            "starts_at",
            "minutes",
            "pairings",
        ]


class DrawCheckSerializer(serializers.Serializer):
    """What an organiser looks at before he confirms a draw.

    `violations`: what the round breaks, each a code with its numbers; `proposal`: the tables as the format drew them,
    by numbers in the stage; `changes`: what was put in their place, what differs, why, and by whom.
    """

    violations = serializers.JSONField()
    proposal = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()), allow_null=True)
    changes = serializers.JSONField(allow_null=True)


class TableMatchSerializer(serializers.Serializer):
    """The match that a table has now; null where it has none."""

    match = serializers.CharField(allow_null=True)
