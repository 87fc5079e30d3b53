"""Runs functions on the ranks of a process group, each in its own process.

    ranks.run(function, 2, *arguments)

calls function(rank, *arguments) on ranks 0 and 1. The test fails with the
traceback of a rank that raises an error, and after a time."""

import datetime
import multiprocessing
import os
import tempfile
import time

import pytest
import torch
from torch import distributed

SECONDS = 300

needs_gloo = pytest.mark.skipif(
    not (distributed.is_available() and distributed.is_gloo_available()),
    reason="PyTorch has no gloo",
)


def run(function, count, *arguments, timeout=60):
    """`timeout` is how many seconds ranks wait for each other."""
    # The processes are forked from one that has imported what they need.
    multiprocessing.set_forkserver_preload(
        ["grout.torch", "torch_mlir.fx", "torch.distributed.tensor.parallel"]
    )
    with tempfile.TemporaryDirectory() as folder:
        context = torch.multiprocessing.start_processes(
            _start,
            (function, count, timeout, f"{folder}/store", arguments),
            count,
            join=False,
            start_method="forkserver",
        )
        end = time.monotonic() + SECONDS
        while not context.join(timeout=max(0.1, end - time.monotonic())):
            if time.monotonic() > end:
                hanging = [
                    rank
                    for rank, process in enumerate(context.processes)
                    if process.is_alive()
                ]
                for process in context.processes:
                    process.kill()
                pytest.fail(f"ranks {hanging} had not ended in {SECONDS} s")


def _start(rank, function, count, timeout, store, arguments):
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
        distributed.destroy_process_group()
