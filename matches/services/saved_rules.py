"""Keeping an organiser's own presets: saving, changing, deleting. Each is its owner's alone."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Lower

from engine import Rules, RulesError, rules_of
from matches.core.names import NameRefused, parse_name
from matches.core.plan import why_not_overrides
from matches.models.people import User
from matches.models.saved_rules import SavedRules

MOST_SAVED = 50


def free_rules_name(owner: User, text: str, *, but: SavedRules | None = None) -> str:
    """A name as it is written down, if none of the owner's other presets has it; raises NameRefused."""
    name = parse_name(text)
    others = owner.saved_rules.exclude(pk=but.pk) if but else owner.saved_rules.all()
    if others.alias(lowered=Lower("name")).filter(lowered=Lower(Value(name))).exists():
        raise NameRefused("name_taken", f"You have a preset called “{name}” already: choose another name.")
    if but is None and others.count() >= MOST_SAVED:
        raise NameRefused("too_many", f"You have {MOST_SAVED} presets, the most there are: delete one first.")
    return name


def _checked(rules: str, overrides: Mapping[str, object]) -> Rules:
    if troubles := why_not_overrides(overrides):
        raise RulesError("bad_value", "; ".join(f"{option}: {why}" for option, why in troubles.items()))
    return rules_of(rules, overrides)


@transaction.atomic
def save_rules(owner: User, name: str, rules: str, overrides: Mapping[str, object]) -> SavedRules:
    """Keeps rules under a name. Locks the owner, so that two saves at once cannot both have the last free place.

    Raises NameRefused for a name that is none or is taken, RulesError for rules that do not fit together.
    """
    User.objects.select_for_update().get(pk=owner.pk)
    asked = _checked(rules, overrides)
    return SavedRules.objects.create(
        owner=owner, name=free_rules_name(owner, name), rules=asked.name, overrides=dict(overrides)
    )


@transaction.atomic
def change_rules(saved_id: int, name: str, rules: str, overrides: Mapping[str, object]) -> SavedRules:
    """Renames a preset and sets it anew; events that were drawn up with it stay as they are. Locks its owner."""
    saved = SavedRules.objects.select_related("owner").get(pk=saved_id)
    User.objects.select_for_update().get(pk=saved.owner_id)
    asked = _checked(rules, overrides)
    saved.name = free_rules_name(saved.owner, name, but=saved)
    saved.rules, saved.overrides = asked.name, dict(overrides)
    saved.save(update_fields=["name", "rules", "overrides", "changed_at"])
    return saved


def forget_rules(saved_id: int) -> None:
    """Deletes a preset; events that were drawn up with it stay as they are."""
    SavedRules.objects.filter(pk=saved_id).delete()
