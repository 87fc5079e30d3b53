"""Loggers of Python's logging for the messages of Grout.

GROUT_LOGS="progress,refusals" prints the messages of these two loggers on
standard error, and "all" the messages of all loggers. TORCH_LOGS="grout" and
TORCH_LOGS="+grout" print messages, too; the second one includes long messages.
Without these variables, only warnings are printed.
"""

import logging
import os
import sys

NAMES = {
    "progress": "each partition that was compiled, and how long that took",
    "refusals": "what is left to PyTorch, why, and where it is",
    "cache": "what is wrong with a cache",
    "mlir": "what the importer made of each partition",
    "tuning": "what was measured of products, in mode max-autotune",
    "explain": "what the compiler decided for each partition, and why",
}

ROOT = logging.getLogger("grout")


def logger(name: str) -> logging.Logger:
    """Returns the logger of a name, which is one of NAMES."""
    assert name in NAMES
    return ROOT.getChild(name)


def configure() -> None:
    """Prints the messages of the loggers that GROUT_LOGS names. Warns about
    unknown names."""
    given = [
        name.strip()
        for name in os.environ.get("GROUT_LOGS", "").split(",")
        if name.strip()
    ]
    chosen = list(NAMES) if "all" in given else given
    for name in chosen:
        if name not in NAMES:
            ROOT.warning(
                "GROUT_LOGS has no %r; there are %s, and all",
                name,
                ", ".join(NAMES),
            )
            continue
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("grout: %(message)s"))
        one = logger(name)
        one.addHandler(handler)
        one.setLevel(logging.DEBUG)
        one.propagate = False
