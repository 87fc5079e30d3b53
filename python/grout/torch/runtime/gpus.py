"""Finds the targets for the GPUs of this machine."""

import functools
from typing import Any, Optional

import torch

from ... import logs, targets


def target_of(device: torch.device) -> Optional[targets.Target]:
    """Returns the target for a GPU, or None if there is none."""
    return _target_of(describe(torch.cuda.get_device_properties(device)))


@functools.cache
def _target_of(gpu: targets.Gpu) -> Optional[targets.Target]:
    target = targets.of_gpu(gpu)
    if target and not targets.is_alike(gpu, target):
        logs.ROOT.warning(
            "%s has no target of its own: kernels are those for %s, the nearest "
            "one. Their results are the same, but other tiles may be faster",
            gpu,
            target.name,
        )
    return target


def describe(properties: Any) -> targets.Gpu:
    """Describes a GPU. A number that this version of PyTorch does not tell,
    such as the memory's clock, is 0."""
    # PyTorch gives kHz and bits. The memory moves data twice in each clock.
    clock = 1e3 * getattr(properties, "memory_clock_rate", 0)
    width = getattr(properties, "memory_bus_width", 0) / 8
    return targets.Gpu(
        properties.name,
        (properties.major, properties.minor),
        properties.multi_processor_count,
        2 * clock * width,
        properties.L2_cache_size,
    )
