"""Memory for the intermediates of partitions while they run.

with workspaces.borrow(module.workspace_bytes, device) as address:
    module.run(inputs, outputs, workspace=address)
"""

import collections
import contextlib
from typing import Iterator, Optional

import torch

_ALIGNMENT = 256

# The free buffers: one, or more if threads have run at the same time. There is
# no lock, because a forked process might find it locked for ever.
_free: collections.deque[torch.Tensor] = collections.deque()


@contextlib.contextmanager
def borrow(size: int, device: torch.device) -> Iterator[int]:
    """Yields the address of `size` bytes, aligned for the runtime.

    On a GPU, the bytes are from PyTorch's allocator, which reuses them in the
    order of the current stream. On the CPU, where fresh memory costs more than
    many calls, all partitions of the process use the same bytes in turns, and
    keep them. Partitions that run at the same time have bytes of their own.
    """
    if device.type == "cuda":
        memory = torch.empty(size, dtype=torch.uint8, device=device)
        yield memory.data_ptr()
        return
    memory = _take(size)
    try:
        yield -(-memory.data_ptr() // _ALIGNMENT) * _ALIGNMENT
    finally:
        _give_back(memory)


def _take(size: int) -> torch.Tensor:
    memory = _pop()
    if memory is None or len(memory) < size + _ALIGNMENT:
        del memory  # frees a buffer that is too small first
        memory = torch.empty(size + _ALIGNMENT, dtype=torch.uint8)
    return memory


def _give_back(memory: torch.Tensor) -> None:
    """Keeps the larger one of `memory` and another free buffer."""
    other = _pop()
    _free.append(memory if other is None or len(other) < len(memory) else other)


def _pop() -> Optional[torch.Tensor]:
    try:
        return _free.pop()
    except IndexError:
        return None
