from django.urls import path

from tournaments.api import views

urlpatterns = [
    path("tournaments", views.TournamentList.as_view(), name="api-tournaments"),
    path("tournaments/<str:tournament_id>", views.TournamentDetail.as_view(), name="api-tournament"),
    path("tournaments/<str:tournament_id>/standings", views.Standings.as_view(), name="api-standings"),
    path("tournaments/<str:tournament_id>/rounds", views.RoundList.as_view(), name="api-rounds"),
]
