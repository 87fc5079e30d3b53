"""The peer torch.compile. It takes minutes to compile, so it is made only for
the cases that the user chooses, within time limits, and prints a line for
each."""

import re
import time

from watchdog import Overdue, deadline, watchdog

NAME = "torch.compile"

# A compiler hangs if it does not end this long after its time is over.
_GRACE_SECONDS = 60.0


class LeftOut(Exception):
    """Why a peer is left out of a case."""


def _headline(error):
    """Returns the first lines of a message, which may be long."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {' '.join(lines[:3])}"


class TorchCompile:
    """Compiles for cases whose names match `pattern`. Each compilation takes at
    most `seconds`, and all together at most `budget_seconds`."""

    def __init__(
        self, device, pattern, seconds, budget_seconds, clock=time.monotonic
    ):
        self._device = device
        self._pattern = pattern
        self._seconds = seconds
        self._budget = budget_seconds
        self._clock = clock
        self._spent = 0.0
        self._done = 0
        self.total = 0

    def takes(self, case):
        return re.search(self._pattern, case.id) is not None

    def make(self, case, x, weights):
        """Returns a compiled function that computes the result. Raises
        LeftOut."""
        self._done += 1
        left = self._budget - self._spent
        if left <= 0:
            raise LeftOut(f"the {self._budget:g} s for {NAME} are over")
        start = self._clock()
        outcome = "failed"
        try:
            compiled = self._compile(case, x, weights, min(self._seconds, left))
            outcome = "compiled"
        finally:
            took = self._clock() - start
            self._spent += took
            print(
                f"{case.id}: {NAME} {outcome} in {took:.1f} s; "
                f"{self._done} of {self.total}, {self._spent:.0f} s in all",
                flush=True,
            )
        return lambda: compiled(x, *weights)

    def _compile(self, case, x, weights, limit):
        torch, plain = self._device.torch, case.plain

        def function(x, *weights):
            return plain(torch, x, weights)

        try:
            with (
                watchdog(f"{case.id} {NAME}", limit + _GRACE_SECONDS),
                deadline(limit),
            ):
                return self._device.compile(function, (x, *weights))
        except Overdue:
            raise LeftOut(f"did not compile within {limit:.3g} s") from None
        except Exception as error:
            raise LeftOut(_headline(error)) from error
