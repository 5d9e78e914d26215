from django.urls import path

from matches.organising import views

urlpatterns = [
    path("m/new/", views.new, name="match-new"),
]
