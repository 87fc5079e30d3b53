"""Runs the cases of a manifest. For each case, prepares all variants, checks
and times them side by side, and reports."""

import contextlib
import random
import time

import peers
import report
import timing
import torch_compile
import workloads
from watchdog import watchdog

# Tolerances of the relative Frobenius error. Rounding of the intermediate and
# of the result makes about 3e-4 (f16) and 2.4e-3 (bf16).
TOLERANCE = {"f16": 1e-3, "bf16": 5e-3}


class DeviceLost(Exception):
    """The GPU is lost: after an error on the GPU, every further call fails,
    too."""


class WrongResult(Exception):
    pass


class Data:
    """The inputs and the reference of the current case. Weights, and their
    copies in f32, are made once for all consecutive cases of a model."""

    def __init__(self, device):
        self._device = device
        self._model = None

    def prepare(self, case):
        if case.model != self._model:
            # Frees the weights of the last model first: both may not fit.
            self._model = self.weights = self._wide = None
            self.weights = [
                self._device.random(
                    shape, case.dtype, shape[0] ** -0.5, f"{case.model}/{i}"
                )
                for i, shape in enumerate(case.weight_shapes)
            ]
            self._wide = [self._device.wide(w) for w in self.weights]
            self._model = case.model
        self.x = self._device.random(
            case.input_shape, case.dtype, 1.0, f"{case}/x"
        )
        self.want = case.plain(
            self._device.torch, self._device.wide(self.x), self._wide
        )


class Runner:
    """Runs cases. `options` are those of `bench.py run`."""

    def __init__(self, device, runtime, options):
        self._device = device
        self._runtime = runtime
        self._options = options
        self._rng = random.Random(options.seed)
        self._data = Data(device)
        self._compiler = torch_compile.TorchCompile(
            device,
            options.torch_compile_filter,
            options.torch_compile_seconds,
            options.torch_compile_budget,
        )

    def run(self, folder, entries, results):
        """Adds a row to `results` for each entry of a manifest, whose files are
        in `folder`."""
        self._compiler.total = sum(
            self._compiler.takes(case) for case, _ in entries
        )
        for case, compiled in entries:
            start = time.monotonic()
            row = {
                "case": workloads.describe(case),
                "id": case.id,
                "variants": {},
            }
            try:
                self._run_case(folder, case, compiled, row["variants"])
            finally:
                row["seconds"] = round(time.monotonic() - start, 2)
                results.add(row)
                print(report.console(row), flush=True)

    def _run_case(self, folder, case, compiled, variants):
        data, limit = self._data, self._options.timeout_seconds
        data.prepare(case)
        iterations = self._options.iterations or timing.iterations(
            case.flops, case.bytes
        )
        graphs = {}
        made = peers.make(
            self._device,
            case,
            self._options.peers,
            data.x,
            data.weights,
            self._compiler,
        )
        for name, make in made.items():
            variants[name] = {"group": "peer"}
            with self._attempt(variants[name], case.id, name):
                graphs[name] = self._prepare(
                    case, make(), iterations, variants[name]
                )
        for name, outcome in compiled.items():
            variants[name] = {"group": "grout"}
            if "refused" in outcome:
                variants[name]["refused"] = outcome["refused"]
                continue
            with (
                watchdog(f"{case.id} {name}", limit),
                self._attempt(variants[name], case.id, name),
            ):
                body = self._grout(case, folder / outcome["artifact"])
                graphs[name] = self._prepare(
                    case, body, iterations, variants[name]
                )
        with watchdog(f"timing of {case.id}", limit):
            self._time(variants, graphs, iterations)
            for name, graph in graphs.items():
                with self._attempt(variants[name], case.id, name):
                    self._check(case, graph, variants[name])
        for name in graphs:
            variant = variants[name]
            if self._options.replays and variant["group"] == "grout":
                with (
                    watchdog(f"replays of {case.id} {name}", limit),
                    self._attempt(variant, case.id, name),
                ):
                    self._replay(
                        case, folder / compiled[name]["artifact"], variant
                    )

    @contextlib.contextmanager
    def _attempt(self, variant, case_id, name):
        """Records the failure of one variant, and goes on, unless the GPU is
        lost."""
        try:
            yield
        except torch_compile.LeftOut as error:
            variant["refused"] = str(error)
            self._check_device(case_id, name, error)
        except Exception as error:
            variant["failed"] = f"{type(error).__name__}: {error}"
            self._check_device(case_id, name, error)

    def _check_device(self, case_id, name, error):
        try:
            self._device.synchronize()
        except Exception as lost:
            raise DeviceLost(f"{case_id} {name}: {error}") from lost

    def _grout(self, case, path, poison=False):
        """Returns a function that computes the result with an artifact."""
        output = self._device.empty(case.output_shape, case.dtype)
        self._device.poison(output)
        session = self._runtime.session(path, poison)
        inputs = [self._data.x, *self._data.weights]

        def body():
            session.run(inputs, [output])
            return output

        return body

    def _prepare(self, case, body, iterations, variant):
        """Returns a graph that has been replayed once, with a right result."""
        graph = self._device.capture(body, iterations)
        self._device.poison(graph.output)
        graph.replay()
        self._check(case, graph, variant)
        return graph

    def _check(self, case, graph, variant):
        variant["error"] = self._device.error(graph.output, self._data.want)
        if not variant["error"] < TOLERANCE[case.dtype]:
            raise WrongResult(
                f"relative error {variant['error']:.1e}; tolerated are "
                f"{TOLERANCE[case.dtype]:.0e}"
            )

    def _time(self, variants, graphs, iterations):
        options = self._options
        estimates = timing.estimate(self._device, graphs, iterations)
        if "cool" in options.regimes:
            self._record(
                variants,
                "cool",
                iterations,
                timing.cool(
                    self._device,
                    graphs,
                    iterations,
                    options.bursts,
                    options.idle_ms / 1e3,
                    self._rng,
                ),
            )
        if "sustained" in options.regimes:
            self._record(
                variants,
                "sustained",
                iterations,
                timing.sustained(
                    self._device,
                    graphs,
                    iterations,
                    estimates,
                    options.sustained_seconds,
                    options.rounds,
                ),
            )

    @staticmethod
    def _record(variants, regime, iterations, samples):
        for name, values in samples.items():
            variants[name][regime] = {
                "iterations": iterations,
                **timing.summary(values),
            }

    def _replay(self, case, path, variant):
        count = self._device.count_differences(
            self._grout(case, path, poison=True), self._options.replays
        )
        variant["replays"] = self._options.replays
        if count:
            raise WrongResult(
                f"{count} of {self._options.replays} replays "
                "gave other bits than the first run"
            )
