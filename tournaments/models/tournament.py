"""Who meets whom: a tournament, its stages and rounds, its entries, its pairings."""

from __future__ import annotations

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from engine import Rules, rules_of
from matches.core.clocks import Control
from matches.core.plan import MOST_BOARDS, MOST_DEALS, match_overrides
from matches.encryption import EncryptedBytesField
from matches.models import Agent, Match, Player, User
from matches.models.match import is_json_object
from matches.public_ids import PublicIdField
from tournaments.formats.lifecycle import EntryStatus, PairingStatus, RoundStatus, SeatState, TournamentStatus

MOST_MEMBERS = 2
MOST_SIDES = 4
PAIRS = "pairs"
FORMATS = ["round_robin", "tables"]
LONGEST_ENTRY_NAME = 123
"""Two players' names and what stands between them."""


def _choices(states: Any) -> list[tuple[str, str]]:
    return [(state.value, state.value.replace("_", " ")) for state in states]


def _known(field: str, states: Any) -> Q:
    return Q(**{f"{field}__in": [state.value for state in states]})


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def public(self) -> TournamentQuerySet:
        """Those that anybody may see: all but drafts."""
        return self.exclude(status=TournamentStatus.DRAFT)


class Tournament(models.Model):
    """A competition under one set of rules. Everything about play freezes when it starts."""

    public_id = PublicIdField(prefix="t_")
    slug = models.SlugField(_("address"), max_length=60, unique=True, help_text=_("the page is /t/…/"))
    name = models.CharField(_("name"), max_length=100)
    description = models.TextField(_("description"), blank=True)
    organiser = models.ForeignKey(User, verbose_name=_("organiser"), on_delete=models.PROTECT)
    rules = models.CharField(_("rules"), max_length=40, default="moscow/2")
    overrides = models.JSONField(_("other options"), default=dict, blank=True)
    boards = models.PositiveSmallIntegerField(
        _("boards a match"),
        default=2,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_BOARDS)],
        help_text=_("each board is played once from every seat"),
    )
    deals = models.PositiveSmallIntegerField(
        _("deals a board"),
        default=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_DEALS)],
        help_text=_("empty: whole parties by the rules, and in Short the one deal that a party is"),
    )
    control = models.CharField(_("time control"), max_length=8, choices=_choices(Control), default=Control.LADDER)
    strict = models.BooleanField(
        _("first fault forfeits"), default=False, help_text=_("otherwise three faults in a party, or two running")
    )
    rated = models.BooleanField(_("rated"), default=True)
    auto_publish = models.BooleanField(
        _("publish by itself"), default=True, help_text=_("publish the standings when the last match is over")
    )
    seed = EncryptedBytesField(null=True, editable=False)
    status = models.CharField(
        _("status"), max_length=12, choices=_choices(TournamentStatus), default=TournamentStatus.DRAFT
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = TournamentQuerySet.as_manager()

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(name="tournament_status_known", condition=_known("status", TournamentStatus)),
            models.CheckConstraint(name="tournament_control_known", condition=_known("control", Control)),
            models.CheckConstraint(name="tournament_boards", condition=Q(boards__gte=1, boards__lte=MOST_BOARDS)),
            models.CheckConstraint(
                name="tournament_deals", condition=Q(deals=None) | Q(deals__gte=1, deals__lte=MOST_DEALS)
            ),
            models.CheckConstraint(name="tournament_overrides_are_an_object", condition=is_json_object("overrides")),
            models.CheckConstraint(
                name="tournament_started_has_time",
                condition=Q(status__in=["draft", "registration", "cancelled"]) | Q(started_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournament", args=[self.slug])

    @property
    def match_overrides(self) -> dict[str, object]:
        return match_overrides(self.overrides, self.deals)

    @property
    def game_rules(self) -> Rules:
        return rules_of(self.rules, self.match_overrides)

    @property
    def table_kind(self) -> str:
        """`2`, `3`, `4` or `pairs`: the preset's table, whether or not the options fit together."""
        return self.rules.partition("@")[0].partition("/")[2]

    @property
    def hands(self) -> int:
        """How many seats an entry has at a table."""
        return 2 if self.table_kind == PAIRS else 1

    @property
    def is_frozen(self) -> bool:
        """Whether rules, plan and entries may no longer change."""
        return self.status not in (TournamentStatus.DRAFT, TournamentStatus.REGISTRATION)


class Entry(models.Model):
    """A place in a tournament: one player's, or a pair's. The members' versions are pinned from the first."""

    public_id = PublicIdField(prefix="e_")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    name = models.CharField(_("name"), max_length=LONGEST_ENTRY_NAME)
    number = models.PositiveSmallIntegerField(_("number"), help_text=_("pairing number, from 1"))
    status = models.CharField(_("status"), max_length=10, choices=_choices(EntryStatus), default=EntryStatus.ACTIVE)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(name="entry_number_once", fields=["tournament", "number"]),
            models.UniqueConstraint("tournament", Lower("name"), name="entry_name_once"),
            models.CheckConstraint(name="entry_status_known", condition=_known("status", EntryStatus)),
        ]

    def __str__(self) -> str:
        return self.name

    def seat_agents(self) -> tuple[Agent, ...]:
        """Who plays each hand that the entry has at a table; a single member of a pair plays both."""
        agents = [member.agent for member in self.members.all()]
        return tuple(agents[hand % len(agents)] for hand in range(self.tournament.hands))


class EntryMember(models.Model):
    """Who belongs to an entry, and the version that plays: one member for individuals, one or two for pairs.

    That the tournament is the entry's and the version the player's is kept by foreign keys of two columns, which only
    the migration knows how to say.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE)
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="members")
    position = models.PositiveSmallIntegerField(default=0, help_text=_("the hand that the member plays, from 0"))
    player = models.ForeignKey(Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="memberships")
    agent = models.ForeignKey(Agent, verbose_name=_("version"), on_delete=models.PROTECT, related_name="memberships")

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        ordering = ["entry", "position"]
        constraints = [
            models.UniqueConstraint(name="member_once_in_a_tournament", fields=["tournament", "player"]),
            models.UniqueConstraint(name="member_version_once_in_a_tournament", fields=["tournament", "agent"]),
            models.UniqueConstraint(name="member_position_once", fields=["entry", "position"]),
            models.CheckConstraint(name="member_position_at_table", condition=Q(position__lt=MOST_MEMBERS)),
        ]

    def __str__(self) -> str:
        return self.player.name


class Stage(models.Model):
    """A part of a tournament with one format; what it decides is the business of `formats`."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(_("format"), max_length=20, default="round_robin")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(name="stage_number_once", fields=["tournament", "number"]),
            models.CheckConstraint(name="stage_format_known", condition=Q(format__in=FORMATS)),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, stage {self.number}"


class Round(models.Model):
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("round"))
    status = models.CharField(_("status"), max_length=8, choices=_choices(RoundStatus), default=RoundStatus.RELEASED)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(name="round_number_once", fields=["stage", "number"]),
            models.CheckConstraint(name="round_status_known", condition=_known("status", RoundStatus)),
            models.CheckConstraint(
                name="round_closed_has_time",
                condition=Q(status="closed", closed_at__isnull=False) | (~Q(status="closed") & Q(closed_at=None)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage}, round {self.number}"


class Pairing(models.Model):
    """A meeting that the draw made: its seats, and at most one match."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings")
    number = models.PositiveSmallIntegerField(_("table"))
    match = models.OneToOneField(Match, null=True, blank=True, on_delete=models.PROTECT, related_name="pairing")
    status = models.CharField(_("status"), max_length=8, choices=_choices(PairingStatus), default=PairingStatus.OPEN)

    class Meta:
        verbose_name = _("pairing")
        verbose_name_plural = _("pairings")
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(name="pairing_number_once", fields=["round", "number"]),
            models.CheckConstraint(name="pairing_status_known", condition=_known("status", PairingStatus)),
            models.CheckConstraint(
                name="pairing_bye_has_no_match",
                condition=(Q(status="bye") & Q(match=None)) | (~Q(status="bye") & Q(match__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round}, table {self.number}"


class PairingSeat(models.Model):
    """One entry's place at a pairing; in pairs it has two seats of the match, and `seat` counts the pairs.

    A bye is an entry with nobody opposite, never a seat that is still to be filled.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE)
    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="pairing_seats")
    state = models.CharField(max_length=6, choices=_choices(SeatState), default=SeatState.FILLED)

    class Meta:
        ordering = ["pairing", "seat"]
        constraints = [
            models.UniqueConstraint(name="pairing_seat_once", fields=["pairing", "seat"]),
            models.CheckConstraint(name="pairing_seat_at_table", condition=Q(side=F("seat"), seat__lt=MOST_SIDES)),
            models.UniqueConstraint(name="entry_once_in_a_round", fields=["round", "entry"]),
            models.CheckConstraint(name="pairing_seat_state_known", condition=_known("state", SeatState)),
            models.CheckConstraint(
                name="pairing_seat_filled_has_entry",
                condition=(Q(state="filled") & Q(entry__isnull=False)) | (~Q(state="filled") & Q(entry=None)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pairing} seat {self.seat}: {self.entry or self.state}"


class StandingsSnapshot(models.Model):
    """Standings as they were published: a value, never changed afterwards."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="snapshots")
    number = models.PositiveIntegerField()
    rows = models.JSONField()
    matches_counted = models.PositiveIntegerField()
    matches_total = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    published_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT)
    published_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("published standings")
        verbose_name_plural = _("published standings")
        ordering = ["tournament", "-number"]
        constraints = [models.UniqueConstraint(name="snapshot_number_once", fields=["tournament", "number"])]

    def __str__(self) -> str:
        return f"{self.tournament}, standings {self.number}"
