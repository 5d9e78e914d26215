"""Forms of the desk about entries: who is entered, and who comes in for whom."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.db import transaction
from django.utils.translation import gettext_lazy

from matches.core.names import LONGEST, NameRefused, parse_name
from matches.models import Agent, Player, User
from matches.services.players import person
from tournaments.errors import TournamentError
from tournaments.models import Entry, Tournament
from tournaments.services import entries
from tournaments.services.members import newest_version


class EnterForm(forms.Form):
    """One entry: a player by his name, in pairs with a partner's. Who is not known yet becomes a person."""

    first = forms.CharField(label=gettext_lazy("Player"), max_length=LONGEST)
    second = forms.CharField(label=gettext_lazy("Partner"), max_length=LONGEST, required=False)
    name = forms.CharField(
        label=gettext_lazy("Name of the pair"),
        max_length=LONGEST,
        required=False,
        help_text=gettext_lazy("By default the names of both."),
    )
    club = forms.CharField(label=gettext_lazy("Club"), max_length=entries.LONGEST_CLUB, required=False)
    rating = forms.IntegerField(
        label=gettext_lazy("Rating"), required=False, min_value=1, max_value=entries.MOST_RATING
    )

    def __init__(self, tournament: Tournament, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{"auto_id": "enter_%s", **options})
        self.tournament = tournament
        if tournament.hands < 2:
            del self.fields["second"], self.fields["name"]

    def clean_first(self) -> str:
        return _name(self.cleaned_data["first"])

    def clean_second(self) -> str:
        return _name(self.cleaned_data["second"]) if self.cleaned_data["second"] else ""

    def enter(self, by: User) -> Entry | None:
        """None where it is refused: the form says why, and nothing is written."""
        sent = self.cleaned_data
        names = [name for name in (sent["first"], sent.get("second")) if name]
        try:
            with transaction.atomic():
                agents = [_agent(name) for name in names]
                title = sent.get("name") or None
                told = {"name": title, "club": sent["club"], "rating": sent["rating"], "by": by}
                return entries.enter(self.tournament.pk, *agents, **told)
        except (TournamentError, NameRefused) as refusal:
            self.add_error(None, str(refusal))
            return None


def _name(typed: str) -> str:
    try:
        return parse_name(typed)
    except NameRefused as refusal:
        raise forms.ValidationError(str(refusal), refusal.code) from refusal


def _agent(name: str) -> Agent:
    """The newest version of the player who is called so; a new person if nobody is. Raises TournamentError."""
    player = Player.objects.filter(name=name).first() or person(name)
    return newest_version(player)


class SubstituteForm(forms.Form):
    """Who goes out, and who comes in; the same player twice brings in his newest version."""

    goes = forms.ModelChoiceField(Player.objects.none(), label=gettext_lazy("Who goes out"), empty_label=None)
    comes = forms.CharField(
        label=gettext_lazy("Who comes in"),
        max_length=LONGEST,
        help_text=gettext_lazy("By name. Who is not known yet becomes a person; the same name: his newest version."),
    )

    def __init__(self, entry: Entry, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.entry = entry
        of_entry = Player.objects.filter(memberships__entry=entry).order_by("memberships__position")
        cast(forms.ModelChoiceField, self.fields["goes"]).queryset = of_entry

    def clean_comes(self) -> str:
        return _name(self.cleaned_data["comes"])

    def bring_in(self, by: User) -> bool:
        sent = self.cleaned_data
        try:
            with transaction.atomic():
                comes = Player.objects.filter(name=sent["comes"]).first() or person(sent["comes"])
                entries.substitute(self.entry.pk, sent["goes"].pk, comes.pk, by=by)
        except (TournamentError, NameRefused) as refusal:
            self.add_error(None, str(refusal))
            return False
        return True
