"""The options that a user of the backend can choose."""

import dataclasses
from typing import Any, Collection, Mapping, Optional

import torch

from .. import compiler_options, targets
from .._cache import Folder, folder_of
from .rewrites import f32_products, roundings

FALLBACKS = ("inductor", "eager", "error")
MODES = (
    "default",
    "reduce-overhead",
    "max-autotune",
    "max-autotune-no-cudagraphs",
)


@dataclasses.dataclass(frozen=True)
class Options:
    """The options of `torch.compile(model, backend="grout", options={...})`."""

    mode: str = "default"
    """With "reduce-overhead", graphs run as CUDA graphs. The next call
    overwrites their results, as with torch.compile.

    With "max-autotune", graphs run as CUDA graphs, too, and tilings of GEMMs
    are measured, which takes longer to compile. If launch_policy is None, the
    order of kernels is measured, too. With "max-autotune-no-cudagraphs", only
    tilings are measured.

    On the CPU, each mode is the same as "default".
    """
    target: Optional[str] = None
    """A name of grout-compile's --target. None: the target of the tensors'
    device."""
    fallback: str = "inductor"
    """What runs the operators that Grout does not run: "inductor" or "eager".
    With "error", such operators raise FallbackForbidden."""
    min_block_size: int = 2
    """A segment with fewer operators than this, not counting views, is left to
    the fallback, unless it has a GEMM or a convolution."""
    excluded_ops: frozenset[str] = frozenset()
    """Operators that are left to the fallback: "aten.gelu",
    "aten.mm.default"."""
    cache_dir: Optional[Folder] = None
    """The folder where compiled partitions are kept; "" keeps none. None: the
    folder that GROUT_CACHE_DIR names, or ~/.cache/grout."""
    max_shapes: int = 16
    """For graphs whose shapes change: how many combinations of shapes are
    compiled, and how many buckets of shapes beyond these. The fallback runs
    other shapes."""
    f32_products: Optional[str] = None
    """How GEMMs of f32 are computed: "exact", "bf16x6", "bf16x3" or "bf16", as
    with grout-compile's --f32-products. None: on GPUs, as
    torch.set_float32_matmul_precision allows, where that is faster than
    PyTorch's GEMM; on the CPU, "exact"."""
    rounding: str = "once"
    """Where f16 and bf16 values are rounded. "once": where a kernel stores a
    value that several operators, another kernel or the caller read. "eager":
    after each operator, as PyTorch's kernels do."""
    launch_policy: Optional[str] = None
    """The policy that orders the kernels of a partition on a GPU, as with
    grout-compile's --launch-policy. "serial" runs them one after another.
    "wave" runs them side by side in streams where that is modelled to be
    faster. "opara" and "nimble" do as those systems do. None: with
    "max-autotune", the policy that is measured to be the fastest; with
    "reduce-overhead", "wave"; else "serial"."""
    trace: bool = False
    """Compiles kernels for a GPU that record their times while `grout.trace`
    records. They are slower than others. On the CPU, all tiles can record."""
    verify: bool = False
    """Compares each partition's results with eager's, at each call. The first
    result that differs raises MismatchError."""

    @property
    def has_cuda_graphs(self) -> bool:
        return self.mode in ("reduce-overhead", "max-autotune")

    @property
    def is_tuned(self) -> bool:
        """Whether tilings are chosen by measuring them."""
        return self.mode in ("max-autotune", "max-autotune-no-cudagraphs")

    @property
    def chosen_policy(self) -> Optional[str]:
        """The launch policy, or None if it is to be measured. Kernels run side
        by side only in CUDA graphs, because elsewhere streams cost time of the
        host."""
        if self.launch_policy:
            return self.launch_policy
        if not self.has_cuda_graphs:
            return "serial"
        return None if self.is_tuned else "wave"

    @staticmethod
    def parse(
        mode: Optional[str], options: Optional[Mapping[str, Any]]
    ) -> "Options":
        """Returns the options that are given. Raises ValueError or TypeError
        for an option or a value that does not exist."""
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
            _one_of(given, "target", targets.known())
        if given.get("f32_products") is not None:
            _one_of(given, "f32_products", f32_products.choices())
        _one_of(given, "rounding", roundings.CHOICES)
        if given.get("launch_policy") is not None:
            _one_of(
                given,
                "launch_policy",
                compiler_options.options()["launch_policy"].values,
            )
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
        for name in ("trace", "verify"):
            if not isinstance(given.get(name, False), bool):
                raise TypeError(
                    f"grout: {name} is True or False, not {given[name]!r}"
                )
        return Options(**given)


def _names(given: Any) -> frozenset[str]:
    """Returns names of operators ("aten.gelu", "aten.mm.default"). Raises
    ValueError if there is no such operator."""
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
