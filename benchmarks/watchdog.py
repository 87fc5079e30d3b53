"""Ends the process when the GPU hangs, which no exception could do, and
interrupts a step of Python that takes too long."""

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
    """The step takes too long. This is no Exception, so that code that tries
    many things, such as a compiler that tunes, does not take it for the failure
    of one of them."""


@contextlib.contextmanager
def deadline(seconds):
    """Raises Overdue in the main thread after `seconds`. A call that never
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
