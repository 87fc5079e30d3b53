"""Types of command-line arguments."""

import argparse
import math
import re


def _number(kind, is_right, wrong):
    def parse(text):
        value = kind(text)
        # Integers may be too large for math.isfinite.
        if not is_right(value) or value == math.inf:
            raise argparse.ArgumentTypeError(f"{text} is {wrong}")
        return value

    parse.__name__ = kind.__name__  # For "invalid int value".
    return parse


def positive(kind):
    """A finite number of `kind` above 0."""
    return _number(kind, lambda value: value > 0, "not above 0")


def not_negative(kind):
    """A finite number of `kind`, at least 0."""
    return _number(kind, lambda value: value >= 0, "not at least 0")


def seed(text):
    """An unsigned integer of 64 bits."""
    return _number(
        int, lambda value: 0 <= value < 2**64, "not from 0 to 2^64 - 1"
    )(text)


def pattern(text):
    """A regular expression."""
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no regular expression: {error}"
        ) from error
    return text
