"""Runs functions on the ranks of a process group, each in its own process.

    ranks.run(function, 2, *arguments)

calls function(rank, *arguments) on ranks 0 and 1. The test fails with the
traceback of a rank that raises an error, and after a time.

Calls of one session share the processes, because PyTorch needs seconds for what
a process compiles first. Each call has a process group of its own. After a call
that fails, the processes are ended."""

import datetime
import multiprocessing
import multiprocessing.connection
import os
import tempfile
import time
import traceback

import pytest
import torch
from torch import distributed

SECONDS = 300

needs_gloo = pytest.mark.skipif(
    not (distributed.is_available() and distributed.is_gloo_available()),
    reason="PyTorch has no gloo",
)


class _Rank:
    """A process that runs functions until it is ended."""

    def __init__(self):
        context = multiprocessing.get_context("forkserver")
        self.connection, other = context.Pipe()
        self.process = context.Process(
            target=_serve, args=(other,), daemon=True
        )
        self.process.start()
        other.close()

    def result(self):
        """Waits for the function; None, or what is wrong."""
        try:
            return self.connection.recv()
        except EOFError:
            self.process.join()
            return f"the process ended with {self.process.exitcode}"


_ranks: list[_Rank] = []

# Modules that are imported once, before the processes are forked.
PRELOADED = [
    "grout.torch",
    "torch_mlir.fx",
    "torch.distributed.tensor.parallel",
]


def run(function, count, *arguments, timeout=60):
    """`timeout` is how many seconds ranks wait for each other."""
    multiprocessing.set_forkserver_preload(PRELOADED)
    while len(_ranks) < count:
        _ranks.append(_Rank())
    with tempfile.TemporaryDirectory() as folder:
        for rank, one in enumerate(_ranks[:count]):
            one.connection.send(
                (rank, function, count, timeout, f"{folder}/store", arguments)
            )
        if problem := _problem(count):
            for one in _ranks:
                one.process.kill()
                one.process.join()
            _ranks.clear()
            pytest.fail(problem)


def _problem(count):
    """Waits for the first ranks; None, or what is wrong with one of them."""
    end = time.monotonic() + SECONDS
    waiting = {one.connection: i for i, one in enumerate(_ranks[:count])}
    while waiting:
        ready = multiprocessing.connection.wait(
            waiting, max(0, end - time.monotonic())
        )
        if not ready:
            ranks = sorted(waiting.values())
            return f"ranks {ranks} had not ended in {SECONDS} s"
        for connection in ready:
            rank = waiting.pop(connection)
            if problem := _ranks[rank].result():
                return f"rank {rank}: {problem}"
    return None


def _serve(connection):
    while True:
        try:
            call = connection.recv()
        except EOFError:  # the tests have ended
            return
        try:
            _call(*call)
            problem = None
        except BaseException:  # as pytest's, which are no Exceptions
            problem = traceback.format_exc()
        connection.send(problem)


def _call(rank, function, count, timeout, store, arguments):
    import grout.torch

    os.environ["GROUT_CACHE_DIR"] = ""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    distributed.init_process_group(
        "gloo",
        init_method=f"file://{store}",
        rank=rank,
        world_size=count,
        timeout=datetime.timedelta(seconds=timeout),
    )
    try:
        function(rank, *arguments)
    finally:
        grout.torch.wait()
        torch._dynamo.reset()
        if distributed.is_initialized():
            distributed.destroy_process_group()
