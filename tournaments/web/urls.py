from django.urls import path

from tournaments.web import views

urlpatterns = [
    path("t/<slug:slug>/", views.tournament, name="tournament"),
    path("t/<slug:slug>/live/", views.live, name="tournament-live"),
    path("t/<slug:slug>/rounds/", views.rounds, name="tournament-rounds"),
    path("t/<slug:slug>/standings/<int:number>/", views.snapshot, name="tournament-standings"),
]
