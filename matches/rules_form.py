"""The part of a form in which rules are chosen: a preset, and every option as the preset has it or otherwise.

`RulesPart` joins a form or a model form and gives it `rules` (stored as preset@version), `overrides` (only what differs
from that preset) and `save_as`. It works without a script: “Show its options” sends the form back with the options of
the chosen preset. With one, the labels follow the preset at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from django import forms
from django.forms.utils import ErrorDict
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import EngineError, Rules, RulesError, preset_values, rules_of
from matches.core.names import LONGEST, NameRefused
from matches.core.plan import OF_THE_PLAN, match_overrides
from matches.models.people import User
from matches.models.saved_rules import SavedRules
from matches.rulebook.choices import (
    OFFERED,
    Base,
    book,
    catalogue,
    fits,
    is_asked_for,
    key_of,
    presets_by_family,
    values_of,
)
from matches.rulebook.controls import OptionsPart, options_part
from matches.rulebook.sheet import sheet_of
from matches.rulebook.typed import Refused, Typed, typed_in, typed_of, value_of
from matches.rulebook.words import FAMILIES, TABLES, TABLES_SHORT, TITLES, family_and_table, preset_title
from matches.services.saved_rules import free_rules_name, save_rules

MINE = "mine:"
DEFAULT = "moscow/2"
SHOW = "show_options"
"""Name of the button that only asks for the options of the chosen preset."""


def versioned(rules: str) -> str:
    """`moscow/2` → `moscow/2@1`; what the engine does not know stays as it is."""
    try:
        return rules_of(rules).name
    except EngineError:
        return rules


class PresetWidget(forms.Widget):
    """Every preset as a button of its family's row, one's own in a row of theirs."""

    template_name = "matches/rules_form/preset.html"
    use_fieldset = True
    bases: Mapping[str, Base] = {}

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        chosen = self.bases.get(str(value))
        context |= {
            "chosen": chosen,
            "chosen_title": _title(chosen) if chosen else "",
            "chosen_line": FAMILIES[family_and_table(chosen.rules)[0]].line if chosen else "",
            "families": [_family_row(family, names) for family, names in presets_by_family()],
            "mine": [base for base in self.bases.values() if base.name],
            "show": SHOW,
        }
        return context

    def id_for_label(self, id_: str) -> str:
        return ""


def _family_row(family: str, names: Sequence[str]) -> dict[str, Any]:
    words = FAMILIES[family]
    tables = [(name, TABLES_SHORT[family_and_table(name)[1]], TABLES[family_and_table(name)[1]]) for name in names]
    return {"name": words.name, "line": words.line, "tables": tables}


def _title(base: Base) -> str:
    return f"{base.name} ({preset_title(base.rules)})" if base.name else preset_title(base.rules)


class PresetField(forms.Field):
    """Cleans to the `Base` that was chosen."""

    widget = PresetWidget
    bases: Mapping[str, Base] = {}

    def clean(self, value: Any) -> Base:
        base = self.bases.get(versioned(str(value or "")))
        if base is None:
            raise forms.ValidationError(_("Choose one of the presets."), "unknown_preset")
        return base

    def prepare_value(self, value: Any) -> str:
        return versioned(str(value or DEFAULT))


class OptionsWidget(forms.Widget):
    """All options; which lines stand there follows from the preset, so the form tells this widget what to show."""

    template_name = "matches/rules_form/options.html"
    use_fieldset = True
    form: RulesPart

    class Media:
        css = {"all": ["matches/rules_form.css"]}
        js = ["matches/rules_form.js"]

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> dict[str, Typed]:
        return typed_in(data, name)

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return False  # nothing chosen means: as the preset has it

    def id_for_label(self, id_: str) -> str:
        return ""

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        return context | {
            "part": self.form.part(value),
            "shown_for": self.form.base.key,
            "catalogue": catalogue([base for base in self.form.bases.values() if base.name]),
            "left_out": self.form.left_out(value),
            "of_the_plan": OF_THE_PLAN if self.form.has_plan else (),
        }


class OptionsField(forms.Field):
    """Cleans to the options that were chosen otherwise, by name, with their JSON values."""

    widget = OptionsWidget

    def clean(self, value: Mapping[str, Typed]) -> dict[str, object]:
        values: dict[str, object] = {}
        errors = []
        for option, typed in value.items():
            try:
                values[option] = value_of(option, typed)
            except Refused as refusal:
                errors.append(at_option(option, str(refusal)))
        if errors:
            raise forms.ValidationError(errors)
        return values

    def prepare_value(self, value: Any) -> dict[str, Typed]:
        return {
            option: chosen if isinstance(chosen, Typed) else typed_of(option, chosen)
            for option, chosen in (value or {}).items()
            if option in OFFERED
        }


def at_option(option: str, text: str, code: str = "refused") -> forms.ValidationError:
    """A refusal that the form tells beside the option it concerns, if the option stands in the form."""
    told = _("%(title)s: %(text)s") % {"title": TITLES[option], "text": text}
    if option not in OFFERED:
        return forms.ValidationError(told, code)
    return forms.ValidationError(told, code, {"option": option, "text": text})


class RulesPart(forms.Form):
    """Joins a form. `owner`: whose own presets are offered; None offers the rule book's alone."""

    rules = PresetField(label=gettext_lazy("Rules"))
    overrides = OptionsField(label=gettext_lazy("Options"), required=False)
    save_as = forms.CharField(
        label=gettext_lazy("Save these rules as my preset"),
        required=False,
        max_length=LONGEST,
        help_text=gettext_lazy("A name, if you want to use them again; events keep a copy of their own."),
        widget=forms.TextInput({"class": "vTextField"}),
    )

    owner: User | None = None
    has_plan = True
    rules_chosen: Rules | None = None

    def __init__(self, *arguments: Any, owner: User | None = None, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.owner = owner or self.owner
        if "rules" in self.fields:
            preset = cast(PresetField, self.fields["rules"])
            preset.bases = cast(PresetWidget, preset.widget).bases = self.bases
            cast(OptionsWidget, self.fields["overrides"].widget).form = self

    @cached_property
    def bases(self) -> dict[str, Base]:
        """What can be started from, by the key that the form has for it."""
        own = self.owner.saved_rules.all() if self.owner else ()
        saved = [_saved_base(row) for row in own if row.game_rules]
        return {base.key: base for base in [*saved, *book()]}

    @property
    def base(self) -> Base:
        """What was chosen; a form that names nothing known starts from the first preset of the book."""
        chosen = self["rules"].value()
        return self.bases.get(str(chosen)) or self.bases[versioned(DEFAULT)]

    def part(self, typed: Mapping[str, Typed]) -> OptionsPart:
        return options_part(self.base, self._kept(typed), self._told_at_options())

    def _kept(self, typed: Mapping[str, Typed]) -> dict[str, Typed]:
        """What was typed, but for what the table that is asked for now does not know."""
        if not self.is_shown_anew:
            return dict(typed)
        return {option: one for option, one in typed.items() if is_asked_for(option, self.base.table)}

    def left_out(self, typed: Mapping[str, Typed]) -> list[str]:
        """Titles of the options that were set and that the newly chosen table does not know."""
        kept = self._kept(typed)
        return [str(TITLES[option]) for option in typed if option not in kept]

    def _told_at_options(self) -> dict[str, list[str]]:
        told: dict[str, list[str]] = {}
        refused = self.errors.as_data().get("overrides", []) if self.is_bound else []
        for error in refused:
            if error.params and "option" in error.params:
                told.setdefault(error.params["option"], []).append(error.params["text"])
        return told

    @property
    def refusals(self) -> list[tuple[str, str]]:
        """What was refused of the options, each with the option whose control it leads to, if with one."""
        refused = self.errors.as_data().get("overrides", [])
        return [((error.params or {}).get("option", ""), " ".join(error.messages)) for error in refused]

    # Showing the options of another preset

    @property
    def is_asked_to_show(self) -> bool:
        return self.is_bound and SHOW in self.data

    @property
    def is_shown_anew(self) -> bool:
        """Whether another preset was chosen than the one whose options the sender had before his eyes."""
        seen = self.data.get(f"{self['overrides'].html_name}-shown-for") if self.is_bound else None
        return bool(seen) and seen != self.base.key

    def full_clean(self) -> None:
        if self.is_asked_to_show:
            self._errors, self.cleaned_data = ErrorDict(), {}
            return
        super().full_clean()

    def is_valid(self) -> bool:
        return super().is_valid() and not self.is_asked_to_show

    # From what was typed to what is stored

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        base = cleaned.get("rules")
        if isinstance(base, Base):
            cleaned["rules"] = base.rules
            if "overrides" in cleaned:
                self._settle(cleaned, base)
        self._check_save_as(cleaned)
        return cleaned

    def _settle(self, cleaned: dict[str, Any], base: Base) -> None:
        typed = cleaned["overrides"]
        if typed and self.is_shown_anew:
            self.add_error("rules", _("These are the options of the rules that you have just chosen: look at them."))
        merged = {**base.overrides, **typed}
        rules = self._rules_of(base, merged, typed)
        if rules is None:
            return
        if rules.short and "deals" in cleaned:
            cleaned["deals"] = None  # one deal as it is
        deals = cleaned.get("deals")
        if deals is not None:
            self._check_plan(base, merged, typed, deals)
        cleaned["overrides"] = self._stored(base, merged, deals)
        self.rules_chosen = rules

    def _stored(self, base: Base, merged: Mapping[str, object], deals: int | None) -> dict[str, object]:
        """What differs from the preset of the book, without what the plan decides anyway."""
        given = preset_values(base.rules)
        moot = OF_THE_PLAN if deals is not None else ()
        return {option: value for option, value in merged.items() if value != given[option] and option not in moot}

    def _rules_of(self, base: Base, merged: Mapping[str, object], typed: Mapping[str, object]) -> Rules | None:
        """The rules that were chosen; None if they do not fit together, which is then told where it can be mended."""
        try:
            return rules_of(base.rules, merged)
        except RulesError as error:
            self._tell(base, typed, error)
            return None

    def _check_plan(self, base: Base, merged: Mapping[str, object], typed: Mapping[str, object], deals: int) -> None:
        for option in OF_THE_PLAN:
            if option in typed:
                text = _("With a number of deals a board the plan sets this itself: play whole parties, or leave this.")
                self.add_error("overrides", at_option(option, text, "of_the_plan"))
        try:
            rules_of(base.rules, match_overrides(merged, deals))
        except RulesError as error:
            self.add_error("deals", str(error))

    def _tell(self, base: Base, typed: Mapping[str, object], error: RulesError) -> None:
        """Takes the options one by one, in the order of the rule book, and tells each at which the engine says no."""
        accepted = dict(base.overrides)
        told = False
        for option in [name for name in OFFERED if name in typed]:
            try:
                rules_of(base.rules, {**accepted, option: typed[option]})
            except RulesError as refusal:
                text = _in_words(option, typed[option], base.table, refusal)
                self.add_error("overrides", at_option(option, text, refusal.code))
                told = True
            else:
                accepted[option] = typed[option]
        if not told:
            self.add_error("overrides", forms.ValidationError(error.text, error.code))

    def _check_save_as(self, cleaned: dict[str, Any]) -> None:
        if not cleaned.get("save_as") or self.owner is None:
            return
        try:
            cleaned["save_as"] = free_rules_name(self.owner, cleaned["save_as"])
        except NameRefused as refusal:
            self.add_error("save_as", str(refusal))

    def save_preset(self) -> bool:
        """Keeps the chosen rules under the name that was typed beside them, if one was.

        False if the name was taken since the form looked at it: then the form says so, and nothing is written. To be
        called before what the rules are for is written.
        """
        name = self.cleaned_data.get("save_as")
        if not name or self.owner is None:
            return True
        try:
            save_rules(self.owner, name, self.cleaned_data["rules"], self.cleaned_data["overrides"])
        except NameRefused as refusal:
            self.add_error("save_as", str(refusal))
            return False
        return True

    @cached_property
    def changed_data(self) -> list[str]:
        """What differs from what was loaded, by value: one's own preset and the same set by hand are the same."""
        by_value = {"rules", "overrides", "deals"}
        names = [name for name in self.fields if name not in by_value and self[name]._has_changed()]  # type: ignore[attr-defined]
        if "rules" not in self.fields or not getattr(self, "cleaned_data", None):
            return names
        cleaned = self.cleaned_data
        if "deals" in cleaned and cleaned["deals"] != self["deals"].initial:
            names.append("deals")  # Short takes away a number that nobody touched
        if cleaned.get("rules") != versioned(self.initial.get("rules", "")):
            names.append("rules")
        if cleaned.get("overrides") != (self.initial.get("overrides") or {}):
            names.append("overrides")
        return names


def rules_in_words(rules: str, overrides: Mapping[str, object]) -> str:
    """The sheet of stored rules, as the desk shows what can no longer be changed."""
    return render_to_string("matches/rules_form/sheet.html", {"sheet": sheet_of(rules, overrides)})


def _saved_base(row: SavedRules) -> Base:
    chosen = {option: value for option, value in row.overrides.items() if option in OFFERED}
    return Base(MINE + row.public_id, row.rules, chosen, row.name)


def _in_words(option: str, value: object, table: str, refusal: RulesError) -> str:
    """What to do about a value that does not go with the rest, in the reader's language."""
    if (key := key_of(option, value)) in values_of(option) and not fits(option, key, table):
        return _("This is not played by %(table)s: choose another line.") % {"table": TABLES[table]}
    return {
        "dava": _("The stake can be raised in Short alone: choose Short under “The end of the party”, or leave this."),
        "short": _("Short goes with no jackpot and no offer of fifty: take those off as well, or leave this."),
        "jackpot": _("There is no jackpot in Short: leave this, or take Short off."),
        "offer": _("There is no offer of fifty in Short: leave this, or take Short off."),
    }.get(option, refusal.text)
