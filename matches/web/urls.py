from django.urls import path

from matches.web import views

urlpatterns = [
    path("m/<str:public_id>/", views.match, name="match"),
    path("m/<str:public_id>/parties/<int:number>/", views.replay, name="replay"),
]
