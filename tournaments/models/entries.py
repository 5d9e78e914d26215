"""Who takes part: entries, their members, and the rounds that they asked to sit out."""

from __future__ import annotations

from enum import StrEnum

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from matches.models import Agent, Player
from matches.public_ids import PublicIdField
from tournaments.formats.lifecycle import EntryStatus
from tournaments.models.fields import LONGEST_ENTRY_NAME, MOST_MEMBERS, choices, known
from tournaments.models.tournament import Tournament


class ByeKind(StrEnum):
    HALF = "half_bye"
    ZERO = "zero_bye"


class Entry(models.Model):
    """A place in a tournament: one player's, or a pair's. The members' versions are pinned from the first."""

    public_id = PublicIdField(prefix="e_")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    name = models.CharField(_("name"), max_length=LONGEST_ENTRY_NAME)
    number = models.PositiveSmallIntegerField(_("number"), help_text=_("pairing number, from 1"))
    status = models.CharField(_("status"), max_length=10, choices=choices(EntryStatus), default=EntryStatus.ACTIVE)
    rating = models.PositiveSmallIntegerField(_("rating"), null=True, blank=True)
    club = models.CharField(_("club"), max_length=60, blank=True, help_text=_("clubmates do not meet early"))
    hands = models.PositiveSmallIntegerField(
        null=True, editable=False, help_text=_("so many members were entered to play; those behind them stand by")
    )
    checked_in_at = models.DateTimeField(_("checked in"), null=True, blank=True)
    joined_round = models.PositiveSmallIntegerField(
        _("plays from round"), default=1, help_text=_("later than 1 for a late entry; counted in its first stage")
    )
    left_stage = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    left_round = models.PositiveSmallIntegerField(
        _("gone from round"), null=True, blank=True, editable=False, help_text=_("of the stage in which it left")
    )
    status_reason = models.CharField(_("reason"), max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(name="entry_number_once", fields=["tournament", "number"]),
            models.UniqueConstraint("tournament", Lower("name"), name="entry_name_once"),
            models.CheckConstraint(name="entry_status_known", condition=known("status", EntryStatus)),
        ]

    def __str__(self) -> str:
        return self.name

    def seat_agents(self) -> tuple[Agent, ...]:
        """Who plays each hand that the entry has at a table; a single member of a pair plays both.

        Members beyond the hands are substitutes, who play when they are brought in.
        """
        agents = [member.agent for member in self.members.all()]
        return tuple(agents[hand % len(agents)] for hand in range(self.tournament.hands))


class EntryMember(models.Model):
    """Who belongs to an entry, and the version that plays: one member for individuals, one or two for pairs,
    more where there are substitutes.

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


class AskedBye(models.Model):
    """A round that an entry asked to sit out before it was drawn."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="asked_byes")
    stage_number = models.PositiveSmallIntegerField(_("stage"), default=1)
    round_number = models.PositiveSmallIntegerField(_("round"))
    kind = models.CharField(_("points"), max_length=10, choices=choices(ByeKind), default=ByeKind.ZERO)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("bye asked for")
        verbose_name_plural = _("byes asked for")
        ordering = ["entry", "stage_number", "round_number"]
        constraints = [
            models.UniqueConstraint(name="bye_asked_once", fields=["entry", "stage_number", "round_number"]),
            models.CheckConstraint(name="asked_bye_kind_known", condition=known("kind", ByeKind)),
        ]

    def __str__(self) -> str:
        return f"{self.entry}: {self.kind} in round {self.round_number}"
