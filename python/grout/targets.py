"""The processors that Grout compiles for."""

import dataclasses
import functools
import math
from typing import Optional

from . import _libraries


@dataclasses.dataclass(frozen=True)
class Target:
    """A processor, as a grout_target describes it."""

    name: str
    """The value of the option "target"."""
    architecture: str
    """The architecture for which code is made, such as "sm_90a" or
    "x86-64-v3"."""
    has_products: bool = False
    """Whether there are tile kernels for GEMMs and convolutions."""
    has_f32_products: bool = False
    """Whether these tile kernels take operands of f32, too."""
    has_attention: bool = False
    processors: int = 0
    """The number of SMs or worker threads for which plans are made."""
    peak_memory_rate: float = 0
    """Bytes per second, computed from the clock and the bus of the memory; 0 on
    a CPU."""
    cache_bytes: int = 0
    row_unit: int = 1
    """Rows of matrices, and pixels of images, begin at multiples of this number
    of 16-bit elements."""
    max_convolution_stride: int = 0
    convolution_reach_limit: int = 0
    convolution_corner_limit: int = 0
    """Limits of convolutions; 0 if there is none. See has_filters."""
    head_unit: int = 1
    max_head_elements: int = 0
    """Attention heads have a multiple of head_unit elements, up to the maximum;
    0 if there is none."""
    max_group_rows: int = 0
    """The most rows of a GEMM of groups."""

    def has_filters(self, stride: int, padding: int, reach: int) -> bool:
        """Whether kernels for convolutions take a filter that moves by `stride`
        along an axis with `padding`, and whose last element is `reach` pixels
        from its first. The limits are those of TMA, which loads the pixels."""
        corner = self.convolution_corner_limit
        return not self.max_convolution_stride or (
            stride <= self.max_convolution_stride
            and reach < self.convolution_reach_limit
            and padding <= corner
            and -corner <= padding - reach < corner
        )

    @property
    def device_type(self) -> str:
        """PyTorch's name for such devices: "cuda" or "cpu"."""
        return "cuda" if self.architecture.startswith("sm_") else "cpu"

    @property
    def capability(self) -> Optional[tuple[int, int]]:
        """The compute capability, such as (9, 0); None for a CPU."""
        if self.device_type != "cuda":
            return None
        digits = self.architecture.removeprefix("sm_").rstrip("a")
        return int(digits[:-1]), int(digits[-1])


@dataclasses.dataclass(frozen=True)
class Gpu:
    """The facts that a driver tells about a GPU. 0 stands for a number that the
    driver does not tell."""

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


_ALIKE = 0.1
"""A GPU is alike a target if its numbers differ from the target's by less than
about this share."""


@functools.cache
def known() -> dict[str, Target]:
    """Returns all targets of the compiler by their names."""
    names = {field.name for field in dataclasses.fields(Target)}
    return {
        target["name"]: Target(
            **{name: target[name] for name in names & target.keys()}
        )
        for target in _libraries.description()["targets"]
    }


def get(name: str) -> Target:
    """Returns a target by its name. Raises ValueError if there is no such
    target."""
    if name not in known():
        raise ValueError(f"target is one of {', '.join(known())}, not {name!r}")
    return known()[name]


def cpu() -> Target:
    """Returns the target for this machine's processor."""
    return get("cpu")


def row_unit() -> int:
    """Returns the least number that is a multiple of the row_unit of each
    target."""
    return math.lcm(*(target.row_unit for target in known().values()))


def of_gpu(gpu: Gpu) -> Optional[Target]:
    """Returns the target whose code the GPU runs, and whose memory and
    processors are the nearest to the GPU's. Returns None if it runs no target's
    code."""
    candidates = [
        target
        for target in known().values()
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
    """Whether a GPU is like the GPUs of a target: its memory is as fast, and it
    has as many processors, as far as these are known."""
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
    """Returns the absolute logarithm of the ratio of two numbers, or 0 if one
    of them is not known."""
    return abs(math.log(one / other)) if one and other else 0.0
