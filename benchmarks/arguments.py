"""Types of command-line arguments."""

import argparse
import re


def positive(kind):
    """A number of `kind` above 0."""
    def parse(text):
        value = kind(text)
        if not value > 0:
            raise argparse.ArgumentTypeError(f"{text} is not above 0")
        return value
    parse.__name__ = kind.__name__  # For "invalid int value".
    return parse


def pattern(text):
    """A regular expression."""
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no regular expression: {error}") from error
    return text
