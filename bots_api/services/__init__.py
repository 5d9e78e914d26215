"""What is done to programs and their versions: registering, signing secrets, pings."""

from bots_api.services.pinging import ping
from bots_api.services.registering import add_version, register_bot
from bots_api.services.signing import shown_secret

__all__ = ["add_version", "ping", "register_bot", "shown_secret"]
