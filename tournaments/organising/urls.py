from django.urls import path

from tournaments.organising import views

urlpatterns = [
    path("t/new/", views.new, name="tournament-new"),
    path("t/<slug:slug>/edit/", views.edit, name="tournament-edit"),
]
