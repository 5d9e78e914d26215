"""Every address of the site."""

from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import include, path

from deploy import pages, signing_up

urlpatterns = [
    path("", pages.home, name="home"),
    path("", include("matches.rulebook.urls")),
    path("", include("matches.organising.urls")),
    path("", include("tournaments.organising.urls")),  # before the pages: /t/new/ is no tournament
    path("", include("tournaments.web.urls")),
    path("", include("matches.web.urls")),
    path("", include("bots_api.web.urls")),
    path("p/<public_id:public_id>/", pages.player, name="player"),
    path("login/", LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("signup/", signing_up.sign_up, name="sign-up"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("healthz", pages.healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("deploy.api_urls")),
]
