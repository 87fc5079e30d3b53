"""Ends the process when the GPU hangs, which no exception could; and ends a
step of Python's that takes too long."""

import contextlib
import os
import signal
import sys
import threading


def _give_up(what, seconds):
    print(
        f"\ngave up: {what} did not end within {seconds:g} s; results so far "
        "are kept",
        file=sys.stderr,
        flush=True,
    )
    os._exit(3)


@contextlib.contextmanager
def watchdog(what, seconds):
    timer = threading.Timer(seconds, _give_up, [what, seconds])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class Overdue(BaseException):
    """No Exception: whoever tries many things, such as a compiler that tunes,
    must not take it for the failure of one."""


@contextlib.contextmanager
def deadline(seconds):
    """Raises Overdue where the main thread is after so long. A call that never
    returns to Python is not interrupted."""

    def ring(number, frame):
        raise Overdue

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
