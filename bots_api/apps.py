from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BotsApiConfig(AppConfig):
    name = "bots_api"
    verbose_name = _("Programs")
