"""The engine's version, which every record names."""

from typing import Final

ENGINE_VERSION: Final = "0.2.0"
