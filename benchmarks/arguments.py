"""Types of command-line arguments."""

import argparse


def positive(kind):
    """A number of `kind` above 0."""
    def parse(text):
        value = kind(text)
        if not value > 0:
            raise argparse.ArgumentTypeError(f"{text} is not above 0")
        return value
    parse.__name__ = kind.__name__  # For "invalid int value".
    return parse
