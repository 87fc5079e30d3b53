"""The processors that Grout compiles for: what include/grout-c/Compiler.h tells
of each, for processes that have all they need in the cache and no compiler."""

import dataclasses
import math
from typing import Optional


@dataclasses.dataclass(frozen=True)
class Target:
    """A grout_target."""

    name: str
    """What the option "target" takes."""
    architecture: str
    """What code is made for: "sm_90a", "x86-64-v3"."""
    has_products: bool = False
    """There are tile kernels for matrix products and convolutions."""
    has_f32_products: bool = False
    """They take factors of f32, too."""
    has_attention: bool = False
    processors: int = 0
    """SMs, or worker threads that plans are made for."""
    peak_memory_rate: float = 0
    """Bytes per second that clock and bus of the memory make; 0 on a CPU."""
    cache_bytes: int = 0

    @property
    def device_type(self) -> str:
        """PyTorch's name of the devices it is one of."""
        return "cuda" if self.architecture.startswith("sm_") else "cpu"

    @property
    def capability(self) -> Optional[tuple[int, int]]:
        """The compute capability of such GPUs."""
        if self.device_type != "cuda":
            return None
        digits = self.architecture.removeprefix("sm_").rstrip("a")
        return int(digits[:-1]), int(digits[-1])


@dataclasses.dataclass(frozen=True)
class Gpu:
    """What a driver says of a GPU. 0 is what it does not say."""

    name: str
    capability: tuple[int, int]
    processors: int = 0
    peak_memory_rate: float = 0
    cache_bytes: int = 0

    def __str__(self) -> str:
        rate = (
            f", {self.peak_memory_rate / 1e12:.2f} TB/s"
            if self.peak_memory_rate
            else ""
        )
        return f"{self.name} ({self.processors} SMs{rate})"


CPU = Target(
    "cpu",
    "x86-64-v3",
    has_products=True,
    has_f32_products=True,
    has_attention=True,
    processors=8,
    cache_bytes=32 << 20,
)

TARGETS = {
    target.name: target
    for target in (
        CPU,
        Target(
            "h100",
            "sm_90a",
            has_products=True,
            has_attention=True,
            processors=132,
            peak_memory_rate=3.352e12,
            cache_bytes=50 << 20,
        ),
        Target(
            "h200",
            "sm_90a",
            has_products=True,
            has_attention=True,
            processors=132,
            peak_memory_rate=4.917e12,
            cache_bytes=50 << 20,
        ),
        Target(
            "a100",
            "sm_80",
            processors=108,
            peak_memory_rate=2.039e12,
            cache_bytes=40 << 20,
        ),
    )
}

_ALIKE = 0.1
"""How far from a target's numbers, as a share, those of such a GPU are."""


def get(name: str) -> Target:
    """Raises ValueError if there is none of this name."""
    if name not in TARGETS:
        raise ValueError(f"target is one of {', '.join(TARGETS)}, not {name!r}")
    return TARGETS[name]


def of_gpu(gpu: Gpu) -> Optional[Target]:
    """The target whose code the GPU runs, and whose memory and processors are
    nearest to its own; None if it runs that of none."""
    candidates = [
        target
        for target in TARGETS.values()
        if target.capability == gpu.capability
    ]
    return min(
        candidates,
        default=None,
        key=lambda target: (
            _distance(gpu, target),
            target.name not in gpu.name.lower(),
        ),
    )


def is_alike(gpu: Gpu, target: Target) -> bool:
    """Whether the target was made for such a GPU: its memory is as fast, and it
    has as many processors, as far as is known."""
    return (
        _ratio(gpu.peak_memory_rate, target.peak_memory_rate) < _ALIKE
        and _ratio(gpu.processors, target.processors) < _ALIKE
    )


def _distance(gpu: Gpu, target: Target) -> float:
    return (
        _ratio(gpu.peak_memory_rate, target.peak_memory_rate)
        + _ratio(gpu.processors, target.processors)
        + _ratio(gpu.cache_bytes, target.cache_bytes)
    )


def _ratio(one: float, other: float) -> float:
    """How far apart they are, either way; 0 if one is not known."""
    return abs(math.log(one / other)) if one and other else 0.0
