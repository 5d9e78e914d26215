"""Taking in a tournament that another installation has written as one document, with the same standings.

Everybody in it is a person here, known by his name. What was decided is taken over; of a tournament that was running
the rest can be played here, and it stands paused until its organiser goes on.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Sequence
from typing import Any

from django.db import transaction

from matches.core.plan import why_not_overrides
from matches.models import User
from tournaments.errors import TournamentError
from tournaments.exports.document import ENTRY, FORMAT, SNAPSHOT, STAGE, TOURNAMENT
from tournaments.formats.lifecycle import TournamentStatus
from tournaments.formats.lots import commitment
from tournaments.imports.persons import persons
from tournaments.imports.rounds import Rounds
from tournaments.imports.shape import check_chain, check_plan, check_stage
from tournaments.imports.strict import Given, at, check_rows, check_seeded, cleaned, columns, expect, refused
from tournaments.models import AskedBye, Entry, EntryMember, Stage, StageEntry, StandingsSnapshot, Tournament
from tournaments.models.fields import MOST_MEMBERS
from tournaments.services.counting import why_not_counted_so
from tournaments.services.drawing_up import why_not_slug
from tournaments.services.log import note
from tournaments.services.publishing import snapshot_rows
from tournaments.services.writing import make_matches

MOST_BYTES = 32_000_000
_PUBLIC_ID = re.compile(r"e_[0-9A-Za-z]{22}", re.ASCII)


@transaction.atomic
def take_document(document: Any, organiser: User, slug: str | None = None) -> Tournament:
    """Writes all of a document's rows, or none; raises TournamentError that names the place.

    `slug`: another address than the document's. The standings that the document tells of are folded anew from its
    results, and have to be the same. It is unrated here, since nobody saw it played.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise refused(f"It is none of ours: expected an object with “format”: “{FORMAT}”.")
    tournament = _Taking(document, organiser, slug).take()
    note(tournament, "taken_in", organiser, status=document["tournament"]["status"])
    return tournament


class _Taking:
    """One document being taken in: the rows that later ones point to, by what the document calls them."""

    def __init__(self, document: Given, organiser: User, slug: str | None) -> None:
        self.document, self.organiser, self.slug = document, organiser, slug
        self.entries: dict[int, Entry] = {}
        self.stages: dict[int, Stage] = {}

    def take(self) -> Tournament:
        with at("tournament"):
            self.tournament = self._tournament(self.document["tournament"])
        with at("entries"):
            self._entries(self.document["entries"])
        with at("stages"):
            for number, given in enumerate(self.document["stages"]):
                with at(f"stages[{number}]"):
                    self._stage(given, f"stages[{number}]")
            check_chain(self.tournament, list(self.stages.values()))
        with at("snapshots"):
            known = {str(given["public_id"]) for given in self.document["entries"]}
            for given in self.document["snapshots"]:
                self._snapshot(given, known)
        with at("standings"):
            self._check_standings(self.document["standings"])
        with at("stages"):
            if self.tournament.status == TournamentStatus.PAUSED:
                for stage in self.stages.values():
                    make_matches(stage)
        return self.tournament

    def _tournament(self, given: Given) -> Tournament:
        told = columns(Tournament, TOURNAMENT, given) | {"rated": False}
        told["slug"] = self.slug or told["slug"]
        if why := why_not_slug(told["slug"]):
            raise TournamentError("slug_taken", why)
        if Tournament.objects.filter(slug=told["slug"]).exists():
            raise TournamentError(
                "slug_taken", f"The address /t/{told['slug']}/ is taken: take the document in under another."
            )
        if told["status"] == TournamentStatus.RUNNING:
            told["status"] = TournamentStatus.PAUSED
        tournament = Tournament(organiser=self.organiser, seed=secrets.token_bytes(32), **told)
        tournament.lots_seed = _lots_seed(given)
        if larger := why_not_overrides(tournament.overrides):
            raise ValueError(" ".join(f"{option}: {told}" for option, told in larger.items()))
        tournament.full_clean(exclude=["seed", "lots_seed", "organiser"])
        if troubles := why_not_counted_so(tournament):
            raise ValueError(" ".join(troubles.values()))
        tournament.game_rules  # noqa: B018  # the engine reads and checks them all
        tournament.save()
        return tournament

    def _entries(self, told: Sequence[Given]) -> None:
        """With their members, in a few statements; what an entry is called stays so where nobody here is."""
        taken = set(
            Entry.objects.filter(public_id__in=[one["public_id"] for one in told]).values_list("public_id", flat=True)
        )
        rows = []
        for number, given in enumerate(told):
            with at(f"entries[{number}]"):
                rows.append(self._entry(given, taken))
        Entry.objects.bulk_create(rows)
        self._members(rows, told)
        written = self.tournament.entries.prefetch_related("members__agent__player").order_by("number")
        self.entries = {entry.number: entry for entry in written}
        for entry in written:
            entry.tournament = self.tournament

    def _entry(self, given: Given, taken: Collection[str]) -> Entry:
        told = columns(Entry, ENTRY, given)
        if told["public_id"] in taken:
            del told["public_id"]
        else:
            expect(bool(_PUBLIC_ID.fullmatch(told["public_id"])), f"public_id: {told['public_id']} is none.")
        members, hands = given["members"], self.tournament.hands
        expect(isinstance(members, list) and 0 < len(members) <= MOST_MEMBERS, f"expected 1 to {MOST_MEMBERS} members.")
        most = min(len(members), hands)
        expect(told["hands"] is None or 1 <= told["hands"] <= most, f"hands: expected 1 to {most}, or none.")
        return cleaned(Entry(tournament=self.tournament, **told))

    def _members(self, rows: Sequence[Entry], told: Sequence[Given]) -> None:
        agents = persons(str(member["name"]) for given in told for member in given["members"])
        EntryMember.objects.bulk_create(
            EntryMember(tournament=self.tournament, entry=entry, position=position, player=agent.player, agent=agent)
            for entry, given in zip(rows, told, strict=True)
            for position, agent in enumerate(agents[str(member["name"])] for member in given["members"])
        )
        AskedBye.objects.bulk_create(
            cleaned(AskedBye(entry=entry, **columns(AskedBye, ("stage_number", "round_number", "kind"), asked)))
            for entry, given in zip(rows, told, strict=True)
            for asked in given["asked_byes"]
        )

    def _stage(self, given: Given, place: str) -> None:
        stage = Stage(tournament=self.tournament, **columns(Stage, STAGE, given))
        cleaned(stage)
        check_plan(stage)
        stage.save()
        self.stages[stage.number] = stage
        rows = [self._stage_entry(stage, one) for one in given["entries"]]
        StageEntry.objects.bulk_create(rows)
        taking = Rounds(stage, {row.entry.number: row.entry for row in rows}, {row.number for row in rows})
        for number, drawn in enumerate(given["rounds"]):
            with at(f"{place}.rounds[{number}]"):
                taking.take(drawn)
        check_stage(stage, [row.number for row in rows])

    def _stage_entry(self, stage: Stage, given: Given) -> StageEntry:
        check_seeded(given["reason"])
        told = columns(StageEntry, ("number", "carried", "reason"), given)
        return cleaned(StageEntry(stage=stage, entry=self.entries[given["entry"]], **told))

    def _snapshot(self, given: Given, entries: Collection[str]) -> None:
        stage = self.stages[given["stage"]] if given["stage"] is not None else None
        told = columns(StandingsSnapshot, SNAPSHOT, given)
        check_rows(told["rows"], told["sha256"], entries)
        asked = told["criteria"]
        expect(isinstance(asked, list) and all(isinstance(one, str) for one in asked), "criteria: expected texts.")
        StandingsSnapshot.objects.create(tournament=self.tournament, stage=stage, **told)

    def _check_standings(self, told: Any) -> None:
        """Whoever shares a place stands there in the order of lots; entries have other ids here."""
        folded, given = (
            sorted(map(_without_ids, rows), key=_called) for rows in (snapshot_rows(self.tournament), told)
        )
        if folded != given:
            raise ValueError("they do not follow from the results that the document tells of.")


def _lots_seed(given: Given) -> bytes:
    """Without it nothing that was drawn could be drawn again, and whatever comes would be drawn by other lots."""
    if "lots_seed" not in given:
        raise ValueError(
            "lots_seed is missing: before a tournament is over, the file that its directors are given has it."
        )
    seed = bytes.fromhex(given["lots_seed"])
    if commitment(seed) != given["lots_commitment"]:
        raise ValueError("lots_seed is not the one that lots_commitment was made of.")
    return seed


def _without_ids(row: Given) -> dict[str, Any]:
    """A row without what an installation gives it."""
    return {name: value for name, value in row.items() if name != "entry"}


def _called(row: Given) -> str:
    return str(row["name"])
