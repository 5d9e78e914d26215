"""Where and when: venues with their tables, and who sits where from when to when."""

from __future__ import annotations

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from matches.models import Player
from tournaments.models.stages import Pairing


class Venue(models.Model):
    """A hall, whose tables may serve several tournaments."""

    name = models.CharField(_("name"), max_length=100, unique=True)
    address = models.CharField(_("address"), max_length=200, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=40, default="Europe/Kyiv")

    class Meta:
        verbose_name = _("venue")
        verbose_name_plural = _("venues")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class VenueTable(models.Model):
    venue = models.ForeignKey(Venue, on_delete=models.CASCADE, related_name="tables")
    name = models.CharField(_("table"), max_length=20)
    position = models.PositiveSmallIntegerField(default=0, help_text=_("the best games at the lowest"))

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["venue", "position", "id"]
        constraints = [models.UniqueConstraint(name="venue_table_once", fields=["venue", "name"])]

    def __str__(self) -> str:
        return self.name


class Sitting(models.Model):
    """One player at a pairing, or one table taken by it, from when to when: neither can be in two places at once."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="sittings")
    player = models.ForeignKey(Player, null=True, blank=True, on_delete=models.CASCADE, related_name="sittings")
    table = models.ForeignKey(VenueTable, null=True, blank=True, on_delete=models.PROTECT, related_name="sittings")
    during = DateTimeRangeField(_("from, to"))

    class Meta:
        verbose_name = _("sitting")
        verbose_name_plural = _("sittings")
        ordering = ["during"]
        constraints = [
            models.CheckConstraint(
                name="sitting_of_a_player_or_a_table",
                condition=Q(player=None, table__isnull=False) | Q(player__isnull=False, table=None),
            ),
            ExclusionConstraint(
                name="player_at_one_table_at_once",
                expressions=[("player", RangeOperators.EQUAL), ("during", RangeOperators.OVERLAPS)],
                condition=Q(player__isnull=False),
            ),
            ExclusionConstraint(
                name="table_taken_once_at_once",
                expressions=[("table", RangeOperators.EQUAL), ("during", RangeOperators.OVERLAPS)],
                condition=Q(table__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player or self.table}: {self.during}"
