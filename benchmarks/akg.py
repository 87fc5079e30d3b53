#!/usr/bin/env python3
"""Measures the operators of AKG's test suite. See --help, and
docs/AkgOperators.md."""

import sys

from operators.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
