from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

ORDER = ("tournaments", "bots_api", "matches")


class ManelaAdminSite(AdminSite):
    """The organiser's desk."""

    site_header = _("Manela: the organiser's desk")
    site_title = _("Manela")
    index_title = _("What do you want to run?")
    site_url = "/"

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """What an organiser wants first stands first."""
        rooms = super().get_app_list(request, app_label)
        return sorted(
            rooms, key=lambda room: ORDER.index(room["app_label"]) if room["app_label"] in ORDER else len(ORDER)
        )
