from django.urls import path

from bots_api.web import views

urlpatterns = [
    path("b/<str:public_id>/", views.bot, name="bot"),
]
