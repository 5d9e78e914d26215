from django.urls import path

from bots_api.web import tokens, views
from matches import converters  # noqa: F401  # registers <public_id:…>

urlpatterns = [
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<public_id:token_id>/revoke/", tokens.revoke_one, name="token-revoke"),
    path("b/<public_id:public_id>/", views.bot, name="bot"),
]
