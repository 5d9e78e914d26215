"""An organiser's own presets: a preset of the rule book and what he changed in it, under a name."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from engine import EngineError, Rules, rules_of
from matches.models.match import is_json_object
from matches.models.people import User
from matches.public_ids import PublicIdField


class SavedRules(models.Model):
    """Rules that their owner uses again. Whoever plays by them keeps a copy: a later change here changes no event."""

    public_id = PublicIdField(prefix="r_")
    owner = models.ForeignKey(User, verbose_name=_("owner"), on_delete=models.CASCADE, related_name="saved_rules")
    name = models.CharField(_("name"), max_length=60)
    rules = models.CharField(_("rules"), max_length=40, help_text=_("preset@version"))
    overrides = models.JSONField(_("other options"), default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("saved rules")
        verbose_name_plural = _("saved rules")
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint("owner", Lower("name"), name="saved_rules_name_once"),
            models.CheckConstraint(name="saved_rules_overrides_are_an_object", condition=is_json_object("overrides")),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("rules-mine-edit", args=[self.public_id])

    @property
    def game_rules(self) -> Rules | None:
        """The rules themselves; None if this engine no longer knows the preset or an option."""
        try:
            return rules_of(self.rules, self.overrides)
        except EngineError:
            return None
