"""Bodies of the requests that write programs, each field with what it may be."""

from __future__ import annotations

from rest_framework import serializers

from bots_api.api.examples import takes
from bots_api.models import ChallengePolicy
from bots_api.services.registering import LONGEST_ABOUT
from bots_api.services.signing import ROTATION_HOURS
from bots_api.tokens import LONGEST_DAYS, LONGEST_NAME, PLAYING
from matches.api.inputs import Strict
from matches.core.names import LONGEST
from matches.permissions import Scope

MOST_HOURS = 7 * 24


@takes(no_more_challenges={"challenges": "none"})
class BotChanges(Strict):
    about = serializers.CharField(max_length=LONGEST_ABOUT, required=False, allow_blank=True)
    challenges = serializers.ChoiceField(ChallengePolicy.choices, required=False)


@takes(a_program={"name": "Cheapest", "about": "Plays the card with the fewest points."})
class BotInput(BotChanges):
    """A program; its name stands in standings and never changes."""

    name = serializers.CharField(max_length=LONGEST)


@takes(that_calls_us={"label": "v1"}, that_we_call={"label": "v1", "url": "https://bot.example.org/play"})
class VersionInput(Strict):
    """A version, which never changes: what is different is another version."""

    label = serializers.CharField(max_length=40, help_text="such as `v1`: letters, digits, `.`, `_`, `+`, `-`")
    url = serializers.CharField(
        max_length=500,
        required=False,
        default="",
        allow_blank=True,
        help_text="where we call it; without one it calls us, with a token of its own",
    )


@takes(another_takes_over={"reason": "v2 plays now"})
class ReasonedInput(Strict):
    reason = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


@takes(before_an_update={"accepting": False})
class AcceptingInput(Strict):
    accepting = serializers.BooleanField(help_text="false: it takes nothing new; what is due waits ten minutes for it")


@takes(two_days_for_the_change={"hours": 48})
class RotationInput(Strict):
    hours = serializers.IntegerField(
        min_value=1, max_value=MOST_HOURS, default=ROTATION_HOURS, help_text="so long both secrets are signed with"
    )


@takes(for_a_program_at_home={"name": "my laptop", "days": 90})
class PlayTokenInput(Strict):
    """A token with which one version plays, and reads its own log if `logs:read` is among the scopes."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    days = serializers.IntegerField(min_value=1, max_value=LONGEST_DAYS)
    scopes = serializers.ListField(
        child=serializers.ChoiceField([scope.value for scope in sorted(PLAYING)]),
        required=False,
        min_length=1,
        max_length=len(PLAYING),
        default=[Scope.BOT_PLAY.value],
    )


class NoInput(Strict):
    """No body, or an empty object."""
