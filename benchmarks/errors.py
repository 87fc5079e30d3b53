"""Errors that the user can mend."""


class UserError(Exception):
    """An error whose message is all that the user needs to see."""
