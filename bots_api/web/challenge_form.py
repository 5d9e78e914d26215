"""The form in which an owner has a program of his challenge others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bots_api.challenges.errors import ChallengeRefused
from bots_api.challenges.reading import find_version
from bots_api.challenges.services import LONGEST_HOURS, challenge
from bots_api.models import BotVersion, Challenge, ChallengePolicy
from matches.core.clocks import Control
from matches.core.house import house_programs
from matches.core.plan import Length
from matches.models import Agent, AgentStatus, User
from matches.organising.forms import MOST_SEATS, MatchForm
from matches.rules_form import RulesPart
from matches.web.wording import budget_words

OTHERS = tuple(f"seat_{number}" for number in range(2, MOST_SEATS + 1))
FIELD_OF = {"opponents": OTHERS[0]}
"""Where the form tells what a challenge is refused for, if not at the field of that name."""
NOBODY = ("", gettext_lazy("nobody yet"))


def _seat(number: int) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=gettext_lazy("Seat %(number)s") % {"number": number},
        required=False,
        choices=opponents,
        widget=forms.Select({"data-seat": number}),
    )


def opponents() -> list[tuple[str, Any]]:
    """Everybody who can be challenged: the house by label, programs by their version. One query."""
    house = [(one.label, f"house:{one.label} ({budget_words(one.label)})") for one in house_programs()]
    active = BotVersion.objects.filter(agent__status=AgentStatus.ACTIVE, is_accepting=True)
    rows = active.exclude(bot__challenges=ChallengePolicy.NONE).select_related("agent__player__owner", "bot")
    programs = [(row.agent.public_id, _named(row)) for row in rows.order_by("agent__player__name", "-created_at")]
    return [NOBODY, (_("House programs"), house), (_("Programs"), programs)]


def _named(row: BotVersion) -> str:
    owner = row.agent.player.owner
    named = f"{row.agent} ({owner.username})" if owner else str(row.agent)
    return _("%(name)s, asks its owner") % {"name": named} if row.bot.challenges == ChallengePolicy.ASK else named


def own_versions(user: User) -> Any:
    """The versions with which somebody can challenge: his own that play."""
    return (
        Agent.objects.filter(bot_version__is_accepting=True, status=AgentStatus.ACTIVE, player__owner=user)
        .select_related("player")
        .order_by("player__name", "-created_at")
    )


class ChallengeForm(RulesPart):
    """Who, whom, under which rules, for how long. `owner`: whose programs challenge."""

    challenger = forms.ModelChoiceField(
        Agent.objects.none(), label=gettext_lazy("Your program"), to_field_name="public_id", empty_label=None
    )
    seat_2, seat_3, seat_4 = (_seat(number) for number in range(2, MOST_SEATS + 1))
    # As an organiser's single match has them.
    length, boards, deals, control, strict = (
        MatchForm.base_fields[name] for name in ("length", "boards", "deals", "control", "strict")
    )
    rated = forms.BooleanField(
        label=gettext_lazy("Rated"),
        required=False,
        help_text=gettext_lazy("Never between programs of one owner."),
    )
    hours = forms.IntegerField(
        label=gettext_lazy("Hours that it stands open"), initial=24, min_value=1, max_value=LONGEST_HOURS
    )

    def __init__(self, *arguments: Any, owner: User, **options: Any) -> None:
        super().__init__(*arguments, owner=owner, **options)
        cast(forms.ModelChoiceField, self.fields["challenger"]).queryset = own_versions(owner)

    @property
    def seats(self) -> list[forms.BoundField]:
        """The seats beside the challenger's own, for the template."""
        return [self[name] for name in OTHERS]

    def why_not_wished(self) -> str:
        """What to tell if the link that led here names an opponent who cannot be challenged; empty if it does not."""
        wished = self.initial.get(OTHERS[0], "")
        agent = Agent.objects.filter(public_id=wished).select_related("player").first()
        seat = cast(forms.ChoiceField, self.fields[OTHERS[0]])
        if agent is None or seat.valid_value(wished):
            return ""
        return _("%(name)s takes no challenges just now: choose another one.") % {"name": agent}

    def offer(self, by: User) -> Challenge | None:
        """The challenge; None if it was refused, which the form then says where it can be mended."""
        try:
            with transaction.atomic():
                return self._made(by) if self.save_preset() else None
        except ChallengeRefused as refusal:
            field = FIELD_OF.get(refusal.field, refusal.field)
            self.add_error(field if field in self.fields else None, str(refusal))
            return None

    def _made(self, by: User) -> Challenge:
        chosen = self.cleaned_data
        return challenge(
            by,
            chosen["challenger"],
            self._others(),
            rules=chosen["rules"],
            overrides=chosen["overrides"],
            length=Length(chosen["length"] or Length.BOARDS),
            boards=chosen["boards"],
            deals=chosen["deals"],
            control=Control(chosen["control"]),
            strict=chosen["strict"],
            rated=chosen["rated"],
            hours=chosen["hours"],
        )

    def _others(self) -> Sequence[Agent]:
        players = self.rules_chosen.players if self.rules_chosen else 0
        return [
            find_version(self.cleaned_data[name], "opponents")
            for name in OTHERS[: players - 1]
            if self.cleaned_data[name]
        ]
