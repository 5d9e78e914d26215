"""A match, its seats, its boards and the parties played on them, down to the single action.

A *board* is one party fixed by seed, entropy, first dealer; it is played once per rotation of the seats. A *party* is
one exposure of a board. A *game* is a party seen from one seat. What was played is in `PartyEvent` alone; every other
number here is a fold over it that saves reading it again.
"""

from __future__ import annotations

import json
from datetime import timedelta
from itertools import permutations
from typing import Any, cast

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import RangeOperators
from django.db import models
from django.db.models import Exists, F, Func, OuterRef, Q, Value
from django.db.models.functions import Mod, Now
from django.db.models.lookups import Exact
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from engine import Rules, rules_of
from engine.cards import SUITS
from engine.party import EndReason
from matches.core.agreement import ScoreTerms, terms_of
from matches.core.clocks import Control
from matches.core.lifecycle import OF_LANES, OF_PEOPLE, OVER, MatchStatus, PartyStatus
from matches.core.outcome import Unit, unit_of
from matches.core.plan import Length
from matches.encryption import EncryptedBytesField
from matches.models.people import Agent
from matches.public_ids import PublicIdField


def _choices(states: type[MatchStatus] | type[PartyStatus] | type[Control] | type[Length]) -> list[tuple[str, str]]:
    return [(state.value, state.value) for state in states]


def is_json_object(field: str) -> Exact:
    """A condition for constraints: a list, a number, a text or null would be JSON as well."""
    return _is_json(field, "object")


def is_json_array(field: str) -> Exact:
    """A condition for constraints; a column that is null meets it."""
    return _is_json(field, "array")


def _is_json(field: str, kind: str) -> Exact:
    return Exact(Func(F(field), function="jsonb_typeof", output_field=models.CharField()), Value(kind))


class MatchQuerySet(models.QuerySet["Match"]):
    def unfinished(self) -> MatchQuerySet:
        return self.exclude(status__in=list(OVER))

    def due(self, now: Any) -> MatchQuerySet:
        """Those a lane may claim: ready and due, or running with a lease that has run out."""
        return self.filter(
            Q(status=MatchStatus.READY, due_at__lte=now) | Q(status=MatchStatus.RUNNING, lease_until__lt=now)
        )

    def claimable(self, now: Any, patience: timedelta) -> MatchQuerySet:
        """Those due that may be played now: one not begun waits for programs that are not ready, for so long."""
        absent = Exists(MatchSeat.objects.filter(match=OuterRef("pk"), agent__is_ready=False))
        return self.due(now).exclude(absent, started_at=None, due_at__gt=now - patience)


class Match(models.Model):
    """One meeting of players under one set of rules, from drawn to decided. It knows no tournament."""

    public_id = PublicIdField(prefix="m_")
    title = models.CharField(_("title"), max_length=300, blank=True)
    group = models.CharField(_("group"), max_length=40, blank=True, help_text=_("groups take turns at the workers"))
    rules = models.CharField(_("rules"), max_length=40, help_text=_("preset@version"))
    overrides = models.JSONField(_("overrides"), default=dict, blank=True)
    length = models.CharField(_("length"), max_length=8, choices=_choices(Length), default=Length.BOARDS)
    boards_planned = models.PositiveSmallIntegerField(
        _("boards"), default=1, help_text=_("boards, parties, or best of so many parties, as the length says")
    )
    is_reported = models.BooleanField(
        _("reported"), default=False, help_text=_("people play it at a table and say how it ended; no lane takes it")
    )
    control = models.CharField(_("time control"), max_length=8, choices=_choices(Control), default=Control.LADDER)
    strict = models.BooleanField(_("first fault forfeits"), default=False)
    forfeit_points = models.PositiveIntegerField(
        _("points for a forfeited party"),
        help_text=_("what every other side scores at least; the forfeiter's scores nothing, or what it owes"),
    )
    round_number = models.PositiveSmallIntegerField(_("round"), default=1)
    rated = models.BooleanField(_("rated"), default=True)
    house_thinks = models.BooleanField(
        _("a house program computes"),
        default=False,
        help_text=_("for long at every decision: such matches have slots of their own"),
    )
    priority = models.IntegerField(_("priority"), default=0, help_text=_("lower is played first"))
    due_at = models.DateTimeField(_("due"))
    status = models.CharField(_("status"), max_length=8, choices=_choices(MatchStatus), default=MatchStatus.READY)
    status_reason = models.CharField(_("reason"), max_length=200, blank=True)
    lease_owner = models.CharField(max_length=80, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.BigIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(_("claims without progress"), default=0)
    events_at_claim = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(name="match_status_known", condition=Q(status__in=[s.value for s in MatchStatus])),
            models.CheckConstraint(name="match_control_known", condition=Q(control__in=[c.value for c in Control])),
            models.CheckConstraint(name="match_length_known", condition=Q(length__in=[one.value for one in Length])),
            models.CheckConstraint(
                name="match_is_played_or_reported",
                condition=Q(is_reported=True) & ~Q(status__in=sorted(OF_LANES))
                | Q(is_reported=False) & ~Q(status__in=sorted(OF_PEOPLE)),
            ),
            models.CheckConstraint(
                name="match_best_of_is_odd",
                condition=~Q(length="best_of") | Q(Exact(Mod(F("boards_planned"), Value(2)), Value(1))),
            ),
            models.CheckConstraint(name="match_overrides_are_an_object", condition=is_json_object("overrides")),
            models.CheckConstraint(name="match_has_boards", condition=Q(boards_planned__gte=1)),
            models.CheckConstraint(
                name="match_running_has_started", condition=~Q(status="running") | Q(started_at__isnull=False)
            ),
            models.CheckConstraint(
                name="match_finished_has_time", condition=~Q(status="finished") | Q(finished_at__isnull=False)
            ),
            models.CheckConstraint(
                name="match_lease_only_while_running", condition=Q(lease_until=None) | Q(status="running")
            ),
        ]
        indexes = [
            models.Index(
                name="match_to_claim", fields=["priority", "id"], condition=Q(status__in=["ready", "running"])
            ),
            models.Index(
                name="match_thinking_to_claim",
                fields=["priority", "id"],
                condition=Q(status__in=["ready", "running"], house_thinks=True),
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.public_id

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.public_id])

    @property
    def game_rules(self) -> Rules:
        return rules_of(self.rules, self.overrides)

    @property
    def unit(self) -> Unit:
        """What the sides' points in the result are."""
        return unit_of(self.game_rules)

    @property
    def terms(self) -> ScoreTerms:
        """What a score of it has to fit."""
        return terms_of(self.game_rules, Length(self.length), self.boards_planned)

    @property
    def is_over(self) -> bool:
        return self.status in OVER


class MatchSeat(models.Model):
    """An entrant's place in the match. At the table of rotation r the seat is (index + r) mod seats.

    `side`: with whom it scores, itself or in pairs the seat opposite. A version may hold several seats of one side.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField()
    agent = models.ForeignKey(Agent, verbose_name=_("version"), on_delete=models.PROTECT, related_name="match_seats")

    class Meta:
        ordering = ["match", "index"]
        constraints = [
            models.UniqueConstraint(name="match_seat_once", fields=["match", "index"]),
            ExclusionConstraint(
                name="match_agent_on_one_side",
                expressions=[
                    ("match", RangeOperators.EQUAL),
                    ("agent", RangeOperators.EQUAL),
                    ("side", RangeOperators.NOT_EQUAL),
                ],
            ),
            models.CheckConstraint(name="match_seat_at_table", condition=Q(index__lte=3)),
            models.CheckConstraint(
                name="match_seat_on_a_side", condition=Q(side=F("index")) | Q(index__gte=2, side=F("index") - 2)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.index}: {self.agent}"


class Board(models.Model):
    """What fixes a party: seed, entropy, first dealer. The seed is secret until the last exposure is over (R68).

    `first_dealer` is the lot's (R69); where parties follow one another, that of all but the first is found by R15 when
    the party before is over, and empty till then.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="boards")
    number = models.PositiveSmallIntegerField(_("board"))
    seed = EncryptedBytesField(editable=False)
    commitment = models.CharField(_("commitment"), max_length=64, unique=True)
    first_dealer = models.PositiveSmallIntegerField(_("first dealer"), null=True, blank=True)

    class Meta:
        verbose_name = _("board")
        verbose_name_plural = _("boards")
        ordering = ["match", "number"]
        constraints = [
            models.UniqueConstraint(name="board_number_once", fields=["match", "number"]),
            models.CheckConstraint(name="board_first_dealer_at_table", condition=Q(first_dealer__lte=3)),
        ]

    def __str__(self) -> str:
        return f"{self.match} #{self.number}"

    @property
    def first_dealer_by_match(self) -> int | None:
        """Who deals first as the parties before say (R15); None where it is the lot (R69)."""
        return self.first_dealer if self.number > 1 and self.match.length != Length.BOARDS else None

    @property
    def is_open(self) -> bool:
        """Whether nothing that is still to be played depends on the seed. No query where parties are prefetched."""
        return self.match.is_over or not any(party.is_to_come for party in self.parties.all())


class Party(models.Model):
    """One exposure of a board: the seats rotated, the suits relabelled (R70)."""

    public_id = PublicIdField(prefix="pa_")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="parties")
    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="parties")
    number = models.PositiveSmallIntegerField(_("party"), help_text=_("order of play within the match, from 1"))
    rotation = models.PositiveSmallIntegerField(_("rotation"))
    attempt = models.PositiveSmallIntegerField(_("attempt"), default=1)
    suits = models.CharField(_("suits"), max_length=4)
    status = models.CharField(max_length=8, choices=_choices(PartyStatus), default=PartyStatus.WAITING)
    record_json = EncryptedBytesField(null=True, editable=False)
    totals = models.JSONField(null=True, blank=True, editable=False, help_text=_("per side of the table"))
    winner = models.PositiveSmallIntegerField(null=True, blank=True, help_text=_("side of the table"))
    stakes = models.JSONField(null=True, blank=True, editable=False, help_text=_("per side of the table, in Short"))
    reason = models.CharField(_("why it ended"), max_length=12, blank=True)
    forfeiter = models.PositiveSmallIntegerField(null=True, blank=True)
    absent = models.JSONField(
        default=list, blank=True, editable=False, help_text=_("seats of the table whose version could not play")
    )
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("party")
        verbose_name_plural = _("parties")
        ordering = ["match", "number", "attempt"]
        constraints = [
            models.UniqueConstraint(
                name="party_exposure_once", fields=["board", "rotation"], condition=~Q(status="void")
            ),
            models.UniqueConstraint(name="party_attempt_once", fields=["match", "number", "attempt"]),
            models.CheckConstraint(name="party_status_known", condition=Q(status__in=[s.value for s in PartyStatus])),
            models.CheckConstraint(
                name="party_finished_has_record",
                condition=Q(
                    status="finished", record_json__isnull=False, totals__isnull=False, finished_at__isnull=False
                )
                | (~Q(status="finished") & Q(record_json=None, totals=None, winner=None, stakes=None, reason="")),
            ),
            models.CheckConstraint(
                name="party_reason_known", condition=Q(reason__in=["", *(reason.value for reason in EndReason)])
            ),
            models.CheckConstraint(
                name="party_forfeited_by_somebody",
                condition=Q(reason="forfeit", forfeiter__isnull=False) | (~Q(reason="forfeit") & Q(forfeiter=None)),
            ),
            models.CheckConstraint(
                name="party_at_a_table", condition=Q(rotation__lte=3, winner__lte=3, forfeiter__lte=3)
            ),
            models.CheckConstraint(
                name="party_suits_are_all_four",
                condition=Q(suits__in=["".join(order) for order in permutations(SUITS)]),
            ),
            models.CheckConstraint(name="party_totals_are_an_array", condition=is_json_array("totals")),
            models.CheckConstraint(name="party_stakes_are_an_array", condition=is_json_array("stakes")),
            models.CheckConstraint(name="party_absent_are_an_array", condition=is_json_array("absent")),
        ]

    def __str__(self) -> str:
        return f"{self.match} party {self.number}"

    @property
    def is_to_come(self) -> bool:
        """Whether a card of it may still be played."""
        return self.status in (PartyStatus.WAITING, PartyStatus.PLAYING)

    @property
    def is_revealed(self) -> bool:
        """Whether its record may be read by anyone: every exposure of its board is over."""
        return self.status == PartyStatus.FINISHED and self.board.is_open

    @property
    def record(self) -> dict[str, Any]:
        """The record of a finished party (protocol §3). It holds the seed: show it only when `is_revealed`."""
        return cast(dict[str, Any], json.loads(bytes(self.record_json or b"null")))

    def table_seat(self, index: int, seats: int) -> int:
        return (index + self.rotation) % seats

    def match_seat(self, seat: int, seats: int) -> int:
        return (seat - self.rotation) % seats

    def table_side(self, side: int, sides: int) -> int:
        """Where a side of the match sits: sides turn as their seats do."""
        return (side + self.rotation) % sides

    def match_side(self, side: int, sides: int) -> int:
        return (side - self.rotation) % sides


class Game(models.Model):
    """A party as one seat knows it: what a program's messages, clock and correction are counted by.

    The alias is a name and no secret. It tells the two games apart that one program has in a party of pairs; that they
    are one party follows from the match and the party's number, which every decision says.
    """

    public_id = PublicIdField(prefix="g_")
    party = models.ForeignKey(Party, on_delete=models.CASCADE, related_name="games")
    match_seat = models.ForeignKey(MatchSeat, on_delete=models.CASCADE, related_name="games")
    seat = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="game_seat_once", fields=["party", "seat"]),
            models.UniqueConstraint(name="game_match_seat_once", fields=["party", "match_seat"]),
        ]

    def __str__(self) -> str:
        return f"{self.party} seat {self.seat}"


class EventKind(models.TextChoices):
    ACTION = "action", _("action")
    FORFEIT = "forfeit", _("forfeit")


class PartyEvent(models.Model):
    """What happened, append-only: the database refuses to change or delete a row.

    `seq` is the ply of an action. `cause` says why the platform played a seat's default; the clock columns are what
    that decision cost, so that a game goes on after a crash with the bank that it had.
    """

    party = models.ForeignKey(Party, on_delete=models.DO_NOTHING, related_name="events")
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=EventKind, default=EventKind.ACTION)
    seat = models.PositiveSmallIntegerField()
    action = models.CharField(max_length=20, blank=True)
    cause = models.CharField(max_length=12, blank=True)
    corrected = models.BooleanField(default=False)
    elapsed_ms = models.PositiveIntegerField(default=0)
    charged_ms = models.PositiveIntegerField(default=0)
    bank_ms = models.IntegerField(default=0)
    fence = models.BigIntegerField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["party", "seq"]
        constraints = [
            models.UniqueConstraint(name="party_event_once", fields=["party", "seq"]),
            models.CheckConstraint(name="party_event_kind_known", condition=Q(kind__in=EventKind.values)),
            models.CheckConstraint(
                name="party_event_action_or_forfeit",
                condition=(Q(kind="action") & ~Q(action="")) | (Q(kind="forfeit") & Q(action="") & ~Q(cause="")),
            ),
            models.CheckConstraint(name="party_event_charged_within", condition=Q(charged_ms__lte=F("elapsed_ms"))),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.seat} {self.action or self.kind}"
