"""Calls a function in a process of its own, which is ended if it takes too
long or too much memory."""

import dataclasses
import multiprocessing
import pathlib
import re
import time
from typing import Any, Callable

_INTERVAL = 0.2  # seconds


@dataclasses.dataclass(frozen=True)
class Result:
    """`value` is the function's, unless `problem` says why there is none."""

    value: Any
    problem: str
    peak: int
    """Of resident memory, in bytes."""


def _resident(pid, field):
    """A field of /proc in bytes: VmRSS is now, VmHWM the most there was. 0 of
    a process that has ended."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(rf"^{field}:\s+(\d+) kB", status, re.MULTILINE)
    return 1024 * int(found[1]) if found else 0


def _serve(connection, function, args):
    try:
        value, problem = function(*args), ""
    except Exception as error:
        lines = [
            line.strip() for line in str(error).splitlines() if line.strip()
        ]
        value = None
        problem = f"{type(error).__name__}: {lines[0] if lines else ''}"
    connection.send((value, problem))


def call(function: Callable, *args, seconds: float, memory: int) -> Result:
    """`memory` is in bytes; what the process leaves when it crashes is told as
    the problem."""
    context = multiprocessing.get_context("spawn")
    connection, other = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(other, function, args))
    process.start()
    other.close()
    deadline, peak = time.monotonic() + seconds, 0
    value, problem = None, ""
    while not problem:
        peak = max(peak, _resident(process.pid, "VmHWM"))
        if connection.poll(_INTERVAL):
            peak = max(peak, _resident(process.pid, "VmHWM"))
            try:
                value, problem = connection.recv()
            except EOFError:
                process.join()
                problem = f"the process crashes ({process.exitcode})"
            break
        if _resident(process.pid, "VmRSS") > memory:
            problem = f"it takes more than {memory / 2**30:.2g} GiB"
        elif time.monotonic() > deadline:
            problem = f"it takes longer than {seconds:g} s"
    if process.is_alive() and value is None:
        process.kill()
    process.join()
    connection.close()
    return Result(value, problem, peak)
