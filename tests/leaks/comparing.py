"""The same evening in several worlds, and what differs for whom between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import engine.table
from matches.models import Match
from tests.leaks.evening import Evening, Place, Terms, held_evening
from tests.leaks.listening import Caller, Heard, everything
from tests.leaks.worlds import Story, dealing, write_decks
from tests.pull_program import Served, serving
from tests.quicker import empty_tables

OWNERS = ("bohdan", "dmytro")
WORLDS = (*OWNERS, "")
"""From whom the cards are hidden that lie elsewhere; the last from everybody who sits at no table."""
BEFORE = 80
"""So many bytes on either side of a difference are told."""
APPLICATION = "tests.leaks.served:application"


@dataclass(frozen=True, slots=True)
class Told:
    """What left the service in one world: while parties were under way, and their records afterwards."""

    before: Mapping[str, Heard]
    records: Heard


@dataclass(frozen=True, slots=True)
class Compared:
    """`parties`: that were under way or over, other cards lying elsewhere in `changed` of them. `answers`: compared.

    `leaks`: where something differs for somebody from whom it should be hidden. `opened`: records that differ once
    they are revealed, as they must.
    """

    parties: int
    changed: int
    answers: int
    leaks: tuple[str, ...]
    opened: int

    def __add__(self, other: Compared) -> Compared:
        return Compared(
            self.parties + other.parties,
            self.changed + other.changed,
            self.answers + other.answers,
            self.leaks + other.leaks,
            self.opened + other.opened,
        )


NOTHING = Compared(0, 0, 0, (), 0)


def compare(terms: Terms, env: Mapping[str, str], folder: Path, worlds: tuple[str, ...] = WORLDS) -> Compared:
    """Holds the evening once as it is dealt and once in every other world, and empties the database after each."""
    decks, plain = folder / "decks", engine.table.pack_of
    write_decks(decks, {})
    engine.table.pack_of = dealing(decks, plain)  # of the lane, which is in this process
    try:
        with serving(env, application=APPLICATION, LEAKS_DECKS=str(decks), LIMITS=unlimited()) as server:
            return _Worlds(terms, server, decks).compared(worlds)
    finally:
        engine.table.pack_of = plain


def unlimited() -> str:
    """A setting by which nobody asks too often."""
    from django.conf import settings

    return ",".join(f"{name}=off" for name in settings.LIMITS)


class _Worlds:
    def __init__(self, terms: Terms, server: Served, decks: Path) -> None:
        self._terms, self._server, self._decks = terms, server, decks
        self._stories: Mapping[Place, Story] | None = None
        self._others: dict[str, dict[str, str]] = {}

    def compared(self, worlds: tuple[str, ...]) -> Compared:
        plain = self._told(None)
        assert self._stories is not None
        sum_ = NOTHING
        for world in worlds:
            sum_ += self._beside(plain, self._told(world), world)
        return Compared(len(self._stories), sum_.changed, sum_.answers, sum_.leaks, sum_.opened)

    def _told(self, world: str | None) -> Told:
        write_decks(self._decks, {} if world is None else self._others[world])
        with held_evening(self._terms, self._server.base_url, self._stories) as (evening, play_out):
            if world is None:
                self._stories = evening.stories
                self._others = {hidden_from: evening.other_decks(hidden_from) for hidden_from in WORLDS}
            before = everything(evening, self._server.base_url, _strangers(world))
            play_out()
            records = self._records(evening)
        empty_tables()
        return Told(before, records)

    def _records(self, evening: Evening) -> Heard:
        """What everybody may read in the end."""
        call, heard = Caller(self._server.base_url, {}), {}
        assert not Match.objects.exclude(status="finished").exists()
        for number, match in enumerate(evening.matches, start=1):
            for party in match.parties.order_by("number"):
                reply = call("GET", f"/api/v1/parties/{party.public_id}/record")
                assert reply.status == 200, reply.body
                heard[f"{number}.{party.number}"] = reply.whole
        call.close()
        return heard

    def _beside(self, plain: Told, other: Told, world: str) -> Compared:
        leaks, answers = [], 0
        for who, heard in other.before.items():
            answers += len(heard)
            leaks += [f"{who}: {where}" for where in _differing(plain.before[who], heard)]
        opened = _differing(plain.records, other.records)
        return Compared(0, len(self._others[world]), answers, tuple(leaks), len(opened))


def _strangers(world: str | None) -> tuple[str, ...]:
    """Who sees other cards in that world: owners whose cards lie elsewhere in it."""
    return () if world is None else tuple(owner for owner in OWNERS if owner != world)


def _differing(one: Heard, other: Heard) -> list[str]:
    """Where two worlds differ, each with what stands there in both."""
    pairs = {what: (one.get(what, b""), other.get(what, b"")) for what in sorted(one.keys() | other.keys())}
    return [f"{what}: {_excerpts(*told)}" for what, told in pairs.items() if told[0] != told[1]]


def _excerpts(one: bytes, other: bytes) -> str:
    at = next((at for at, (mine, its) in enumerate(zip(one, other, strict=False)) if mine != its), 0)
    return " ≠ ".join(told[max(0, at - BEFORE) : at + BEFORE].decode(errors="replace") for told in (one, other))
