"""What a program shows instead of a password."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from bots_api.models.bots import BotVersion
from matches.models import User
from matches.models.match import is_json_array
from matches.public_ids import PublicIdField


class ApiToken(models.Model):
    """What a program of somebody's shows instead of a password. Only its digest is kept; it is shown once.

    `version`: a token with which that version plays, and nothing else of the owner's is reached by it; at most two of
    a version are alive. `hint`: its last characters, by which its owner tells it from others.
    """

    public_id = PublicIdField(prefix="k_")
    owner = models.ForeignKey(User, verbose_name=_("owner"), on_delete=models.CASCADE, related_name="api_tokens")
    version = models.ForeignKey(
        BotVersion, verbose_name=_("version"), null=True, blank=True, on_delete=models.CASCADE, related_name="tokens"
    )
    name = models.CharField(_("name"), max_length=60, help_text=_("what it is for"))
    digest = models.CharField(max_length=64, unique=True, editable=False)
    hint = models.CharField(_("ends in"), max_length=8, editable=False)
    scopes = models.JSONField(_("may"), default=list)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"))
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering = ["owner", "-created_at"]
        constraints = [models.CheckConstraint(name="token_scopes_are_a_list", condition=is_json_array("scopes"))]

    def __str__(self) -> str:
        return f"{self.name} …{self.hint}"
