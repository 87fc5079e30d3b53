"""GROUT_LOGS=explain: what the compiler decided for each partition, and why."""

import logging
from typing import Any

from ... import compiling, logs

_log = logs.logger("explain")


def log_explanation(program: str, **options: Any) -> None:
    """As grout.explain gives it, if somebody wants to see that."""
    if _log.isEnabledFor(logging.DEBUG):
        _log.debug("%s", compiling.explain(program, **options))
