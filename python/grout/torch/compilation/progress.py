"""Shows the progress of compilation to a user who waits at a terminal."""

import sys
import time

from ... import logs

log = logs.logger("progress")

_PATIENCE = 2.0  # seconds, before anything is shown


class Progress:
    """The progress of a graph's partitions. After a while, it is the last line
    of the terminal. Each partition is logged, too."""

    def __init__(self, partitions: int):
        self._partitions = partitions
        self._done = 0
        self._begin = time.monotonic()
        self._is_shown = False

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_shown:
            self._show("")

    def compiling(self) -> None:
        """Says that the next partition begins."""
        if sys.stderr.isatty() and time.monotonic() - self._begin > _PATIENCE:
            self._is_shown = True
            self._show(
                f"grout: compiling partition {self._done + 1} of "
                f"{self._partitions}"
            )

    def compiled(self, operators: int, seconds: float, outcome: str) -> None:
        """Says that this partition has ended."""
        self._done += 1
        log.info(
            "partition %d of %d: %d operators, %s in %.2f s",
            self._done,
            self._partitions,
            operators,
            outcome,
            seconds,
        )

    @staticmethod
    def _show(text: str) -> None:
        # The control sequence erases the line.
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
