"""What is done to programs and their versions: registering, signing secrets, pings."""

from bots_api.services.pinging import ping
from bots_api.services.registering import BotRefused, add_version, change_bot, register_bot
from bots_api.services.signing import end_rotation, rotate_secret, shown_secret
from bots_api.services.states import newest_active, retire

__all__ = [
    "BotRefused",
    "add_version",
    "change_bot",
    "end_rotation",
    "newest_active",
    "ping",
    "register_bot",
    "retire",
    "rotate_secret",
    "shown_secret",
]
