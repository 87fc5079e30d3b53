"""What a user of the backend can choose."""

import dataclasses
from typing import Any, Collection, Mapping, Optional

import torch

from .._cache import Folder, folder_of
from ..targets import TARGETS
from .rewrites import f32_products, roundings

FALLBACKS = ("inductor", "eager", "error")
LAUNCH_POLICIES = ("serial", "wave", "opara", "nimble")
MODES = (
    "default",
    "reduce-overhead",
    "max-autotune",
    "max-autotune-no-cudagraphs",
)


@dataclasses.dataclass(frozen=True)
class Options:
    """Of `torch.compile(model, backend="grout", options={...})`."""

    mode: str = "default"
    """With "reduce-overhead" graphs run as CUDA graphs, whose results are
    overwritten by the next call, as torch.compile's are. With "max-autotune",
    besides, tilings of products are measured, which takes longer to compile;
    and the order of kernels if launch_policy is None; with
    "max-autotune-no-cudagraphs" the tilings alone are. On the CPU each is the
    same as "default"."""
    target: Optional[str] = None
    """A processor of grout-compile's --target; None: of the tensors' device."""
    fallback: str = "inductor"
    """Who runs what Grout does not: "inductor", "eager", or nobody ("error")."""
    min_block_size: int = 2
    """Fewer operators than these, views not counted, are left to the fallback,
    unless a matrix product is among them."""
    excluded_ops: frozenset[str] = frozenset()
    """Operators to leave to the fallback: "aten.gelu", "aten.mm.default"."""
    cache_dir: Optional[Folder] = None
    """Where compiled partitions are kept; "" keeps none; None: where
    GROUT_CACHE_DIR says, or in ~/.cache/grout."""
    max_shapes: int = 16
    """For how many combinations of shapes a graph is compiled whose shapes
    change, and for how many buckets beyond these; the fallback runs the
    others."""
    f32_products: Optional[str] = None
    """As what products of f32 are computed: "exact", "bf16x6", "bf16x3" or
    "bf16", as by grout-compile's --f32-products. None: on GPUs as
    torch.set_float32_matmul_precision allows and where it is faster than
    PyTorch's, "exact" on the CPU."""
    rounding: str = "once"
    """Where what is f16 or bf16 is rounded: "once", where a kernel stores what
    several operators, another kernel or the caller read; or "eager", after each
    operator, as PyTorch's kernels do."""
    launch_policy: Optional[str] = None
    """Who orders the kernels of a partition on a GPU, as by grout-compile's
    --launch-policy: "serial", one after another; "wave", side by side in streams
    where that is modelled to be faster; "opara" or "nimble", as those systems
    do. None: with "max-autotune" whichever is measured to be the fastest, else
    "serial"."""
    verify: bool = False
    """Each partition's results are compared with eager's, at each call; the
    first that differs raises MismatchError."""

    @property
    def has_cuda_graphs(self) -> bool:
        return self.mode in ("reduce-overhead", "max-autotune")

    @property
    def is_tuned(self) -> bool:
        """Whether tilings are chosen by measuring them."""
        return self.mode in ("max-autotune", "max-autotune-no-cudagraphs")

    @staticmethod
    def parse(
        mode: Optional[str], options: Optional[Mapping[str, Any]]
    ) -> "Options":
        """Raises ValueError or TypeError for what is none."""
        given = dict(options or {})
        if mode is not None:
            if given.setdefault("mode", mode) != mode:
                raise ValueError(
                    f"grout: mode is {mode!r}, and {given['mode']!r} in options"
                )
        known = {field.name for field in dataclasses.fields(Options)}
        unknown = sorted(set(given) - known)
        if unknown:
            raise ValueError(
                f"grout: there is no option {unknown[0]!r}; there "
                f"are {', '.join(sorted(known))}"
            )
        _one_of(given, "mode", MODES)
        _one_of(given, "fallback", FALLBACKS)
        if given.get("target") is not None:
            _one_of(given, "target", TARGETS)
        if given.get("f32_products") is not None:
            _one_of(given, "f32_products", f32_products.CHOICES)
        _one_of(given, "rounding", roundings.CHOICES)
        if given.get("launch_policy") is not None:
            _one_of(given, "launch_policy", LAUNCH_POLICIES)
        for name in ("min_block_size", "max_shapes"):
            number = given.get(name, 1)
            if (
                not isinstance(number, int)
                or isinstance(number, bool)
                or number < 1
            ):
                raise ValueError(
                    f"grout: {name} is a number from 1 on, not {number!r}"
                )
        given["excluded_ops"] = _names(given.get("excluded_ops", ()))
        if given.get("cache_dir") is not None:
            given["cache_dir"] = folder_of(given["cache_dir"])
        if not isinstance(given.get("verify", False), bool):
            raise TypeError(
                f"grout: verify is True or False, not {given['verify']!r}"
            )
        return Options(**given)


def _names(given: Any) -> frozenset[str]:
    """Of operators: "aten.gelu", "aten.mm.default"."""
    if (
        isinstance(given, str)
        or not isinstance(given, Collection)
        or not all(isinstance(name, str) for name in given)
    ):
        raise TypeError(
            f"grout: excluded_ops is a collection of names, not {given!r}"
        )
    for name in given:
        namespace, _, rest = name.partition(".")
        found: Any = getattr(torch.ops, namespace, None)
        for part in rest.split("."):
            found = getattr(found, part, None) if part else None
        if found is None:
            raise ValueError(
                f"grout: excluded_ops names {name!r}, and there is "
                'no such operator; names are as "aten.gelu" or '
                '"aten.mm.default"'
            )
    return frozenset(given)


def _one_of(
    given: Mapping[str, Any], name: str, allowed: Collection[str]
) -> None:
    if name in given and not (
        isinstance(given[name], str) and given[name] in allowed
    ):
        raise ValueError(
            f"grout: {name} is one of {', '.join(allowed)}, not {given[name]!r}"
        )
