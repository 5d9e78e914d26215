"""A tournament of people under any sequence of acts, beside a model that knows no rows.

The model knows who is in, what was last said how a match ended, and who was in when a round was drawn; from that follow
the points of everybody. Small here, whole in `python -m tests.proof lifecycle`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from matches.core.agreement import ReportedScore
from matches.models import Agent, AgentStatus, Match, Player, PlayerKind, Result, User
from matches.services import reports
from matches.services.reports import ReportRefused
from tests.engine.agreements import FULL
from tests.tournaments.services.people import SEED, referee
from tournaments.errors import TournamentError
from tournaments.models import ByeKind, Entry, Feed, Pairing, PairingSeat, Round, Stage, Tournament
from tournaments.services import corrections, draws, entries, results, running, stages
from tournaments.services.ranking import stage_standings
from tournaments.web.waiting import trouble_of, why_nothing_happens

pytestmark = pytest.mark.django_db
LEAST, MOST = 4, 8
WIN, DRAW = 4, 2
BYES = {"bye": WIN, "half_bye": DRAW, "zero_bye": 0}
FORMATS = ("swiss", "round_robin", "double_elimination")
SETTINGS: dict[str, dict[str, object]] = {"swiss": {"rounds": 4, "infeasible": "rematch"}}
STANDING = ("proposed", "changing", "confirmed", "released", "closed")
AT_TABLES = ("released", "closed")
slugs = count(1)
scores = st.sampled_from([(2, 1), (1, 2), (1, 1), (3, 0)])
pick = st.integers(0, 99)


@dataclass
class Model:
    """What there is beside the rows. Entries are known by their primary keys, matches by theirs."""

    here: set[int] = field(default_factory=set)
    said: dict[int, tuple[tuple[int, ...], frozenset[int]]] = field(default_factory=dict)
    drawn_for: dict[int, frozenset[int]] = field(default_factory=dict)
    left_before: dict[int, set[int]] = field(default_factory=dict)


def before_the_start(hall: Hall) -> bool:
    return not hall.cup.is_frozen


def under_way(hall: Hall) -> bool:
    return hall.cup.is_frozen


def at_tables(hall: Hall) -> bool:
    return hall.cup.is_frozen and hall.match(0) is not None


class Hall(RuleBasedStateMachine):
    """Every act may be refused; what was refused has changed nothing."""

    @initialize(
        format_name=st.sampled_from(FORMATS), auto=st.booleans(), many=st.integers(LEAST, MOST), begun=st.integers(0, 4)
    )
    def open(self, format_name: str, auto: bool, many: int, begun: int) -> None:
        """Of five halls one has not begun."""
        self.undo = transaction.atomic()
        self.undo.__enter__()
        self.model, self.format, self.owed = Model(), format_name, False
        self.names = count(1)
        slug = f"hall-{next(slugs)}"
        self.cup = Tournament.objects.create(
            slug=slug,
            name=slug,
            organiser=referee(),
            boards=1,
            deals=1,
            auto_draw=auto,
            late_until_round=3 if format_name == "swiss" else 0,
            lots_seed=SEED,
        )
        entries.open_registration(self.cup.pk)
        self.stage = stages.plan(self.cup.pk, format_name, settings=SETTINGS.get(format_name, {}))
        for _ in range(many):
            self.register()
        if begun:
            self.start()

    def teardown(self) -> None:
        if hasattr(self, "undo"):
            transaction.set_rollback(True)
            self.undo.__exit__(None, None, None)

    # acts

    @rule()
    def register(self) -> None:
        if self.cup.entries.count() >= MOST:
            return
        agent = self.newcomer()
        with self.acting() as acted:
            self.model.here.add(acted(entries.enter, self.cup.pk, agent).pk)

    @precondition(before_the_start)
    @rule()
    def open_check_in(self) -> None:
        with self.acting() as acted:
            acted(running.open_check_in, self.cup.pk)

    @precondition(before_the_start)
    @rule(which=pick)
    def check_in(self, which: int) -> None:
        with self.acting() as acted:
            acted(entries.check_in, self.entry(which).pk)

    @precondition(before_the_start)
    @rule()
    def start(self) -> None:
        with self.acting() as acted:
            acted(running.start, self.cup.pk, SEED)
            self.model.here = set(self.cup.entries.filter(status="active").values_list("pk", flat=True))

    @rule(which=pick, leave=st.sampled_from([entries.withdraw, entries.withdraw, entries.no_show, entries.expel]))
    def leave(self, which: int, leave: Callable[..., Entry]) -> None:
        entry = self.entry(which)
        with self.acting() as acted:
            acted(leave, entry.pk, "went home")
            if entry.pk in self.model.here:
                self.model.here.discard(entry.pk)
                self.model.left_before[entry.pk] = set(self.rounds().values_list("pk", flat=True))
            self.owed = True

    @rule(which=pick)
    def reinstate(self, which: int) -> None:
        entry = self.entry(which)
        with self.acting() as acted:
            acted(entries.reinstate, entry.pk)
            self.model.here.add(entry.pk)
            self.model.left_before.pop(entry.pk, None)

    @rule(which=pick, number=st.integers(1, 4), kind=st.sampled_from(ByeKind))
    def ask_bye(self, which: int, number: int, kind: ByeKind) -> None:
        with self.acting() as acted:
            acted(entries.ask_bye, self.entry(which).pk, number, kind)

    @rule(which=pick)
    def substitute(self, which: int) -> None:
        """Somebody new plays for an entry from now on, whose account speaks for it then."""
        entry = self.entry(which)
        agent, out = self.newcomer(), entry.members.get(position=0)
        with self.acting() as acted:
            acted(entries.substitute, entry.pk, out.player_id, agent.player_id)

    @precondition(under_way)
    @rule(by_hand=st.booleans())
    def pair(self, by_hand: bool) -> None:
        with self.acting() as acted:
            acted(draws.propose_by_hand if by_hand else draws.propose, self.stage.pk)

    @precondition(under_way)
    @rule(which=pick)
    def change(self, which: int) -> None:
        """Two change places across two tables of the newest proposal."""
        drawn = self.rounds().filter(status__in=["proposed", "changing"]).order_by("number").last()
        if drawn is None:
            return
        tables = [[seat.entry.public_id for seat in one.seats.all() if seat.entry] for one in tables_of(drawn)]
        if len(tables) > 1:
            one, other = tables[which % len(tables)], tables[(which + 1) % len(tables)]
            one[0], other[0] = other[0], one[0]
        with self.acting() as acted:
            acted(draws.begin_changes, drawn.pk)
            acted(draws.change, drawn.pk, tables, "they asked for it")

    @precondition(under_way)
    @rule()
    def confirm_draw(self) -> None:
        for drawn in self.rounds().filter(status__in=["proposed", "changing"])[:1]:
            with self.acting() as acted:
                acted(draws.confirm, drawn.pk)
                acted(draws.release, drawn.pk)

    @precondition(under_way)
    @rule()
    def take_back(self) -> None:
        drawn = self.rounds().order_by("number").last()
        if drawn is None:
            return
        matches = set(drawn.pairings.filter(match__isnull=False).values_list("match", flat=True))
        with self.acting() as acted:
            acted(draws.take_back, drawn.pk, "the wrong hall", even_played=True)
            for match in matches:
                self.model.said.pop(match, None)
            self.owed = True

    @precondition(at_tables)
    @rule(which=pick, side=st.integers(0, 1), score=scores)
    def report(self, which: int, side: int, score: tuple[int, int]) -> None:
        if (match := self.match(which)) is not None:
            with self.acting() as acted:
                acted(reports.report, match.pk, self.speaker(match, side), ReportedScore(score))
                self.hear(match)

    @precondition(at_tables)
    @rule(which=pick, side=st.integers(0, 1))
    def confirm(self, which: int, side: int) -> None:
        match = self.match(which, status__in=["reported", "disputed"])
        if match is not None:
            version = match.reports.filter(status="reported").order_by("version").first()
            with self.acting() as acted:
                acted(reports.confirm, match.pk, version.version, self.speaker(match, side))
                self.hear(match)

    @precondition(at_tables)
    @rule(which=pick, side=st.integers(0, 1), score=scores)
    def dispute(self, which: int, side: int, score: tuple[int, int]) -> None:
        match = self.match(which, status="reported")
        if match is not None:
            with self.acting() as acted:
                acted(reports.report, match.pk, self.speaker(match, side), ReportedScore(score), "it was not so")
                self.hear(match)

    @precondition(at_tables)
    @rule(which=pick, score=scores)
    def rule_it(self, which: int, score: tuple[int, int]) -> None:
        """On the page of the match, past the tournament: what follows waits for the news."""
        match = self.match(which, status__in=["awaited", "reported", "disputed"])
        if match is not None:
            with self.acting() as acted:
                acted(reports.rule, match.pk, referee(), ReportedScore(score), "the referee saw it")
                self.hear(match)

    @precondition(at_tables)
    @rule(told=st.lists(scores, min_size=5, max_size=5))
    def play_round(self, told: list[tuple[int, int]]) -> None:
        """Both sides of every open table tell the same."""
        self.confirm_draw()
        for score in told:
            match = self.match(0, status="awaited")
            if match is not None:
                with self.acting() as acted:
                    for side in (0, 1):
                        acted(reports.report, match.pk, self.speaker(match, side), ReportedScore(score))
                    self.hear(match)
        self.deliver()

    @precondition(at_tables)
    @rule(which=pick, score=scores)
    def correct(self, which: int, score: tuple[int, int]) -> None:
        match = self.match(which, status="finished")
        if match is not None:
            with self.acting() as acted:
                if which % 4 == 0:
                    acted(corrections.preview, match.public_id, ReportedScore(score))
                acted(corrections.correct, match.public_id, ReportedScore(score), "misread", even_played=True)
                self.hear(match)
                self.forget_void()

    @precondition(at_tables)
    @rule(which=pick)
    def void(self, which: int) -> None:
        if (match := self.match(which)) is not None:
            with self.acting() as acted:
                acted(corrections.void, match.public_id, "both were drunk", even_played=True)
                self.forget_void()

    @precondition(at_tables)
    @rule(which=pick)
    def reopen(self, which: int) -> None:
        match = self.match(which, status__in=["finished", "void"])
        if match is not None:
            with self.acting() as acted:
                acted(corrections.reopen, match.public_id, "a card was missing", even_played=True)
                self.forget_void()

    @precondition(under_way)
    @rule()
    def pause(self) -> None:
        with self.acting() as acted:
            acted(running.pause, self.cup.pk)
            acted(running.resume, self.cup.pk)

    @precondition(under_way)
    @rule()
    def close(self) -> None:
        with self.acting() as acted:
            acted(running.finish, self.cup.pk)

    @rule()
    def deliver(self) -> None:
        results.settle(self.cup.pk)
        results.settle(self.cup.pk)
        self.owed, self.changed = False, True
        self.cup.refresh_from_db()
        self.follow()

    # how acts reach the services

    @contextmanager
    def acting(self) -> Iterator[Callable[..., Any]]:
        """Takes the model's side of an act only if no service refuses; what was begun of it is undone then."""
        try:
            with transaction.atomic():
                yield lambda act, *arguments, **named: act(*arguments, **named)
        except (TournamentError, ReportRefused):
            return
        self.changed = True
        self.cup.refresh_from_db()
        self.follow()

    def newcomer(self) -> Agent:
        name = f"{self.cup.slug} {next(self.names):02}"
        owner = User.objects.create(username=name)
        player = Player.objects.create(name=name, kind=PlayerKind.PERSON, owner=owner)
        return Agent.objects.create(player=player, kind=PlayerKind.PERSON, label="person", status=AgentStatus.ACTIVE)

    def entry(self, which: int) -> Entry:
        found = list(self.cup.entries.order_by("number"))
        return found[which % len(found)]

    def match(self, which: int, **wanted: Any) -> Match | None:
        """One of those that stand at a table that was released."""
        at_tables = Match.objects.filter(
            pairing__round__stage__tournament=self.cup, pairing__round__status__in=AT_TABLES, **wanted
        )
        found = list(at_tables.order_by("pk"))
        return found[which % len(found)] if found else None

    def speaker(self, match: Match, side: int) -> User:
        return match.seats.select_related("agent__player__owner").get(side=side).agent.player.owner

    def rounds(self) -> Any:
        return Round.objects.filter(stage__tournament=self.cup, status__in=STANDING)

    # the model

    def hear(self, match: Match) -> None:
        """What is confirmed of a match now."""
        confirmed = match.reports.filter(status="confirmed").first()
        if confirmed is not None:
            self.model.said[match.pk] = (tuple(confirmed.points), frozenset(confirmed.absent))
            self.owed = True

    def forget_void(self) -> None:
        void = Match.objects.filter(pk__in=list(self.model.said), status="void")
        for match in void.values_list("pk", flat=True):
            del self.model.said[match]

    def follow(self) -> None:
        """Notes who was there when a round was drawn, and forfeits that followed from somebody's leaving."""
        for drawn in self.rounds():
            self.model.drawn_for.setdefault(drawn.pk, frozenset(self.model.here))
        forfeits = Result.objects.filter(match__pairing__round__stage__tournament=self.cup, kind="forfeit")
        for result in forfeits.exclude(match__in=list(self.model.said)).select_related("match"):
            self.hear(result.match)
        self.forget_void()

    # what must hold

    @invariant()
    def holds(self) -> None:
        """Looked at when something has changed; what follows from a result, when its news is delivered."""
        if not getattr(self, "changed", False):
            return
        self.changed = False
        self.nobody_sits_twice_in_a_round()
        if self.format == "swiss":
            self.nobody_is_drawn_after_he_left()
            self.everybody_is_seated_or_byed_in_a_round_by_the_rules()
        if not self.owed:
            self.it_goes_on_or_says_why_not()
            self.who_is_gone_keeps_nobody_waiting()
            self.a_winner_goes_on_exactly_once()
            self.standings_are_the_fold_of_what_was_said()

    def nobody_sits_twice_in_a_round(self) -> None:
        seats = Counter(self.seats().values_list("round", "entry"))
        assert set(seats.values()) <= {1}

    def nobody_is_drawn_after_he_left(self) -> None:
        """In a bracket he has seats to forfeit, which somebody else goes on from."""
        for entry, before in self.model.left_before.items():
            assert not self.seats().filter(entry=entry).exclude(round__in=before).exists()

    def everybody_is_seated_or_byed_in_a_round_by_the_rules(self) -> None:
        for drawn in self.rounds().filter(changes=None, draw__isnull=False):
            seated = set(self.seats().filter(round=drawn).values_list("entry", flat=True))
            assert seated == self.model.drawn_for[drawn.pk]

    def it_goes_on_or_says_why_not(self) -> None:
        """While it runs there is somebody whose turn it is: who plays, or the organiser, who knows what to do."""
        if self.cup.status != "running":
            return
        is_open = self.match(0, status__in=["awaited", "reported", "disputed"]) is not None
        is_on_the_desk = self.rounds().filter(status__in=["proposed", "changing", "confirmed"]).exists()
        assert is_open or is_on_the_desk or trouble_of(self.cup) or self.can_be_drawn()
        assert is_open or not why_nothing_happens(self.cup)[0].startswith("The last match is over")

    def can_be_drawn(self) -> bool:
        try:
            with transaction.atomic():
                draws.propose(self.stage.pk)
                transaction.set_rollback(True)
        except TournamentError:
            return False
        return True

    def who_is_gone_keeps_nobody_waiting(self) -> None:
        """What was reported waits to be confirmed."""
        waiting = Pairing.objects.filter(round__in=self.rounds(), status="open", match__status__in=["held", "awaited"])
        assert not waiting.filter(seats__entry__status__in=["withdrawn", "no_show", "expelled"]).exists()

    def a_winner_goes_on_exactly_once(self) -> None:
        feeds = Feed.objects.filter(seat__round__in=self.rounds(), kind="match_place", place=1)
        for feed in feeds.select_related("seat__pairing", "source__match").filter(source__status="decided"):
            if feed.seat.pairing.conditional_on_id is None:
                assert feed.seat.entry_id == self.winner(feed.source)

    def standings_are_the_fold_of_what_was_said(self) -> None:
        if self.stage_row().status == "planned":
            return
        rows = stage_standings(self.stage_row())
        if self.format != "double_elimination":
            points = self.points()
            assert {row.entry: row.points for row in rows} == {entry: points[entry] for entry in self.ranked()}
        assert {match.pk for match in self.finished()} == set(self.model.said)

    def seats(self) -> Any:
        return PairingSeat.objects.filter(round__in=self.rounds(), entry__isnull=False)

    def stage_row(self) -> Stage:
        stage = Stage.objects.get(pk=self.stage.pk)
        stage.tournament = self.cup
        return stage

    def ranked(self) -> set[str]:
        """Everybody but those who were expelled."""
        ranked = self.cup.entries.filter(stage_entries__stage=self.stage).exclude(status="expelled")
        return set(ranked.values_list("public_id", flat=True))

    def finished(self) -> list[Match]:
        at_tables = Match.objects.filter(pairing__round__in=self.rounds().filter(status__in=AT_TABLES))
        return list(at_tables.filter(status="finished"))

    def winner(self, pairing: Pairing) -> int | None:
        """The first of more points, of equal ones the better seed; nobody where both stayed away."""
        points, absent = self.model.said[pairing.match_id]
        seeds = dict(self.stage.stage_entries.values_list("entry_id", "number"))
        ranked = sorted(
            (-points[seat.side], seeds[seat.entry_id], seat.entry_id)
            for seat in pairing.seats.all()
            if seat.side not in absent
        )
        return ranked[0][2] if ranked else None

    def points(self) -> Counter[str]:
        """Quarter points of each: a fold over what was said and over byes."""
        sums: Counter[str] = Counter()
        pairings = Pairing.objects.filter(round__in=self.rounds().filter(status__in=AT_TABLES))
        for pairing in pairings.select_related("round").prefetch_related("seats__entry"):
            seated = {seat.side: seat.entry.public_id for seat in pairing.seats.all() if seat.entry}
            if pairing.bye:
                sums[seated[0]] += BYES[pairing.bye]
            elif pairing.match_id in self.model.said:
                points, absent = self.model.said[pairing.match_id]
                for side, entry in seated.items():
                    sums[entry] += won(points, absent, side)
        return sums


def won(points: tuple[int, ...], absent: frozenset[int], side: int) -> int:
    if absent:
        return 0 if side in absent else WIN
    mine, other = points[side], points[1 - side]
    return WIN if mine > other else DRAW if mine == other else 0


def tables_of(drawn: Round) -> list[Pairing]:
    played = drawn.pairings.filter(bye__in=["", "bye"]).order_by("number")
    return list(played.prefetch_related("seats__entry"))


@pytest.mark.timeout(3_600)
def test_a_tournament_is_what_its_acts_say_in_any_order() -> None:
    tried = settings(
        max_examples=200 if FULL else 10,
        stateful_step_count=50,
        deadline=None,
        derandomize=not FULL,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Hall, settings=tried)
