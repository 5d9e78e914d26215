from django.contrib.admin import AdminSite
from django.utils.translation import gettext_lazy as _


class ManelaAdminSite(AdminSite):
    """The organiser's desk."""

    site_header = _("Manela: the organiser's desk")
    site_title = _("Manela")
    index_title = _("What do you want to run?")
    site_url = "/"
