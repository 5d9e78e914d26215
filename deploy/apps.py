from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps


class DeployConfig(AppConfig):
    """Templates, static files and commands that belong to no room."""

    name = "deploy"


class ManelaAdminConfig(admin_apps.AdminConfig):
    default = False
    default_site = "deploy.admin_site.ManelaAdminSite"
