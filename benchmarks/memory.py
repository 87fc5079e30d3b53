#!/usr/bin/env python3
"""Measures memory-bound operators, beside PyTorch. See --help."""

import sys

from memory_bound.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
