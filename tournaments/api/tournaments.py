"""Writing tournaments: drawn up, changed, run from registration to published standings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from engine import RulesError
from matches.api.idempotency import KEY_PARAMETER, idempotent
from matches.api.writing import WRITING
from tournaments.api.directing import DirectorView, refusals
from tournaments.api.entries import for_reading as entries_for_reading
from tournaments.api.inputs import FreeReasonInput, ReasonInput, TournamentInput
from tournaments.api.serializers import SnapshotSerializer, TournamentDetailSerializer, TournamentSerializer
from tournaments.models import Entry, Tournament
from tournaments.services import drawing_up, entries, publishing, running
from tournaments.services.counting import why_not_counted_so

CUP = OpenApiExample(
    "programs in pairs of boards",
    {"slug": "autumn-cup", "name": "Autumn Cup", "rules": "moscow/2", "boards": 2, "deals": 4, "tie_breaks": ["wins"]},
    request_only=True,
)


class TournamentWriting(DirectorView):
    """Joined with the list of tournaments, whose address it shares."""

    @extend_schema(
        summary="Draw up a tournament",
        description="A draft, which its organiser alone sees until registration is opened.",
        request=TournamentInput,
        parameters=[KEY_PARAMETER],
        responses={201: TournamentDetailSerializer, **WRITING},
        examples=[CUP],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        self.check_may_draw_up(request)
        given = self.read(TournamentInput, request)
        tournament = Tournament(organiser=request.user, **given)
        _check(tournament)
        _save(tournament)
        return Response(told_whole(tournament.pk), status=201)


def _save(tournament: Tournament) -> None:
    """Raises ValidationError where somebody else was quicker with the same address."""
    try:
        with transaction.atomic():
            tournament.save()
    except IntegrityError as taken:
        if not Tournament.objects.filter(slug=tournament.slug).exists():
            raise
        raise ValidationError({"slug": "Another tournament has this address."}, "unique") from taken


def for_reading(found: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Tournaments with all that is shown of them, in eight queries however many entries."""
    entries_too = Prefetch("entries", entries_for_reading(Entry.objects.order_by("number")))
    return found.select_related("organiser", "venue").prefetch_related("stages", entries_too)


def told_whole(tournament_id: int) -> Any:
    """As whoever has just written it is answered."""
    return TournamentDetailSerializer(for_reading(Tournament.objects.filter(pk=tournament_id)).get()).data


def _check(tournament: Tournament) -> None:
    """Raises ValidationError where the rules, or how results count, cannot be."""
    try:
        tournament.game_rules  # noqa: B018  # the engine reads and checks them all
    except RulesError as refusal:
        raise ValidationError({"rules": str(refusal)}, refusal.code) from refusal
    if troubles := why_not_counted_so(tournament):
        raise ValidationError(troubles, "invalid")


class TournamentChanging(DirectorView):
    """Joined with the tournament itself, whose address it shares."""

    @extend_schema(
        summary="Change a tournament",
        description="Only the fields that are sent. After the start name, description and auto_publish may change.",
        request=TournamentInput,
        parameters=[KEY_PARAMETER],
        responses={200: TournamentDetailSerializer, **WRITING},
    )
    @idempotent
    def patch(self, request: Request, tournament_id: str) -> Response:
        tournament = self.directed(request, tournament_id)
        given = TournamentInput(tournament, data=request.data, partial=True)
        given.is_valid(raise_exception=True)
        for name, value in given.validated_data.items():
            setattr(tournament, name, value)
        _check(tournament)
        with refusals():
            changed = drawing_up.redraw(tournament.pk, given.validated_data)
        return Response(told_whole(changed.pk))


Act = Callable[[Tournament, Request, dict[str, Any]], Any]


class ActView(DirectorView):
    """One act upon a tournament; made by `act`."""

    call: Act
    body: type[serializers.Serializer]

    def done(self, request: Request, tournament_id: str) -> Any:
        tournament = self.directed(request, tournament_id)
        given = self.read(self.body, request)
        with refusals():
            made = type(self).call(tournament, request, given)
        tournament.refresh_from_db()
        return made


def act(
    name: str,
    summary: str,
    call: Act,
    body: type[serializers.Serializer] = FreeReasonInput,
    answer: type[serializers.Serializer] = TournamentSerializer,
) -> type[ActView]:
    """A view for `POST /tournaments/<id>/<name>`, safe to send twice with a key."""

    class View(ActView):
        @extend_schema(
            operation_id=f"tournaments_{name.replace('-', '_')}",
            summary=summary,
            request=body,
            parameters=[KEY_PARAMETER],
            responses={200: answer, **WRITING},
        )
        @idempotent
        def post(self, request: Request, tournament_id: str) -> Response:
            made = self.done(request, tournament_id)
            row = made if answer is not TournamentSerializer else Tournament.objects.get(public_id=tournament_id)
            return Response(answer(row).data)

    View.call = staticmethod(call)
    View.body = body
    View.__name__ = f"{name.title().replace('-', '')}View"
    return View


ACTS: dict[str, type[ActView]] = {
    name: act(name, summary, call, *rest)
    for name, summary, call, *rest in (
        ("open", "Open registration", lambda t, request, given: entries.open_registration(t.pk, by=request.user)),
        ("check-in", "Open check-in", lambda t, request, given: running.open_check_in(t.pk, by=request.user)),
        (
            "start",
            "Start: rules, entries and stages freeze",
            lambda t, request, given: running.start(t.pk, by=request.user),
        ),
        ("pause", "Pause: no further match begins", lambda t, request, given: running.pause(t.pk, by=request.user)),
        ("resume", "Go on after a pause", lambda t, request, given: running.resume(t.pk, by=request.user)),
        (
            "finish",
            "Finish: no further round is drawn",
            lambda t, request, given: running.finish(t.pk, by=request.user),
        ),
        (
            "cancel",
            "Cancel for good",
            lambda t, request, given: running.cancel(t.pk, given["reason"], by=request.user),
            ReasonInput,
        ),
        (
            "publish",
            "Publish the standings as they are",
            lambda t, request, given: publishing.publish(t.pk, request.user),
            FreeReasonInput,
            SnapshotSerializer,
        ),
    )
}
