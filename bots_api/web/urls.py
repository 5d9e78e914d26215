from django.urls import path

from bots_api.web import bots, challenges, exchanges, guide, tokens, versions, webhooks
from matches import converters  # noqa: F401  # registers <public_id:…>

OF_VERSION = "v/<public_id:version_id>/"
OF_CHALLENGE = "challenges/<public_id:challenge_id>/"
OF_WEBHOOK = "webhooks/<public_id:webhook_id>/"

urlpatterns = [
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<public_id:token_id>/revoke/", tokens.revoke_one, name="token-revoke"),
    path("bots/", bots.bots, name="bots"),
    path("bots/guide/", guide.guide, name="guide"),
    path("bots/new/", bots.new, name="bot-new"),
    path("b/<public_id:public_id>/", bots.bot, name="bot"),
    path("b/<public_id:public_id>/edit/", bots.edit, name="bot-edit"),
    path("b/<public_id:public_id>/versions/new/", bots.version_new, name="version-new"),
    path(OF_VERSION, versions.version, name="version"),
    path(f"{OF_VERSION}qualify/", versions.qualify, name="version-qualify"),
    path(f"{OF_VERSION}accepting/", versions.accepting, name="version-accepting"),
    path(f"{OF_VERSION}secret/", versions.rotate, name="version-rotate"),
    path(f"{OF_VERSION}secret/end/", versions.rotation_end, name="version-rotation-end"),
    path(f"{OF_VERSION}tokens/", versions.token_new, name="version-token-new"),
    path(f"{OF_VERSION}tokens/<public_id:token_id>/revoke/", versions.token_end, name="version-token-end"),
    path(f"{OF_VERSION}retire/", versions.retire, name="version-retire"),
    path(f"{OF_VERSION}messages/<int:number>/", exchanges.message, name="message"),
    path(f"{OF_VERSION}messages/<int:number>/again/", exchanges.again, name="message-again"),
    path("challenges/", challenges.challenges, name="challenges"),
    path("challenges/new/", challenges.new, name="challenge-new"),
    path(OF_CHALLENGE, challenges.challenge, name="challenge"),
    path(f"{OF_CHALLENGE}answer/", challenges.answer, name="challenge-answer"),
    path(f"{OF_CHALLENGE}take-back/", challenges.take_back, name="challenge-take-back"),
    path("webhooks/", webhooks.webhooks, name="webhooks"),
    path(OF_WEBHOOK, webhooks.webhook, name="webhook"),
    path(f"{OF_WEBHOOK}ping/", webhooks.try_it, name="webhook-ping"),
    path(f"{OF_WEBHOOK}switch/", webhooks.switch, name="webhook-switch"),
    path(f"{OF_WEBHOOK}secret/", webhooks.new_secret, name="webhook-secret"),
    path(f"{OF_WEBHOOK}delete/", webhooks.delete, name="webhook-delete"),
    path(f"{OF_WEBHOOK}deliveries/<public_id:delivery_id>/again/", webhooks.again, name="webhook-again"),
]
