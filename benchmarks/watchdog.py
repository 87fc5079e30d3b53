"""Ends the process when the GPU hangs, which no exception could."""

import contextlib
import os
import sys
import threading


def _give_up(what, seconds):
    print(f"\ngave up: {what} did not end within {seconds:g} s; results so far "
          "are kept", file=sys.stderr, flush=True)
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
