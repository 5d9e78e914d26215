"""A tournament: its rules, its plan, how it counts, where it stands; and the log of what was done to it."""

from __future__ import annotations

import secrets
from enum import StrEnum

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from engine import Rules, rules_of
from matches.core.clocks import Control
from matches.core.plan import MOST_BOARDS, MOST_DEALS, Length, match_overrides
from matches.encryption import EncryptedBytesField
from matches.models import User
from matches.models.match import is_json_array, is_json_object
from matches.public_ids import PublicIdField
from tournaments.formats.lifecycle import TournamentStatus
from tournaments.formats.lots import commitment
from tournaments.models.fields import PAIRS, choices, known
from tournaments.standings.points import Count

MOST_POINTS = 400


class EntriesAre(StrEnum):
    SIDES = "sides"
    """an entry is a side: a player, a pair, a team"""
    INDIVIDUALS = "individuals"
    """at a table of pairs every entry is one player, whose partner the draw chooses"""


def new_lots_seed() -> bytes:
    return secrets.token_bytes(32)


def default_tie_breaks() -> list[str]:
    return ["wins", "direct_encounter", "point_difference"]


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
    length = models.CharField(
        _("a match is"),
        max_length=8,
        choices=[
            (Length.BOARDS.value, _("boards, each from every seat")),
            (Length.PARTIES.value, _("a number of parties")),
            (Length.BEST_OF.value, _("best of a number of parties")),
        ],
        default=Length.BOARDS,
    )
    deals = models.PositiveSmallIntegerField(
        _("deals a board"),
        default=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_DEALS)],
        help_text=_("empty: whole parties by the rules, and in Short the one deal that a party is"),
    )
    control = models.CharField(_("time control"), max_length=8, choices=choices(Control), default=Control.LADDER)
    strict = models.BooleanField(
        _("first fault forfeits"), default=False, help_text=_("otherwise three faults in a party, or two running")
    )
    entries_are = models.CharField(
        _("entries are"),
        max_length=12,
        choices=[
            (EntriesAre.SIDES.value, _("sides: players, pairs or teams")),
            (EntriesAre.INDIVIDUALS.value, _("individuals, whose partners the draw chooses")),
        ],
        default=EntriesAre.SIDES,
    )
    count = models.CharField(
        _("standings count"),
        max_length=8,
        choices=[
            (Count.MATCH.value, _("matches won and drawn, at larger tables places")),
            (Count.SCORE.value, _("card points or stakes")),
            (Count.PARTIES.value, _("parties won")),
        ],
        default=Count.MATCH,
    )
    win_points = models.PositiveSmallIntegerField(
        _("quarter points for a win"), default=4, validators=[MaxValueValidator(MOST_POINTS)]
    )
    draw_points = models.PositiveSmallIntegerField(
        _("quarter points for a draw"), default=2, validators=[MaxValueValidator(MOST_POINTS)]
    )
    loss_points = models.PositiveSmallIntegerField(
        _("quarter points for a loss"), default=0, validators=[MaxValueValidator(MOST_POINTS)]
    )
    tie_breaks = models.JSONField(
        _("tie-breaks"), default=default_tie_breaks, blank=True, help_text=_("in their order, after the points")
    )
    auto_draw = models.BooleanField(
        _("draw by itself"),
        default=True,
        help_text=_("every next round is drawn and released when the one before is over"),
    )
    late_until_round = models.PositiveSmallIntegerField(
        _("late entries up to round"), default=0, help_text=_("0: none after the start")
    )
    venue = models.ForeignKey(
        "tournaments.Venue", verbose_name=_("venue"), null=True, blank=True, on_delete=models.PROTECT
    )
    starts_at = models.DateTimeField(_("starts"), null=True, blank=True)
    rated = models.BooleanField(_("rated"), default=True)
    auto_publish = models.BooleanField(
        _("publish by itself"), default=True, help_text=_("publish the standings when the last match is over")
    )
    seed = EncryptedBytesField(null=True, editable=False)
    lots_seed = EncryptedBytesField(default=new_lots_seed, editable=False)
    is_by_the_rules = models.BooleanField(
        _("by the rules"), default=True, editable=False, help_text=_("until a draw is first changed by hand")
    )
    status = models.CharField(
        _("status"), max_length=12, choices=choices(TournamentStatus), default=TournamentStatus.DRAFT
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
            models.CheckConstraint(name="tournament_status_known", condition=known("status", TournamentStatus)),
            models.CheckConstraint(name="tournament_control_known", condition=known("control", Control)),
            models.CheckConstraint(name="tournament_boards", condition=Q(boards__gte=1, boards__lte=MOST_BOARDS)),
            models.CheckConstraint(
                name="tournament_deals", condition=Q(deals=None) | Q(deals__gte=1, deals__lte=MOST_DEALS)
            ),
            models.CheckConstraint(name="tournament_overrides_are_an_object", condition=is_json_object("overrides")),
            models.CheckConstraint(name="tournament_length_known", condition=known("length", Length)),
            models.CheckConstraint(name="tournament_count_known", condition=known("count", Count)),
            models.CheckConstraint(name="tournament_entries_are_known", condition=known("entries_are", EntriesAre)),
            models.CheckConstraint(
                name="tournament_points_in_order",
                condition=Q(win_points__gte=F("draw_points"), draw_points__gte=F("loss_points")),
            ),
            models.CheckConstraint(name="tournament_tie_breaks_are_a_list", condition=is_json_array("tie_breaks")),
            models.CheckConstraint(
                name="tournament_started_has_time",
                condition=Q(status__in=["draft", "registration", "check_in", "cancelled"])
                | Q(started_at__isnull=False),
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
        return 2 if self.table_kind == PAIRS and self.entries_are == EntriesAre.SIDES else 1

    @property
    def lots_commitment(self) -> str:
        """SHA-256 of the seed of the lots, published with the tournament itself."""
        return commitment(bytes(self.lots_seed))

    @property
    def is_frozen(self) -> bool:
        """Whether rules, plan and entries may no longer change."""
        return self.status not in (TournamentStatus.DRAFT, TournamentStatus.REGISTRATION, TournamentStatus.CHECK_IN)


class TournamentEvent(models.Model):
    """One thing that was done to a tournament, by whom. Never changed afterwards."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(_("what"), max_length=40)
    actor = models.ForeignKey(User, verbose_name=_("by"), null=True, on_delete=models.PROTECT)
    payload = models.JSONField(default=dict)
    created_at = models.DateTimeField(_("when"), auto_now_add=True)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["tournament", "id"]
        constraints = [
            models.CheckConstraint(name="tournament_event_payload_is_an_object", condition=is_json_object("payload"))
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.kind}"
