"""The processors that Grout compiles for: what include/grout-c/Compiler.h tells
of each, for processes that have all they need in the cache and no compiler."""

import dataclasses
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


CPU = Target("cpu", "x86-64-v3", has_products=True, has_f32_products=True,
             has_attention=True)

TARGETS = {target.name: target for target in (
    CPU,
    Target("h200", "sm_90a", has_products=True, has_attention=True),
    Target("a100", "sm_80"),
)}


def get(name: str) -> Target:
    """Raises ValueError if there is none of this name."""
    if name not in TARGETS:
        raise ValueError(f"target is one of {', '.join(TARGETS)}, not {name!r}")
    return TARGETS[name]


def of_capability(capability: tuple[int, int]) -> Optional[Target]:
    """The target for GPUs of this compute capability, if there is one."""
    return next((target for target in TARGETS.values()
                 if target.capability == capability), None)
