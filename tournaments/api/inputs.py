"""Bodies of the requests that write, each field with what it may be."""

from __future__ import annotations

from rest_framework import serializers

from matches.api.inputs import OverridesField, Strict
from matches.core.plan import Length
from tournaments.formats.lifecycle import Audience, Seeding
from tournaments.models import FORMATS, ByeKind, Tournament, Venue
from tournaments.services import drawing_up

ORGANISER = "organiser"


class TournamentInput(Strict, serializers.ModelSerializer):
    """What an organiser decides. After the start only name, description and auto_publish may change."""

    length = serializers.ChoiceField([one.value for one in Length], required=False)
    overrides = OverridesField(required=False)
    tie_breaks = serializers.ListField(child=serializers.CharField(max_length=40), max_length=40, required=False)
    venue = serializers.SlugRelatedField(
        "name", queryset=Venue.objects.all(), required=False, allow_null=True, help_text="by its name"
    )

    class Meta:
        model = Tournament
        fields = [name for name in drawing_up.DRAWN_UP if name != ORGANISER]

    def validate_slug(self, slug: str) -> str:
        if why := drawing_up.why_not_slug(slug):
            raise serializers.ValidationError(why, "taken")
        return slug


class ReasonInput(Strict):
    reason = serializers.CharField(max_length=200)


class FreeReasonInput(Strict):
    reason = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


class EntryInput(Strict):
    """A player, or in pairs two, or one whose program plays both hands; each plays with his newest active version."""

    players = serializers.ListField(
        child=serializers.CharField(max_length=30), min_length=1, max_length=8, help_text="public ids, `p_…`"
    )
    name = serializers.CharField(max_length=123, required=False, allow_null=True, default=None)
    club = serializers.CharField(max_length=60, required=False, default="", allow_blank=True)
    rating = serializers.IntegerField(min_value=0, max_value=10_000, required=False, allow_null=True, default=None)


class PersonInput(Strict):
    """Somebody of flesh and blood by his name; whoever is known here by it is entered, else he is made."""

    name = serializers.CharField(max_length=60)
    club = serializers.CharField(max_length=60, required=False, default="", allow_blank=True)
    rating = serializers.IntegerField(min_value=0, max_value=10_000, required=False, allow_null=True, default=None)


class RatingInput(Strict):
    rating = serializers.IntegerField(min_value=0, max_value=10_000, allow_null=True)


class SeedsInput(Strict):
    entries = serializers.ListField(
        child=serializers.CharField(max_length=30), max_length=10_000, help_text="all of them, the best seed first"
    )


class ByeInput(Strict):
    round = serializers.IntegerField(min_value=1, max_value=1_000)
    kind = serializers.ChoiceField([kind.value for kind in ByeKind], default=ByeKind.ZERO.value)


class RoundInput(Strict):
    round = serializers.IntegerField(min_value=1, max_value=1_000)


class SubstitutionInput(Strict):
    out = serializers.CharField(max_length=30, help_text="the member who leaves, `p_…`")
    into = serializers.CharField(max_length=30, help_text="who plays instead, `p_…`")


class StageInput(Strict):
    """A stage; `settings` are the format's own, what is left out keeps its default."""

    format = serializers.ChoiceField(FORMATS)
    name = serializers.CharField(max_length=60, required=False, allow_blank=True)
    settings = serializers.DictField(required=False)
    seeding = serializers.ChoiceField([one.value for one in Seeding], required=False)
    takes = serializers.DictField(required=False, help_text="who goes on from the stage before")
    carries_points = serializers.BooleanField(required=False)
    protected_rounds = serializers.IntegerField(min_value=0, max_value=100, required=False)
    length = serializers.ChoiceField([one.value for one in Length], required=False, allow_blank=True)
    boards = serializers.IntegerField(min_value=1, max_value=20, required=False, allow_null=True)
    deals = serializers.IntegerField(min_value=1, max_value=100, required=False, allow_null=True)


class NewStageInput(StageInput):
    position = serializers.IntegerField(
        min_value=1, max_value=100, required=False, help_text="in the chain, from 1; at its end if it is not said"
    )


class TimesInput(Strict):
    """When a round is played, and at which tables of the tournament's venue, in the order of the draw."""

    starts_at = serializers.DateTimeField()
    minutes = serializers.IntegerField(min_value=1, max_value=24 * 60)
    tables = serializers.ListField(
        child=serializers.CharField(max_length=20),
        max_length=5_000,
        required=False,
        help_text="by their names; the venue's own order if they are not said",
    )


class TablesInput(Strict):
    """A draw changed by hand: every table's entries in seat order; one entry alone has a bye."""

    tables = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField(max_length=30), min_length=1, max_length=4),
        max_length=5_000,
    )
    reason = serializers.CharField(max_length=200)


class ReleaseInput(Strict):
    audience = serializers.ChoiceField([one.value for one in Audience], default=Audience.PUBLIC.value)


class TakeBackInput(Strict):
    reason = serializers.CharField(max_length=200)
    even_played = serializers.BooleanField(default=False)


class ScoreInput(Strict):
    """A match's result, per side in seat order: what it was decided by, parties where they count, who did not come."""

    points = serializers.ListField(
        child=serializers.IntegerField(min_value=-1_000_000, max_value=1_000_000), min_length=2, max_length=4
    )
    parties = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=1_000), max_length=4, required=False, allow_null=True
    )
    absent = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=3), max_length=4, required=False, default=list
    )


class RulingInput(ScoreInput):
    reason = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


class CorrectionInput(ScoreInput):
    reason = serializers.CharField(max_length=200)
    even_played = serializers.BooleanField(
        default=False, help_text="whether later matches that are played already may be voided"
    )
