from django.urls import path

from bots_api.api import views

urlpatterns = [
    path("bots", views.BotList.as_view(), name="api-bots"),
    path("bots/<str:bot_id>", views.BotDetail.as_view(), name="api-bot"),
]
