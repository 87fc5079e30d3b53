"""What Grout says while it works, as loggers of Python's logging.

GROUT_LOGS="progress,refusals" prints what these say on standard error, "all"
everything; TORCH_LOGS="grout" and "+grout" do, too, the latter with what is
long. Without either, warnings alone are printed.
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
    """One of NAMES."""
    assert name in NAMES
    return ROOT.getChild(name)


def configure() -> None:
    """Prints what GROUT_LOGS names. Unknown names are a warning."""
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
