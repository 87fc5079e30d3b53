"""Symmetric memory: the same number of bytes on each rank of a process group,
which all of these ranks can address. It is full of zeros.

On GPUs it comes from PyTorch, and ranks access each other's memory through
NVLink or PCIe. On the CPU, it is a file without a name, which all ranks map.
"""

import os
from typing import Any

import torch

from ... import _capturing
from ..._runtime import SymmetricMemory
from . import exchange

_PAGE = 4096


def allocate(group: Any, device: torch.device, size: int) -> SymmetricMemory:
    """Returns `size` bytes for each rank of a process group. All ranks must
    call this in the same order, with the same size. If the memory is missing on
    any rank, raises Error on all of them."""
    if device.type == "cuda":
        return _on_gpus(group, device, size)
    return _on_cpu(group, size)


def _on_gpus(group: Any, device: torch.device, size: int) -> SymmetricMemory:
    from torch.distributed import _symmetric_memory

    problem, memory = "", None
    try:
        memory = _symmetric_memory.empty(size, dtype=torch.uint8, device=device)
        _fill_with_zeros(memory)
    except RuntimeError as error:
        problem = str(error)
    exchange.require_none(group, "symmetric memory", problem)
    shared = None
    try:
        shared = _symmetric_memory.rendezvous(memory, group.group_name)
    except RuntimeError as error:
        problem = str(error)
    exchange.require_none(group, "addresses of symmetric memory", problem)
    assert shared is not None
    return SymmetricMemory(
        group.rank(),
        list(shared.buffer_ptrs),
        (memory, shared),
        exchange.timeout_of(group),
    )


def _fill_with_zeros(memory: torch.Tensor) -> None:
    # The current stream may be one that a CUDA graph captures. PyTorch has a
    # few streams, of which it hands out the next one, even if it is in use.
    beside = torch.cuda.Stream(memory.device)
    while _capturing.capture_id(beside.cuda_stream):
        beside = torch.cuda.Stream(memory.device)
    with torch.cuda.stream(beside):
        memory.zero_()
    beside.synchronize()


def _on_cpu(group: Any, size: int) -> SymmetricMemory:
    stride = -(-size // _PAGE) * _PAGE
    total = stride * group.size()
    file, problem, memory = -1, "", None
    try:
        if group.rank() == 0:
            file, problem = _new_file(total)
        path = exchange.among(
            group, "memory", f"/proc/{os.getpid()}/fd/{file}"
        )[0]
        exchange.require_none(group, "symmetric memory", problem)
        try:
            # The file is full of zeros.
            memory = torch.from_file(
                path, shared=True, size=total, dtype=torch.uint8
            )
        except RuntimeError as error:
            problem = str(error)
        # From here on, the mappings alone keep the memory.
        exchange.require_none(group, "symmetric memory", problem)
    finally:
        if file >= 0:
            os.close(file)
    assert memory is not None
    begin = memory.data_ptr()
    return SymmetricMemory(
        group.rank(),
        [begin + stride * rank for rank in range(group.size())],
        memory,
        exchange.timeout_of(group),
    )


def _new_file(size: int) -> tuple[int, str]:
    """Returns a new file without a name, and why it has no memory, or ""."""
    file = -1
    try:
        file = os.memfd_create("grout", os.MFD_CLOEXEC)
        os.posix_fallocate(file, 0, size)
    except OSError as error:
        return file, str(error)
    return file, ""
