"""GROUT_LOGS=explain: logs the compiler's decisions for each partition, and
why."""

import logging
from typing import Any

from ... import compiling, logs

_log = logs.logger("explain")


def log_explanation(program: str, **options: Any) -> None:
    """Logs the text of grout.explain for a program, if this logger is
    enabled."""
    if _log.isEnabledFor(logging.DEBUG):
        _log.debug("%s", compiling.explain(program, **options))
