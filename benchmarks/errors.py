"""What is the user's to mend."""


class UserError(Exception):
    """Its message is all that the user needs to see."""
