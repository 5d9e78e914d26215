"""Entering one's own players, with a token that has `comp:enter`; nobody need direct the tournament for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from matches.api.idempotency import KEY_PARAMETER, idempotent
from matches.api.inputs import Strict
from matches.api.problems import NOT_FOUND
from matches.api.writing import DENIED, WRITING, WritingView, one_of
from matches.models import Agent, Player
from matches.permissions import ByScope, Scope, reader_of
from tournaments.api.directing import refusals
from tournaments.api.entries import for_reading
from tournaments.api.inputs import FreeReasonInput
from tournaments.api.serializers import EntrySerializer
from tournaments.models import Entry, Tournament
from tournaments.services import entries
from tournaments.services.members import newest_version
from tournaments.services.own_entries import check_own, enter_own, own_entries
from tournaments.web.reading import visible_to

VERSION = Agent._meta.get_field("public_id").prefix
ALONE = OpenApiExample("a program", {"players": ["p_0123456789abcdefABCDEF"]}, request_only=True)


class OwnEntryInput(Strict):
    """One's players, in pairs two or one that plays both hands."""

    players = serializers.ListField(
        child=serializers.CharField(max_length=30),
        min_length=1,
        max_length=2,
        help_text="players `p_…`, each with the newest active version, or versions `v_…`",
    )
    name = serializers.CharField(
        max_length=123, required=False, allow_null=True, default=None, help_text="of a pair; who is alone has his own"
    )


class OwnView(WritingView):
    permission_classes = [ByScope]
    scopes = dict.fromkeys(("GET", "POST", "DELETE"), (Scope.COMP_ENTER,))

    def tournament(self, request: Request, tournament_id: str) -> Tournament:
        return get_object_or_404(visible_to(reader_of(request)), public_id=tournament_id)

    def own(self, request: Request, tournament: Tournament, entry_id: str) -> Entry:
        """Raises NotFound, and PermissionDenied where a member is somebody else's."""
        entry: Entry = one_of(tournament.entries, entry_id, "entry")
        if not own_entries(tournament, request.user).filter(pk=entry.pk).exists():
            raise PermissionDenied("Only those whose players all its members are may do that.", "not_yours")
        return entry


class OwnEntryList(OwnView):
    @extend_schema(
        operation_id="own_entries_list",
        summary="One's own entries in a tournament",
        responses={200: EntrySerializer(many=True), **DENIED, **NOT_FOUND},
    )
    def get(self, request: Request, tournament_id: str) -> Response:
        own = own_entries(self.tournament(request, tournament_id), request.user).order_by("number")
        return Response(EntrySerializer(for_reading(own), many=True).data)

    @extend_schema(
        operation_id="own_entries_create",
        summary="Enter one's own player",
        description="While registration or check-in is open; programs where programs play, people where people do.",
        request=OwnEntryInput,
        parameters=[KEY_PARAMETER],
        responses={201: EntrySerializer, **WRITING},
        examples=[ALONE],
    )
    @idempotent
    def post(self, request: Request, tournament_id: str) -> Response:
        tournament = self.tournament(request, tournament_id)
        given = self.read(OwnEntryInput, request)
        with refusals():
            agents = [_version(public_id, request) for public_id in given["players"]]
            entry = enter_own(tournament.pk, agents, request.user, given["name"])
        return Response(EntrySerializer(entry).data, status=201)


def _version(public_id: str, request: Request) -> Agent:
    """Raises NotFound and TournamentError; of somebody else's player nothing is looked for, and nothing made."""
    if public_id.startswith(VERSION):
        return one_of(Agent.objects.select_related("player"), public_id, "version")
    player: Player = one_of(Player.objects, public_id, "player")
    check_own(player, request.user)
    return newest_version(player)


class OwnEntryOne(OwnView):
    @extend_schema(
        operation_id="own_entries_remove",
        summary="Take one's own entry back",
        description="Before the start only; afterwards it withdraws.",
        parameters=[KEY_PARAMETER],
        responses={204: None, **WRITING},
    )
    @idempotent
    def delete(self, request: Request, tournament_id: str, entry_id: str) -> Response:
        entry = self.own(request, self.tournament(request, tournament_id), entry_id)
        with refusals():
            entries.leave(entry.pk, by=request.user)
        return Response(status=204)


Act = Callable[[Entry, Request, dict[str, Any]], object]


def _act(name: str, summary: str, call: Act) -> type[OwnView]:
    """A view for `POST /tournaments/<id>/own-entries/<id>/<name>`."""

    class View(OwnView):
        @extend_schema(
            operation_id=f"own_entries_{name.replace('-', '_')}",
            summary=summary,
            request=FreeReasonInput,
            parameters=[KEY_PARAMETER],
            responses={200: EntrySerializer, **WRITING},
        )
        @idempotent
        def post(self, request: Request, tournament_id: str, entry_id: str) -> Response:
            tournament = self.tournament(request, tournament_id)
            entry = self.own(request, tournament, entry_id)
            given = self.read(FreeReasonInput, request)
            with refusals():
                call(entry, request, given)
            return Response(EntrySerializer(tournament.entries.get(pk=entry.pk)).data)

    View.__name__ = f"OwnEntry{name.title().replace('-', '')}View"
    return View


ACTS: dict[str, type[OwnView]] = {
    name: _act(name, summary, call)
    for name, summary, call in (
        (
            "check-in",
            "Check one's own entry in",
            lambda entry, request, given: entries.check_in(entry.pk, by=request.user),
        ),
        (
            "check-out",
            "Take the check-in of one's own entry back",
            lambda entry, request, given: entries.check_out(entry.pk, by=request.user),
        ),
        (
            "withdraw",
            "Withdraw one's own entry: not paired from the next round on",
            lambda entry, request, given: entries.withdraw(entry.pk, given["reason"], by=request.user),
        ),
    )
}
