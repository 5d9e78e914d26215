"""What can go wrong with an embedded server, told to whoever can mend it."""


class EmbeddedError(Exception):
    """An embedded server could not be started or stopped."""

    code = "embedded"


class AlreadyOwned(EmbeddedError):
    """Another process owns this server's folder."""

    code = "already_owned"


class NoPlace(EmbeddedError):
    """The folder for everything that outlives a run cannot be written to."""

    code = "no_place"


class DidNotStart(EmbeddedError):
    """The server's program ended or stayed silent; the text ends with its last words."""

    code = "did_not_start"


class WrongVersion(EmbeddedError):
    """The folder was made by another major version of the server."""

    code = "wrong_version"
