from django.urls import path

from tournaments.web import views

urlpatterns = [
    path("t/<slug:slug>/", views.tournament, name="tournament"),
]
