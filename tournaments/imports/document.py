"""Taking in a tournament that another installation has written as one document, with the same standings.

Everybody in it is a person here, known by his name. What was decided is taken over; of a tournament that was running
the rest can be played here, and it stands paused until its organiser goes on.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.core.exceptions import FieldError, ValidationError
from django.db import DatabaseError, models, transaction
from django.utils.dateparse import parse_datetime

from engine import EngineError
from matches.core.lifecycle import MatchStatus
from matches.core.names import NameRefused
from matches.models import Agent, Player, PlayerKind, User
from matches.services.past import Past, PastSeat, past_match
from matches.services.players import person
from matches.services.versions import person_agent
from tournaments.errors import TournamentError
from tournaments.exports.document import (
    ENTRY,
    FORMAT,
    MATCH,
    PAIRING,
    RESULT,
    ROUND,
    SEAT,
    SNAPSHOT,
    STAGE,
    TOURNAMENT,
)
from tournaments.formats.lifecycle import RoundStatus, TournamentStatus
from tournaments.formats.lots import commitment
from tournaments.models import (
    AskedBye,
    Entry,
    EntryMember,
    Feed,
    Pairing,
    PairingSeat,
    Round,
    Stage,
    StageEntry,
    StandingsSnapshot,
    Tournament,
)
from tournaments.services.log import note
from tournaments.services.publishing import snapshot_rows
from tournaments.services.writing import make_matches, plan_of

MOST_BYTES = 32_000_000
Given = Mapping[str, Any]


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Tells where in the document something is wrong."""
    try:
        yield
    except TournamentError:
        raise
    except KeyError as missing:
        raise _refused(f"{place}: {missing.args[0]} is missing.") from missing
    except (ValueError, TypeError, AttributeError, FieldError, ValidationError, DatabaseError) as wrong:
        told = " ".join(str(wrong).split())[:300]
        raise _refused(f"{place}: {told}") from wrong
    except (EngineError, NameRefused) as wrong:
        raise _refused(f"{place}: {wrong}") from wrong


def _refused(text: str) -> TournamentError:
    return TournamentError("bad_document", f"The document cannot be taken in. {text} Nothing is saved.")


@transaction.atomic
def take_document(document: Any, organiser: User, slug: str | None = None) -> Tournament:
    """Writes all of a document's rows, or none; raises TournamentError that names the place.

    `slug`: another address than the document's. The standings that the document tells of are folded anew from its
    results, and have to be the same.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise _refused(f"It is none of ours: expected an object with “format”: “{FORMAT}”.")
    taking = _Taking(document, organiser, slug)
    tournament = taking.take()
    note(tournament, "taken_in", organiser, status=document["tournament"]["status"])
    return tournament


class _Taking:
    """One document being taken in: the rows that later ones point to, by what the document calls them."""

    def __init__(self, document: Given, organiser: User, slug: str | None) -> None:
        self.document, self.organiser, self.slug = document, organiser, slug
        self.entries: dict[int, Entry] = {}
        self.stages: dict[int, Stage] = {}
        self.agents: dict[str, Agent] = {}

    def take(self) -> Tournament:
        with _at("tournament"):
            self.tournament = self._tournament(self.document["tournament"])
        with _at("entries"):
            for number, given in enumerate(self.document["entries"]):
                with _at(f"entries[{number}]"):
                    self._entry(given)
        with _at("stages"):
            for number, given in enumerate(self.document["stages"]):
                with _at(f"stages[{number}]"):
                    self._stage(given, f"stages[{number}]")
        with _at("snapshots"):
            for given in self.document["snapshots"]:
                self._snapshot(given)
        with _at("standings"):
            self._check_standings(self.document["standings"])
        for stage in self.stages.values():
            make_matches(stage)
        return self.tournament

    def _tournament(self, given: Given) -> Tournament:
        told = _columns(Tournament, TOURNAMENT, given)
        told["slug"] = self.slug or told["slug"]
        if Tournament.objects.filter(slug=told["slug"]).exists():
            raise TournamentError(
                "slug_taken", f"The address /t/{told['slug']}/ is taken: take the document in under another."
            )
        if told["status"] == TournamentStatus.RUNNING:
            told["status"] = TournamentStatus.PAUSED
        tournament = Tournament(organiser=self.organiser, seed=secrets.token_bytes(32), **told)
        if "lots_seed" in given:
            tournament.lots_seed = bytes.fromhex(given["lots_seed"])
            if commitment(tournament.lots_seed) != given["lots_commitment"]:
                raise ValueError("lots_seed is not the one that lots_commitment was made of.")
        tournament.full_clean(exclude=["seed", "lots_seed", "organiser"])
        tournament.game_rules  # noqa: B018  # the engine reads and checks them all
        tournament.save()
        return tournament

    def _entry(self, given: Given) -> None:
        told = _columns(Entry, ENTRY, given)
        public_id = told.pop("public_id")
        entry = Entry(tournament=self.tournament, **told)
        if not Entry.objects.filter(public_id=public_id).exists():
            entry.public_id = public_id
        entry.full_clean(exclude=["tournament"])
        entry.save()
        for position, member in enumerate(given["members"]):
            agent = self._person(str(member["name"]))
            EntryMember.objects.create(
                tournament=self.tournament, entry=entry, position=position, player=agent.player, agent=agent
            )
        AskedBye.objects.bulk_create(AskedBye(entry=entry, **asked) for asked in given["asked_byes"])
        self.entries[entry.number] = entry

    def _person(self, name: str) -> Agent:
        """The person of this name; where a program has it, another person of nearly this name."""
        known = Player.objects.filter(name=name, kind=PlayerKind.PERSON).first()
        return person_agent(known or person(_free(name)))

    def _stage(self, given: Given, place: str) -> None:
        stage = Stage(tournament=self.tournament, **_columns(Stage, STAGE, given))
        stage.full_clean(exclude=["tournament"])
        stage.save()
        self.stages[stage.number] = stage
        StageEntry.objects.bulk_create(
            StageEntry(
                stage=stage,
                entry=self.entries[one["entry"]],
                number=one["number"],
                carried=one["carried"],
                reason=one["reason"],
            )
            for one in given["entries"]
        )
        tables: dict[tuple[int, int], Pairing] = {}
        for number, drawn in enumerate(given["rounds"]):
            with _at(f"{place}.rounds[{number}]"):
                self._round(stage, drawn, tables)

    def _round(self, stage: Stage, given: Given, tables: dict[tuple[int, int], Pairing]) -> None:
        drawn = Round.objects.create(stage=stage, **_columns(Round, ROUND, given))
        for table in given["pairings"]:
            pairing = self._pairing(stage, drawn, table, tables)
            if drawn.status != RoundStatus.WITHDRAWN:
                tables[drawn.number, pairing.number] = pairing

    def _pairing(self, stage: Stage, drawn: Round, given: Given, tables: Mapping[tuple[int, int], Pairing]) -> Pairing:
        condition = given["conditional_on"]
        pairing = Pairing(
            round=drawn,
            conditional_on=tables[tuple(condition)] if condition else None,
            **_columns(Pairing, PAIRING, given),
        )
        entries = [self.entries[seat["entry"]] for seat in given["seats"] if seat["entry"] is not None]
        match = given["match"]
        if match and match["status"] in (MatchStatus.FINISHED, MatchStatus.VOID):
            plan = plan_of(stage, pairing, entries, secrets.token_bytes(32))
            pairing.match = past_match(plan, _past(match))
        pairing.save()
        for seat in given["seats"]:
            self._seat(drawn, pairing, seat, tables)
        return pairing

    def _seat(self, drawn: Round, pairing: Pairing, given: Given, tables: Mapping[tuple[int, int], Pairing]) -> None:
        entry = self.entries[given["entry"]] if given["entry"] is not None else None
        seat = PairingSeat.objects.create(
            round=drawn, pairing=pairing, entry=entry, **_columns(PairingSeat, SEAT, given)
        )
        if feed := given["feed"]:
            source = tables[tuple(feed["source"])] if feed["source"] else None
            Feed.objects.create(seat=seat, kind=feed["kind"], place=feed["place"], source=source)

    def _snapshot(self, given: Given) -> None:
        stage = self.stages[given["stage"]] if given["stage"] is not None else None
        StandingsSnapshot.objects.create(
            tournament=self.tournament, stage=stage, **_columns(StandingsSnapshot, SNAPSHOT, given)
        )

    def _check_standings(self, told: Any) -> None:
        """Whoever shares a place stands there in the order of lots, whose seed the document may keep secret."""
        folded, given = (
            sorted(map(_without_ids, rows), key=_called) for rows in (snapshot_rows(self.tournament), told)
        )
        if folded != given:
            raise ValueError("they do not follow from the results that the document tells of.")


def _without_ids(row: Given) -> dict[str, Any]:
    """A row without what an installation gives it."""
    return {name: value for name, value in row.items() if name != "entry"}


def _called(row: Given) -> str:
    return str(row["name"])


def _free(name: str) -> str:
    """The name itself, or with a number where somebody has it already."""
    wanted, number = name, 1
    while Player.objects.filter(name__iexact=wanted).exists():
        number += 1
        wanted = f"{name} ({number})"
    return wanted


def _columns(model: type[models.Model], names: tuple[str, ...], given: Given) -> dict[str, Any]:
    """These columns as the database has them; raises KeyError for one that is missing."""
    return {name: _read(model._meta.get_field(name), given[name]) for name in names}


def _read(field: Any, value: Any) -> Any:
    if isinstance(field, models.DateTimeField):
        return _moment(value)
    if value is not None and isinstance(field, models.CharField | models.TextField) and not isinstance(value, str):
        raise ValueError(f"{field.name}: expected a text, not {value!r}.")
    if value is not None and isinstance(field, models.IntegerField) and type(value) is not int:
        raise ValueError(f"{field.name}: expected a whole number, not {value!r}.")
    return value


def _moment(value: Any) -> datetime | None:
    if value is None:
        return None
    moment = parse_datetime(value) if isinstance(value, str) else None
    if moment is None or moment.tzinfo is None:
        raise ValueError(f"expected a time with its zone, such as 2026-11-30T10:00:00+02:00, not {value!r}.")
    return moment


def _past(given: Given) -> Past:
    result = given["result"]
    seats = tuple(PastSeat(**seat) for seat in result["seats"]) if result else ()
    told = {name: given[name] for name in MATCH}
    ended = {name: result[name] for name in RESULT} if result else {}
    return Past(
        status=MatchStatus(told["status"]),
        reason=told["status_reason"],
        started_at=_moment(told["started_at"]),
        finished_at=_moment(told["finished_at"]),
        seats=seats,
        **ended,
    )
