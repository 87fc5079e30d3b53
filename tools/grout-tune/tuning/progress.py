"""Prints a line for each case, with the rate and the remaining time."""

import time


def duration(seconds):
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"


class Progress:
    """`say` prints a line; `clock` returns seconds."""

    def __init__(self, total, say, clock=time.monotonic):
        self._total = total
        self._say = say
        self._clock = clock
        self._start = clock()
        self.done = 0

    @property
    def elapsed(self):
        return self._clock() - self._start

    def step(self, text):
        self.done += 1
        each = self.elapsed / self.done
        left = each * (self._total - self.done)
        self._say(
            f"[{self.done}/{self._total}] {text}; {each:.1f} s a case, "
            + (
                f"{duration(left)} left"
                if self.done < self._total
                else f"{duration(self.elapsed)} in all"
            )
        )
