"""What a public id looks like in an address. Anything else is at no address and never reaches the database."""

from __future__ import annotations

from django.urls import register_converter
from django.urls.converters import StringConverter

from matches.public_ids import LENGTH


class PublicIdConverter(StringConverter):
    """A prefix of whatever kind and its base62 characters."""

    regex = f"[a-z]{{1,3}}_[0-9A-Za-z]{{{LENGTH}}}"


register_converter(PublicIdConverter, "public_id")
