"""Writing entries: entered, checked in, sitting a round out, leaving and coming back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from matches.api.idempotency import KEY_PARAMETER, idempotent
from matches.api.writing import WRITING, one_of
from matches.models import Player, PlayerKind
from matches.services.players import person
from matches.services.versions import person_agent
from tournaments.api.directing import DirectorView, refusals
from tournaments.api.inputs import (
    ByeInput,
    EntryInput,
    FreeReasonInput,
    PersonInput,
    RatingInput,
    ReasonInput,
    RoundInput,
    SeedsInput,
    SubstitutionInput,
)
from tournaments.api.serializers import EntrySerializer
from tournaments.models import Entry
from tournaments.services import entries
from tournaments.services.members import newest_version


class EntryList(DirectorView):
    @extend_schema(
        summary="Enter a player, a pair or a team",
        description="After the start a late entry, as far as the tournament takes them.",
        request=EntryInput,
        parameters=[KEY_PARAMETER],
        responses={201: EntrySerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, tournament_id: str) -> Response:
        tournament = self.directed(request, tournament_id)
        given = self.read(EntryInput, request)
        players = [one_of(Player.objects, public_id, "player") for public_id in given["players"]]
        with refusals():
            entry = entries.enter(
                tournament.pk,
                *map(newest_version, players),
                name=given["name"],
                club=given["club"],
                rating=given["rating"],
                by=request.user,
            )
        return Response(EntrySerializer(entry).data, status=201)


class PersonList(DirectorView):
    @extend_schema(
        summary="Enter a person by name",
        description="For halls: nobody needs an account. A name that a program has is refused.",
        request=PersonInput,
        parameters=[KEY_PARAMETER],
        responses={201: EntrySerializer, **WRITING},
    )
    @idempotent
    def post(self, request: Request, tournament_id: str) -> Response:
        tournament = self.directed(request, tournament_id)
        given = self.read(PersonInput, request)
        with refusals(), transaction.atomic():
            known = Player.objects.filter(name=given["name"].strip(), kind=PlayerKind.PERSON).first()
            agent = person_agent(known or person(given["name"]))
            entry = entries.enter(tournament.pk, agent, club=given["club"], rating=given["rating"], by=request.user)
        return Response(EntrySerializer(entry).data, status=201)


class EntryOne(DirectorView):
    @extend_schema(
        summary="Take an entry back",
        description="Before the start only; afterwards it withdraws. An entry that is gone already is no error.",
        parameters=[KEY_PARAMETER],
        responses={204: None, **WRITING},
    )
    @idempotent
    def delete(self, request: Request, tournament_id: str, entry_id: str) -> Response:
        tournament = self.directed(request, tournament_id)
        entry = tournament.entries.filter(public_id=entry_id).first()
        if entry is not None:
            with refusals():
                entries.leave(entry.pk, by=request.user)
        return Response(status=204)


class Seeds(DirectorView):
    @extend_schema(
        summary="Order the entries by hand",
        request=SeedsInput,
        parameters=[KEY_PARAMETER],
        responses={200: EntrySerializer(many=True), **WRITING},
    )
    @idempotent
    def put(self, request: Request, tournament_id: str) -> Response:
        tournament = self.directed(request, tournament_id)
        given = self.read(SeedsInput, request)
        there = dict(tournament.entries.values_list("public_id", "pk"))
        if unknown := [public_id for public_id in given["entries"] if public_id not in there]:
            raise NotFound(f"There is no entry {unknown[0]} here.")
        with refusals():
            entries.seed_by_hand(tournament.pk, [there[one] for one in given["entries"]], by=request.user)
        seeded = for_reading(tournament.entries.order_by("number"))
        return Response(EntrySerializer(seeded, many=True).data)


def for_reading(found: QuerySet[Entry]) -> QuerySet[Entry]:
    """Entries with all that is shown of them, in four queries however many."""
    return found.prefetch_related("members__player", "members__agent", "asked_byes")


Act = Callable[[Entry, Request, dict[str, Any]], object]


def _act(name: str, summary: str, call: Act, body: type[serializers.Serializer] = FreeReasonInput):
    """A view for `POST /tournaments/<id>/entries/<id>/<name>`."""

    class View(DirectorView):
        @extend_schema(
            operation_id=f"entries_{name.replace('-', '_')}",
            summary=summary,
            request=body,
            parameters=[KEY_PARAMETER],
            responses={200: EntrySerializer, **WRITING},
        )
        @idempotent
        def post(self, request: Request, tournament_id: str, entry_id: str) -> Response:
            tournament = self.directed(request, tournament_id)
            entry = one_of(tournament.entries, entry_id, "entry")
            given = self.read(body, request)
            with refusals():
                call(entry, request, given)
            return Response(EntrySerializer(tournament.entries.get(pk=entry.pk)).data)

    View.__name__ = f"Entry{name.title().replace('-', '')}View"
    return View


def _substitute(entry: Entry, request: Request, given: dict[str, Any]) -> None:
    out, into = (one_of(Player.objects, given[which], "player") for which in ("out", "into"))
    entries.substitute(entry.pk, out.pk, into.pk, by=request.user)


ACTS: dict[str, type[DirectorView]] = {
    name: _act(name, summary, call, *rest)
    for name, summary, call, *rest in (
        ("check-in", "Check an entry in", lambda entry, request, given: entries.check_in(entry.pk, by=request.user)),
        (
            "check-out",
            "Take a check-in back",
            lambda entry, request, given: entries.check_out(entry.pk, by=request.user),
        ),
        (
            "withdraw",
            "Withdraw: not paired from the next round on",
            lambda entry, request, given: entries.withdraw(entry.pk, given["reason"], by=request.user),
            ReasonInput,
        ),
        (
            "reinstate",
            "Let an entry back in",
            lambda entry, request, given: entries.reinstate(entry.pk, by=request.user),
        ),
        (
            "expel",
            "Expel",
            lambda entry, request, given: entries.expel(entry.pk, given["reason"], by=request.user),
            ReasonInput,
        ),
        ("no-show", "Note that nobody came", lambda entry, request, given: entries.no_show(entry.pk, by=request.user)),
        (
            "bye",
            "Ask for a bye in a round that is not drawn yet",
            lambda entry, request, given: entries.ask_bye(entry.pk, given["round"], given["kind"], by=request.user),
            ByeInput,
        ),
        (
            "take-back-bye",
            "Play a round after all, if it is not drawn yet",
            lambda entry, request, given: entries.take_back_bye(entry.pk, given["round"], by=request.user),
            RoundInput,
        ),
        (
            "rating",
            "Enter a rating",
            lambda entry, request, given: entries.rate(entry.pk, given["rating"], by=request.user),
            RatingInput,
        ),
        ("substitute", "Bring in a substitute", _substitute, SubstitutionInput),
    )
}
