"""Tournaments as the public may see them. Match points are in quarters (a win is 4), so that everything is whole."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.models import Entry, EntryMember, Pairing, PairingSeat, Round, StandingsSnapshot, Tournament


class MemberSerializer(serializers.ModelSerializer):
    """Who plays for an entry; a single member of a pair plays both hands."""

    player = serializers.CharField(source="player.public_id")
    name = serializers.CharField(source="player.name")
    version = serializers.CharField(source="agent.public_id")
    label = serializers.CharField(source="agent.label")

    class Meta:
        model = EntryMember
        fields = ["player", "name", "version", "label"]


class EntrySerializer(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    members = MemberSerializer(many=True)

    class Meta:
        model = Entry
        fields = ["id", "number", "name", "members", "status"]


class TournamentSerializer(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    organiser = serializers.CharField(source="organiser.username")
    overrides = serializers.JSONField(source="match_overrides")
    table = serializers.CharField(source="table_kind", help_text="`2`, `3`, `4` each for himself, or `pairs`")

    class Meta:
        model = Tournament
        fields = [
            "id",
            "slug",
            "name",
            "description",
            "organiser",
            "status",
            "rules",
            "overrides",
            "table",
            "boards",
            "deals",
            "control",
            "rated",
            "created_at",
            "started_at",
            "finished_at",
        ]


class TournamentDetailSerializer(TournamentSerializer):
    entries = EntrySerializer(many=True)

    class Meta(TournamentSerializer.Meta):
        fields = [*TournamentSerializer.Meta.fields, "entries"]


class TrailStepSerializer(serializers.Serializer):
    """How many were level before and after a criterion; the value of `points` and `head_to_head` is in quarters."""

    criterion = serializers.CharField()
    value = serializers.IntegerField(allow_null=True)
    tied_before = serializers.IntegerField()
    tied_after = serializers.IntegerField()


class RowSerializer(serializers.Serializer):
    """One line of the standings; `trail` says what each criterion saw.

    `points` are in quarters, so that shared places stay whole: at a table of two sides a win is 4 and a draw 2 each, at
    three 12, 6, 0, at four 12, 8, 4, 0 by place; divide by 4 to show them.
    """

    entry = serializers.CharField()
    name = serializers.CharField()
    place = serializers.IntegerField()
    played = serializers.IntegerField()
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()
    places = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="how often first, second, … at its tables, a shared place counted as that place; empty before the "
        "first result of the tournament",
    )
    points = serializers.IntegerField(help_text="quarter points: 14 is shown as 3½")
    card_points_for = serializers.IntegerField()
    card_points_against = serializers.IntegerField(help_text="of all others at the same tables")
    difference = serializers.IntegerField(help_text="of card points to each of the others, added up")
    trail = TrailStepSerializer(many=True)


class SnapshotSerializer(serializers.ModelSerializer):
    rows = RowSerializer(many=True)

    class Meta:
        model = StandingsSnapshot
        fields = ["number", "matches_counted", "matches_total", "sha256", "published_at", "rows"]


class StandingsSerializer(serializers.Serializer):
    """`published` is the newest snapshot, null before the first; `live` is the table as it stands now."""

    published = SnapshotSerializer(allow_null=True)
    live = RowSerializer(many=True)


class PairingSeatSerializer(serializers.ModelSerializer):
    """One entry's place; in pairs `seat` counts the pairs, whose members have two seats of the match each."""

    entry = serializers.CharField(source="entry.public_id", allow_null=True, default=None)

    class Meta:
        model = PairingSeat
        fields = ["seat", "side", "state", "entry"]


class PairingSerializer(serializers.ModelSerializer):
    table = serializers.IntegerField(source="number")
    match = serializers.CharField(source="match.public_id", allow_null=True, default=None)
    seats = PairingSeatSerializer(many=True)

    class Meta:
        model = Pairing
        fields = ["table", "status", "match", "seats"]


class RoundSerializer(serializers.ModelSerializer):
    stage = serializers.IntegerField(source="stage.number")
    pairings = PairingSerializer(many=True)

    class Meta:
        model = Round
        fields = ["stage", "number", "status", "pairings"]
