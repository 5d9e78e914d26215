from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BotsApiConfig(AppConfig):
    name = "bots_api"
    verbose_name = _("Programs")

    def ready(self) -> None:
        from bots_api import schema  # noqa: F401  # registers the scheme with the API's schema
