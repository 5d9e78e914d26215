"""Tournaments as the public may see them. Match points are in quarters (a win is 4), so that everything is whole."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from matches.core.plan import Length
from matches.models import ScoreReport
from tournaments.models import (
    AskedBye,
    Entry,
    EntryMember,
    Stage,
    StandingsSnapshot,
    Tournament,
    TournamentEvent,
    Venue,
)

LENGTHS = [one.value for one in Length]


class MemberSerializer(serializers.ModelSerializer):
    """Who plays for an entry; a single member of a pair plays both hands."""

    player = serializers.CharField(source="player.public_id")
    name = serializers.CharField(source="player.name")
    version = serializers.CharField(source="agent.public_id")
    label = serializers.CharField(source="agent.label")
    stands_by = serializers.SerializerMethodField(help_text="until he is brought in as a substitute")

    class Meta:
        model = EntryMember
        fields = ["player", "name", "version", "label", "stands_by"]

    def get_stands_by(self, member: EntryMember) -> bool:
        return member.entry.hands is not None and member.position >= member.entry.hands


class AskedByeSerializer(serializers.ModelSerializer):
    """A round that is to be sat out, or was."""

    stage = serializers.IntegerField(source="stage_number")
    round = serializers.IntegerField(source="round_number")
    kind = serializers.CharField(help_text="`half_bye`, `zero_bye`")

    class Meta:
        model = AskedBye
        fields = ["stage", "round", "kind"]


class EntrySerializer(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    members = MemberSerializer(many=True)
    asked_byes = AskedByeSerializer(many=True)

    class Meta:
        model = Entry
        fields = [
            "id",
            "number",
            "name",
            "members",
            "status",
            "club",
            "rating",
            "joined_round",
            "checked_in_at",
            "asked_byes",
        ]


class TournamentSerializer(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    organiser = serializers.CharField(source="organiser.username")
    overrides = serializers.JSONField(source="match_overrides")
    table = serializers.CharField(source="table_kind", help_text="`2`, `3`, `4` each for himself, or `pairs`")
    length = serializers.ChoiceField(LENGTHS, help_text="what the number of boards means")
    lots_commitment = serializers.CharField(
        help_text="SHA-256 of the seed of the lots; each round shows the seed of its own"
    )
    venue = serializers.CharField(source="venue.name", allow_null=True, default=None)
    is_by_the_rules = serializers.BooleanField(help_text="until a draw is first changed by hand")

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
            "length",
            "boards",
            "deals",
            "control",
            "strict",
            "entries_are",
            "count",
            "win_points",
            "draw_points",
            "loss_points",
            "tie_breaks",
            "auto_draw",
            "late_until_round",
            "is_by_the_rules",
            "lots_commitment",
            "rated",
            "auto_publish",
            "venue",
            "starts_at",
            "created_at",
            "started_at",
            "finished_at",
        ]


class StageSerializer(serializers.ModelSerializer):
    """A part of a tournament with one format; `settings` are the format's own, `takes` who goes on to it."""

    settings = serializers.JSONField()
    takes = serializers.JSONField()
    length = serializers.ChoiceField(LENGTHS, allow_blank=True, help_text="empty: the tournament's")

    class Meta:
        model = Stage
        fields = [
            "number",
            "name",
            "format",
            "settings",
            "status",
            "seeding",
            "takes",
            "carries_points",
            "protected_rounds",
            "length",
            "boards",
            "deals",
            "started_at",
            "finished_at",
        ]


class TournamentDetailSerializer(TournamentSerializer):
    entries = EntrySerializer(many=True)
    stages = StageSerializer(many=True)

    class Meta(TournamentSerializer.Meta):
        fields = [*TournamentSerializer.Meta.fields, "stages", "entries"]


class WhyNotSerializer(serializers.Serializer):
    troubles = serializers.ListField(
        child=serializers.CharField(), help_text="sentences that say what to do; empty if the plan can be played"
    )


class TrailStepSerializer(serializers.Serializer):
    """How many were level before and after a criterion, and the value that it gave."""

    criterion = serializers.CharField()
    value = serializers.IntegerField(allow_null=True)
    tied_before = serializers.IntegerField()
    tied_after = serializers.IntegerField()


class RowSerializer(serializers.Serializer):
    """One line of the standings; `trail` says what each criterion saw, for as long as the entry was level with others.

    `points` are in quarters, so that shared places stay whole: at a table of two sides a win is 4 and a draw 2 each, at
    three 12, 6, 0, at four 12, 8, 4, 0 by place, unless the tournament counts otherwise; divide by 4 to show them.
    `values` are those of the `criteria`, in their order, each in its own unit: whole numbers that say more by being
    larger, but for `lot`.
    """

    entry = serializers.CharField()
    number = serializers.IntegerField(help_text="in the stage")
    group = serializers.IntegerField(allow_null=True)
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
    points = serializers.IntegerField(help_text="quarter points, carried ones among them: 14 is shown as 3½")
    card_points_for = serializers.IntegerField()
    card_points_against = serializers.IntegerField(help_text="of all others at the same tables")
    difference = serializers.IntegerField(help_text="of card points to each of the others, added up")
    criteria = serializers.ListField(child=serializers.CharField())
    values = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    level = serializers.ListField(
        child=serializers.IntegerField(), help_text="with how many it was level before the first criterion, after each"
    )
    trail = TrailStepSerializer(many=True)


@extend_schema_field(RowSerializer(many=True))
class StoredRows(serializers.JSONField):
    """Rows as they were published, byte by byte: those of earlier days may lack what came later."""


class SnapshotSerializer(serializers.ModelSerializer):
    rows = StoredRows()
    stage = serializers.IntegerField(source="stage.number", allow_null=True, default=None)

    class Meta:
        model = StandingsSnapshot
        fields = [
            "number",
            "stage",
            "after_round",
            "matches_counted",
            "matches_total",
            "sha256",
            "published_at",
            "rows",
        ]


class StandingsSerializer(serializers.Serializer):
    """`published` is the newest snapshot, null before the first; `live` is the table as it stands now."""

    published = SnapshotSerializer(allow_null=True)
    live = RowSerializer(many=True)


class VenueSerializer(serializers.ModelSerializer):
    """A hall by its name, with its tables, the best games at the first."""

    tables = serializers.SlugRelatedField("name", many=True, read_only=True)

    class Meta:
        model = Venue
        fields = ["name", "address", "time_zone", "tables"]


class ReportSerializer(serializers.ModelSerializer):
    """One version of how a match ended; one of a match is confirmed at the most."""

    points = serializers.ListField(child=serializers.IntegerField(), help_text="per side, in the match's unit")
    parties = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    absent = serializers.ListField(child=serializers.IntegerField(), help_text="sides that did not come")
    submitter = serializers.CharField(source="submitter.username", allow_null=True, default=None)

    class Meta:
        model = ScoreReport
        fields = [
            "version",
            "kind",
            "status",
            "side",
            "points",
            "parties",
            "absent",
            "reason",
            "submitter",
            "created_at",
        ]


class ChangeSerializer(serializers.Serializer):
    """One thing that a correction brings with it, as a code and what goes with it.

    `place` (entry, stage, before, after); `round_rests` (stage, round): a later draw was made from the result and
    stands; `cut_stands` (stage): a later stage was seeded from it and stands; `seat` (stage, round, table, seat, entry
    before, entry after) of a bracket; `match_void` and `played_void` (match, stage, round, table): made anew with
    others; `reopened` (status of the tournament before).
    """

    code = serializers.CharField()
    values = serializers.JSONField()


class PreviewSerializer(serializers.Serializer):
    """What follows from a correction. `needs_replay`: matches that were played would be void."""

    changes = ChangeSerializer(many=True)
    needs_replay = serializers.BooleanField()


class PartSerializer(serializers.Serializer):
    """One number behind a value: the value is the sum of the parts that are not cut.

    `round` is 0 for points brought along; `opponents` are numbers in the stage; `score` theirs, `points` one's own.
    """

    round = serializers.IntegerField()
    value = serializers.IntegerField()
    opponents = serializers.ListField(child=serializers.IntegerField())
    category = serializers.CharField()
    points = serializers.IntegerField()
    score = serializers.IntegerField(allow_null=True)
    cut = serializers.CharField(allow_null=True)


class ExplanationSerializer(serializers.Serializer):
    """A cell of the standings with the numbers behind it."""

    criterion = serializers.CharField()
    value = serializers.IntegerField(allow_null=True)
    parts = PartSerializer(many=True)


class EventSerializer(serializers.ModelSerializer):
    """One thing that was done to a tournament, by whom."""

    actor = serializers.CharField(source="actor.username", allow_null=True, default=None)
    payload = serializers.JSONField()

    class Meta:
        model = TournamentEvent
        fields = ["kind", "actor", "payload", "created_at"]
