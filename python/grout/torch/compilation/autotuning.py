"""mode="max-autotune": chooses tilings of GEMMs by measuring on the GPU those
that the compiler's model ranks best, and the order of kernels by measuring the
orders of all policies."""

import concurrent.futures
import json
import pathlib
import tempfile
import threading
from typing import Any, Optional

import torch
from torch.utils._python_dispatch import _disable_current_modes

from ... import compiler_options, compiling, logs
from ...errors import CompileError, RunError
from ...module import Module
from ..runtime import timing
from .explaining import log_explanation

log = logs.logger("tuning")

# How many tilings of each GEMM are measured: as many as grout-tune measures.
_CANDIDATES = 12

# Another order is chosen if it takes less than this share of the serial
# policy's time: measurements differ by as much.
_MARGIN = 0.99

# In this process, one thread at a time measures on the GPU.
_lock = threading.Lock()
_known: dict[tuple[str, str], list[str]] = {}


class Autotuner:
    """Compiles programs with the choices that are measured to be the fastest on
    a GPU."""

    def __init__(self, device: torch.device):
        self._device = device
        self.name = torch.cuda.get_device_name(device)
        """The name of the GPU, on which times depend."""

    def compile(self, program: str, **options: Any) -> Module:
        """Compiles as grout.compile does, with the same options and errors, and
        then measures. The order of kernels is measured if no launch_policy is
        given."""
        best = compiling.compile(program, **options)
        with tempfile.TemporaryDirectory() as folder:
            try:
                with _lock, _disable_current_modes():
                    database = pathlib.Path(folder) / "tuning.jsonl"
                    listed = _listed(program, options)
                    best, options = self._tune(
                        program, best, options, listed, database
                    )
                    if "launch_policy" not in options:
                        best, options = self._order(
                            program, best, options, listed
                        )
            except (RunError, RuntimeError) as error:  # such as out of memory
                log.warning("nothing more is measured: %s", error)
            log_explanation(program, **options)
        return best

    def _tune(
        self,
        program: str,
        modelled: Module,
        options: dict[str, Any],
        listed: dict[str, Any],
        database: pathlib.Path,
    ) -> tuple[Module, dict[str, Any]]:
        """Returns the faster module, and its options: with measured tilings, or
        with modelled ones."""
        lines = [
            line
            for product in listed["products"]
            for line in self._measure(product, options["target"])
        ]
        if lines:
            database.write_text("\n".join(lines) + "\n")
            by_times = {**options, "tuning": str(database)}
            tuned = _try(program, by_times)
            if tuned and self._is_faster(tuned, modelled, listed):
                return tuned, by_times
        return modelled, options

    def _order(
        self,
        program: str,
        serial: Module,
        options: dict[str, Any],
        listed: dict[str, Any],
    ) -> tuple[Module, dict[str, Any]]:
        """Returns the module with the fastest order of kernels, and its
        options. Policies often give the same artifact, which is measured
        once."""
        modules, choices = [serial], [options]
        for policy in compiler_options.options()["launch_policy"].values:
            if policy == "serial":
                continue
            by_policy = {**options, "launch_policy": policy}
            module = _try(program, by_policy)
            if module and all(
                module.artifact != other.artifact for other in modules
            ):
                modules.append(module)
                choices.append(by_policy)
        if len(modules) == 1:
            return serial, options
        first, *others = timing.measure(
            modules, self._device, values=_values(listed)
        )
        if first is None or first.is_given_up:
            return serial, options
        times = {
            i: other.median
            for i, other in enumerate(others, start=1)
            if other and not other.is_given_up
        }
        fastest = min(times, key=times.__getitem__, default=0)
        if not fastest or times[fastest] >= _MARGIN * first.median:
            log.info(
                "a partition takes %.2f us serially, and no other policy "
                "is faster",
                first.median,
            )
            return serial, options
        log.info(
            "a partition takes %.2f us serially, and %.2f us by policy %s",
            first.median,
            times[fastest],
            choices[fastest]["launch_policy"],
        )
        return modules[fastest], choices[fastest]

    def _is_faster(
        self, tuned: Module, modelled: Module, listed: dict[str, Any]
    ) -> bool:
        """Compares whole programs, because GEMMs may perform differently beside
        each other than alone."""
        if tuned.artifact == modelled.artifact:
            return False
        before, after = timing.measure(
            [modelled, tuned], self._device, values=_values(listed)
        )
        if before is None or after is None:
            return False
        log.info(
            "a partition takes %.2f us as modelled, %.2f us as measured",
            before.median,
            after.median,
        )
        return after.median < before.median

    def _measure(self, product: dict[str, Any], target: str) -> list[str]:
        """Returns lines of a tuning database (docs/Tuning.md) for a GEMM."""
        key = self.name, f"{target} {product['key']}"
        if key not in _known:
            _known[key] = self._time(product, target)
        return _known[key]

    def _time(self, product: dict[str, Any], target: str) -> list[str]:
        # The model's choice is the first: the others are compared with it.
        tilings = list(
            dict.fromkeys(
                [
                    product["choice"],
                    *(item["tiling"] for item in product["candidates"]),
                ]
            )
        )
        if len(tilings) == 1:
            return []
        with concurrent.futures.ThreadPoolExecutor() as pool:
            modules = list(
                pool.map(
                    lambda tiling: _compile(product, tiling, target), tilings
                )
            )
        compiled = {
            tiling: module for tiling, module in zip(tilings, modules) if module
        }
        if product["choice"] not in compiled:
            return []
        # The second input is the weight, which the weights of other layers
        # displace from the cache. If both operands are the same tensor, there
        # is only one input.
        has_weight = len(compiled[product["choice"]].inputs) > 1
        times = timing.measure(
            list(compiled.values()),
            self._device,
            cold=[1] if has_weight else [],
            values=_values(product),
        )
        lines = {
            tiling: _line(product, tiling, target, time)
            for tiling, time in zip(compiled, times)
            if time
        }
        log.info(
            "%s: %s",
            product["key"],
            ", ".join(
                f"{tiling} {line['us']:.2f} us"
                for tiling, line in sorted(
                    lines.items(), key=lambda pair: float(pair[1]["us"])
                )[:3]
            ),
        )
        return [json.dumps(line) for line in lines.values()]


def _listed(program: str, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the GEMMs of a program's function, with candidates, and its
    inputs."""
    wanted = {
        name: value
        for name, value in options.items()
        if name in ("target", "f32_products", "rounding", "name")
    }
    try:
        (function,) = compiling.tilings(program, count=_CANDIDATES, **wanted)
    except CompileError as error:  # Most often, there is no GEMM.
        log.debug("no GEMM is measured: %s", error)
        return {"products": [], "inputs": []}
    return function


def _values(listed: dict[str, Any]) -> dict[int, list[int]]:
    """Returns the values of the inputs that have some: the ends of groups of
    rows, for which random numbers would be no sizes."""
    return {
        number: given["values"]
        for number, given in enumerate(listed["inputs"])
        if "values" in given
    }


def _try(program: str, options: dict[str, Any]) -> Optional[Module]:
    """Compiles a program, which is accepted with other options. Returns None if
    it is refused with these options."""
    try:
        return compiling.compile(program, **options)
    except CompileError as error:
        log.debug("%s are refused: %s", options, error)
        return None


def _compile(
    product: dict[str, Any], tiling: str, target: str
) -> Optional[Module]:
    """Compiles a GEMM with a tiling. Returns None if that is refused."""
    text = (
        f"module attributes {{tgemm.tilings = [#tgemm.tiling{tiling}]}} "
        f"{{\n{product['source']}\n}}\n"
    )
    try:
        return compiling.compile(
            text,
            target=target,
            mode="serial",
            name=product["name"],
            reference=False,
        )
    except CompileError as error:
        log.debug("%s is refused: %s", tiling, error)
        return None


def _line(
    product: dict[str, Any], tiling: str, target: str, times: timing.Times
) -> dict[str, Any]:
    return {
        "version": 1,
        "target": target,
        "kind": "product",
        "key": product["key"],
        "mode": "serial",
        "tilings": [tiling],
        "us": round(times.median, 3),
        "samples": len(times.samples),
        **({"eliminated": True} if times.is_given_up else {}),
    }
