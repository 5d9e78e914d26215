"""Challenges by one's program: made, answered, taken back. Those concerned see them, and nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import generics, serializers
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from bots_api.api.examples import CHALLENGE, answers, takes
from bots_api.api.inputs import NoInput
from bots_api.challenges import services
from bots_api.challenges.errors import ChallengeRefused
from bots_api.challenges.reading import challenges_of, find_version, is_among_one_owners, own_seats
from bots_api.challenges.services import LONGEST_HOURS
from bots_api.models import Challenge, ChallengeSeat
from matches.api.idempotency import KEY_PARAMETER, idempotent
from matches.api.inputs import OverridesField, Strict
from matches.api.limits import limited
from matches.api.problems import NOT_FOUND
from matches.api.writing import DENIED, WRITING, Refused, WritingView, one_of
from matches.core.clocks import Control
from matches.core.plan import BOARD_DEALS, MOST_BOARDS, MOST_DEALS, Length
from matches.models import Agent
from matches.permissions import ByScope, Scope

CHALLENGERS = (Scope.CHALLENGE_CREATE,)
HOUSE = {"challenger": "b_4cXq7sUPlpV8jNnGhT2yZa", "opponents": ["house:greedy"], "boards": 1}
PAIRS = {
    "challenger": "v_9mB1rKQeYwD5tLxHf6uJcP",
    "opponents": ["b_0gTzWv3iRnXk8aEsQ5hCdM"],
    "rules": "klabor/pairs",
    "length": "parties",
    "boards": 3,
    "deals": None,
}
A_VERSION = "v_9mB1rKQeYwD5tLxHf6uJcP"


@takes(a_house_program_on_one_board_from_both_seats=HOUSE, in_pairs_each_playing_both_hands_of_its_side=PAIRS)
class ChallengeInput(Strict):
    """Who is asked to what. Programs are named by `v_…`, by `b_…` for the newest active version, or as the house's."""

    challenger = serializers.CharField(max_length=30, help_text="one of your own, `v_…` or `b_…`")
    opponents = serializers.ListField(
        child=serializers.CharField(max_length=60),
        min_length=1,
        max_length=3,
        help_text="whoever sits at the other seats, in their order: `v_…`, `b_…`, `house:greedy`, `greedy@1`; in pairs "
        "one alone plays both hands",
    )
    rules = serializers.CharField(max_length=40, required=False, default="moscow/2")
    overrides = OverridesField(required=False, default=dict)
    length = serializers.ChoiceField([one.value for one in Length], required=False, default=Length.BOARDS.value)
    boards = serializers.IntegerField(min_value=1, max_value=MOST_BOARDS, required=False, default=2)
    deals = serializers.IntegerField(
        min_value=1, max_value=MOST_DEALS, required=False, allow_null=True, default=BOARD_DEALS
    )
    control = serializers.ChoiceField([one.value for one in Control], required=False, default=Control.LADDER.value)
    strict = serializers.BooleanField(required=False, default=False)
    rated = serializers.BooleanField(required=False, default=False)
    hours = serializers.IntegerField(
        min_value=1, max_value=LONGEST_HOURS, required=False, default=24, help_text="so long it can be accepted"
    )


@takes(one_of_several={"version": A_VERSION})
class AcceptInput(Strict):
    version = serializers.CharField(
        max_length=30, required=False, default="", allow_blank=True, help_text="`v_…`; all of your own without it"
    )


@takes(with_a_reason={"version": A_VERSION, "reason": "It is being updated, ask tomorrow."})
class DeclineInput(AcceptInput):
    reason = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


class ChallengeSeatSerializer(serializers.ModelSerializer):
    player = serializers.CharField(source="agent.player.public_id")
    name = serializers.CharField(source="agent.player.name")
    version = serializers.CharField(source="agent.public_id")
    label = serializers.CharField(source="agent.label")

    class Meta:
        model = ChallengeSeat
        fields = ["index", "player", "name", "version", "label", "answer"]


@answers(CHALLENGE)
class ChallengeSerializer(serializers.ModelSerializer):
    """`match`: once everybody has accepted. `same_owner`: programs of one owner meet, which is never rated."""

    id = serializers.CharField(source="public_id")
    made_by = serializers.CharField(source="made_by.username")
    match = serializers.CharField(source="match.public_id", allow_null=True, default=None)
    length = serializers.ChoiceField([one.value for one in Length])
    same_owner = serializers.SerializerMethodField()
    seats = ChallengeSeatSerializer(many=True)

    class Meta:
        model = Challenge
        fields = [
            "id",
            "made_by",
            "status",
            "reason",
            "rules",
            "overrides",
            "length",
            "boards",
            "deals",
            "control",
            "strict",
            "rated",
            "same_owner",
            "seats",
            "match",
            "created_at",
            "expires_at",
        ]

    def get_same_owner(self, challenge: Challenge) -> bool:
        return is_among_one_owners(challenge)


class ChallengersView(WritingView):
    """A view for whoever has a token with `challenge:create`."""

    permission_classes = [ByScope]
    scopes = dict.fromkeys(("GET", "POST"), CHALLENGERS)

    def found(self, request: Request, challenge_id: str) -> Challenge:
        """A challenge that concerns the user; raises NotFound for any other."""
        return one_of(challenges_of(request.user), challenge_id, "challenge")

    def told(self, request: Request, challenge: Challenge, status: int = 200) -> Response:
        return Response(ChallengeSerializer(self.found(request, challenge.public_id)).data, status=status)


@contextmanager
def refused(*, by_field: bool = False) -> Iterator[None]:
    """Tells a refusal as a problem: of the field that it names, where the request has fields, else of the state."""
    try:
        yield
    except ChallengeRefused as refusal:
        if refusal.code == "not_yours":
            raise PermissionDenied(str(refusal), refusal.code) from refusal
        if by_field and refusal.field:
            raise ValidationError({refusal.field: str(refusal)}, refusal.code) from refusal
        raise Refused(str(refusal), refusal.code) from refusal


@extend_schema_view(
    get=extend_schema(
        operation_id="challenges_list",
        summary="Challenges that you made or are asked to, newest first",
        responses={200: ChallengeSerializer(many=True), **DENIED},
    )
)
class ChallengeList(ChallengersView, generics.ListAPIView):
    serializer_class = ChallengeSerializer
    queryset = Challenge.objects.none()  # for the schema alone

    def get_queryset(self) -> QuerySet[Challenge]:
        return challenges_of(self.request.user)

    @extend_schema(
        operation_id="challenges_create",
        summary="Challenge other programs with one of yours",
        description="House programs accept at once, and so does whoever has set his program so; then the match is "
        "drawn in this answer. It is played when no tournament waits.",
        request=ChallengeInput,
        parameters=[KEY_PARAMETER],
        responses={201: ChallengeSerializer, **WRITING},
    )
    @idempotent
    @limited("challenges")
    def post(self, request: Request) -> Response:
        given = self.read(ChallengeInput, request)
        with refused(by_field=True):
            challenger = find_version(given.pop("challenger"), "challenger")
            opponents = [find_version(told, "opponents") for told in given.pop("opponents")]
            plan = given | {"length": Length(given["length"]), "control": Control(given["control"])}
            made = services.challenge(request.user, challenger, opponents, **plan)
        return self.told(request, made, 201)


class ChallengeDetail(ChallengersView):
    @extend_schema(
        operation_id="challenges_get",
        summary="A challenge",
        responses={200: ChallengeSerializer, **DENIED, **NOT_FOUND},
    )
    def get(self, request: Request, challenge_id: str) -> Response:
        return self.told(request, self.found(request, challenge_id))


class AnsweringView(ChallengersView):
    def answering(self, request: Request, challenge: Challenge, version: str) -> list[Agent]:
        """For which of one's own versions it is answered; raises Refused where there is none."""
        own = own_seats(challenge, request.user)
        named = [agent for agent in own if version in ("", agent.public_id)]
        if not named:
            raise Refused("No version of yours is asked here, or not the one that you name.", "not_asked")
        return named


class Acceptance(AnsweringView):
    @extend_schema(
        operation_id="challenges_accept",
        summary="Accept a challenge",
        description="With the last one's word the match is drawn. Twice is as good as once.",
        request=AcceptInput,
        parameters=[KEY_PARAMETER],
        responses={200: ChallengeSerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, challenge_id: str) -> Response:
        challenge = self.found(request, challenge_id)
        given = self.read(AcceptInput, request)
        with refused(), transaction.atomic():
            for agent in self.answering(request, challenge, given["version"]):
                services.accept(challenge, agent, by=request.user)
        return self.told(request, challenge)


class Refusal(AnsweringView):
    @extend_schema(
        operation_id="challenges_decline",
        summary="Decline a challenge",
        description="One's own word ends it. Twice is as good as once.",
        request=DeclineInput,
        parameters=[KEY_PARAMETER],
        responses={200: ChallengeSerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, challenge_id: str) -> Response:
        challenge = self.found(request, challenge_id)
        given: dict[str, Any] = self.read(DeclineInput, request)
        with refused():
            agent = self.answering(request, challenge, given["version"])[0]
            services.decline(challenge, agent, by=request.user, reason=given["reason"])
        return self.told(request, challenge)


class Cancellation(ChallengersView):
    @extend_schema(
        operation_id="challenges_cancel",
        summary="Take a challenge of yours back",
        description="Until it is accepted. Twice is as good as once.",
        request=NoInput,
        parameters=[KEY_PARAMETER],
        responses={200: ChallengeSerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, challenge_id: str) -> Response:
        challenge = self.found(request, challenge_id)
        self.read(NoInput, request)
        with refused():
            services.cancel(challenge, request.user)
        return self.told(request, challenge)
