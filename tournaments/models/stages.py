"""Who meets whom: stages, rounds, pairings, seats, and from where a seat is filled."""

from __future__ import annotations

from enum import StrEnum

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from matches.core.plan import MOST_BOARDS, MOST_DEALS, Length
from matches.models import Match, User
from matches.models.match import is_json_array, is_json_object
from matches.public_ids import PublicIdField
from tournaments.formats.lifecycle import Audience, PairingStatus, RoundStatus, SeatState, Seeding, StageStatus
from tournaments.formats.meetings import BYES
from tournaments.models.entries import Entry
from tournaments.models.fields import MOST_SIDES, choices, known
from tournaments.models.tournament import Tournament

FORMATS = (
    "round_robin",
    "groups",
    "swiss",
    "single_elimination",
    "double_elimination",
    "gauntlet",
    "tables",
    "tables_swiss",
    "table_elimination",
    "whist",
    "partner_swiss",
)


class FeedKind(StrEnum):
    MATCH_PLACE = "match_place"
    """whoever takes this place at another table"""
    STAGE_PLACE = "stage_place"
    """whoever has this number in the stage"""


def choices_of_byes() -> list[tuple[str, str]]:
    return [(kind.value, kind.value.replace("_", " ")) for kind in sorted(BYES)]


class Stage(models.Model):
    """A part of a tournament with one format; what it decides is the business of `formats`."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(_("stage"), default=1)
    name = models.CharField(_("name"), max_length=60, blank=True)
    format = models.CharField(_("format"), max_length=20, default="round_robin")
    settings = models.JSONField(_("settings"), default=dict, blank=True)
    status = models.CharField(_("status"), max_length=8, choices=choices(StageStatus), default=StageStatus.PLANNED)
    seeding = models.CharField(_("seeding"), max_length=8, choices=choices(Seeding), default=Seeding.ENTERED)
    takes = models.JSONField(
        _("who goes on"),
        default=dict,
        blank=True,
        help_text=_("from the stage before: first so many, so many of each group, the best of the next place"),
    )
    carries_points = models.BooleanField(_("points are carried over"), default=False)
    protected_rounds = models.PositiveSmallIntegerField(_("rounds in which clubs and owners are kept apart"), default=0)
    length = models.CharField(_("a match is"), max_length=8, choices=choices(Length), blank=True)
    boards = models.PositiveSmallIntegerField(
        _("boards or parties"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MOST_BOARDS)]
    )
    deals = models.PositiveSmallIntegerField(
        _("deals a board"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MOST_DEALS)]
    )
    ended_with = models.PositiveSmallIntegerField(
        null=True, editable=False, help_text=_("the organiser ended it early, when it had had so many rounds")
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(name="stage_number_once", fields=["tournament", "number"]),
            models.CheckConstraint(name="stage_format_known", condition=Q(format__in=FORMATS)),
            models.CheckConstraint(name="stage_status_known", condition=known("status", StageStatus)),
            models.CheckConstraint(name="stage_seeding_known", condition=known("seeding", Seeding)),
            models.CheckConstraint(name="stage_length_known", condition=Q(length="") | known("length", Length)),
            models.CheckConstraint(name="stage_settings_are_an_object", condition=is_json_object("settings")),
            models.CheckConstraint(name="stage_takes_are_an_object", condition=is_json_object("takes")),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, stage {self.number}"


class StageEntry(models.Model):
    """An entry in a stage, as the stage found it when it started: what comes later changes nothing here."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="stage_entries")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="stage_entries")
    number = models.PositiveSmallIntegerField(_("seed"), help_text=_("pairing number in the stage, from 1"))
    carried = models.IntegerField(_("points brought"), default=0, help_text=_("in quarters"))
    reason = models.JSONField(default=dict, blank=True, help_text=_("how it came to this place"))

    class Meta:
        verbose_name = _("entry of a stage")
        verbose_name_plural = _("entries of a stage")
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(name="stage_entry_once", fields=["stage", "entry"]),
            models.UniqueConstraint(name="stage_entry_number_once", fields=["stage", "number"]),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.entry}"


class Round(models.Model):
    """One round's draw, from proposed to closed. `draw` is the format's own proposal, as it made it.

    `changes`: what the organiser put in its place, and why; `lots`: the seed of this draw's chance, in hexadecimal.
    """

    public_id = PublicIdField(prefix="r_")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("round"))
    part = models.CharField(_("part"), max_length=8, blank=True, help_text=_("of a bracket"))
    status = models.CharField(_("status"), max_length=9, choices=choices(RoundStatus), default=RoundStatus.RELEASED)
    audience = models.CharField(_("who sees it"), max_length=12, choices=choices(Audience), default=Audience.PUBLIC)
    engine = models.CharField(_("drawn by"), max_length=40, blank=True, help_text=_("format and its version"))
    lots = models.CharField(_("lots"), max_length=64, blank=True)
    position = models.JSONField(_("what it was drawn from"), null=True, editable=False)
    draw = models.JSONField(_("proposal"), null=True, editable=False)
    changes = models.JSONField(_("changes by hand"), null=True, editable=False)
    status_reason = models.CharField(_("reason"), max_length=200, blank=True)
    starts_at = models.DateTimeField(_("starts"), null=True, blank=True)
    minutes = models.PositiveSmallIntegerField(_("minutes"), null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(
                name="round_number_once", fields=["stage", "number"], condition=~Q(status="withdrawn")
            ),
            models.CheckConstraint(name="round_audience_known", condition=known("audience", Audience)),
            models.CheckConstraint(name="round_status_known", condition=known("status", RoundStatus)),
            models.CheckConstraint(
                name="round_closed_has_time",
                condition=Q(status="closed", closed_at__isnull=False) | (~Q(status="closed") & Q(closed_at=None)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage}, round {self.number}"


class Pairing(models.Model):
    """A meeting that the draw made: its seats, and at most one match, which is there once both the draw is confirmed
    and the seats are filled.

    `bye`: of which kind, for one entry alone. `reasons`: why these meet, each a list of a code and its numbers.
    `conditional_on`: played only if that table's outcome asks for it. `former`: void matches that it had before.
    """

    public_id = PublicIdField(prefix="g_")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings")
    number = models.PositiveSmallIntegerField(_("table"))
    group = models.PositiveSmallIntegerField(_("group"), null=True, blank=True)
    match = models.OneToOneField(Match, null=True, blank=True, on_delete=models.PROTECT, related_name="pairing")
    bye = models.CharField(_("bye"), max_length=10, choices=choices_of_byes(), blank=True)
    reasons = models.JSONField(_("reasons"), default=list, blank=True)
    conditional_on = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    status = models.CharField(_("status"), max_length=8, choices=choices(PairingStatus), default=PairingStatus.OPEN)

    class Meta:
        verbose_name = _("pairing")
        verbose_name_plural = _("pairings")
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(name="pairing_number_once", fields=["round", "number"]),
            models.CheckConstraint(name="pairing_status_known", condition=known("status", PairingStatus)),
            models.CheckConstraint(
                name="pairing_bye_has_no_match",
                condition=~Q(status__in=["bye", "waiting"]) | Q(match=None),
            ),
            models.CheckConstraint(
                name="pairing_bye_has_a_kind",
                condition=(Q(status="bye") & Q(bye__in=[kind.value for kind in sorted(BYES)])) | ~Q(status="bye"),
            ),
            models.CheckConstraint(name="pairing_reasons_are_a_list", condition=is_json_array("reasons")),
        ]

    def __str__(self) -> str:
        return f"{self.round}, table {self.number}"


class FormerMatch(models.Model):
    """A match that a pairing had before it was taken back or others came to sit there; void, and kept in sight."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="former")
    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="former_pairing")
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("former match")
        verbose_name_plural = _("former matches")
        ordering = ["pairing", "id"]

    def __str__(self) -> str:
        return f"{self.pairing}: {self.match}"


class PairingSeat(models.Model):
    """One entry's place at a pairing; in pairs it has two seats of the match, and `seat` counts the pairs.

    Individuals have a seat each, partners opposite: sides 0 1 0 1.

    A bye is an entry with nobody opposite, never a seat that is still to be filled.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE)
    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="pairing_seats")
    state = models.CharField(max_length=6, choices=choices(SeatState), default=SeatState.FILLED)

    class Meta:
        ordering = ["pairing", "seat"]
        constraints = [
            models.UniqueConstraint(name="pairing_seat_once", fields=["pairing", "seat"]),
            models.CheckConstraint(
                name="pairing_seat_at_table",
                condition=Q(side=F("seat"), seat__lt=MOST_SIDES)
                | Q(seat__gte=2, seat__lt=MOST_SIDES, side=F("seat") - 2),
            ),
            models.UniqueConstraint(name="entry_once_in_a_round", fields=["round", "entry"]),
            models.CheckConstraint(name="pairing_seat_state_known", condition=known("state", SeatState)),
            models.CheckConstraint(
                name="pairing_seat_filled_has_entry",
                condition=(Q(state="filled") & Q(entry__isnull=False)) | (~Q(state="filled") & Q(entry=None)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pairing} seat {self.seat}: {self.entry or self.state}"


class Feed(models.Model):
    """From where a seat of a bracket is filled: stored, so that whoever reads the rows need not know the format."""

    seat = models.OneToOneField(PairingSeat, on_delete=models.CASCADE, related_name="feed")
    kind = models.CharField(max_length=12, choices=choices(FeedKind))
    source = models.ForeignKey(Pairing, null=True, on_delete=models.CASCADE, related_name="feeds")
    place = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="feed_kind_known", condition=known("kind", FeedKind)),
            models.CheckConstraint(
                name="feed_has_its_source",
                condition=Q(kind="match_place", source__isnull=False) | Q(kind="stage_place", source=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seat} ← {self.kind} {self.place}"


class StandingsSnapshot(models.Model):
    """Standings as they were published: a value, never changed afterwards."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="snapshots")
    stage = models.ForeignKey(Stage, null=True, on_delete=models.CASCADE, related_name="snapshots")
    after_round = models.PositiveSmallIntegerField(_("after round"), default=0)
    criteria = models.JSONField(_("criteria"), default=list)
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
